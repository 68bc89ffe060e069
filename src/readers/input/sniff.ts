/** The start of an input as text: at most `maxBytes`, byte order mark dropped, invalid UTF-8 replaced. */
export function peekText(head: Uint8Array, maxBytes: number = head.length): string {
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('utf8', start, start + maxBytes);
}

/** Code of the first byte that is neither white space, NUL nor part of a byte order mark; -1: none. */
export function firstByte(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (at < head.length && isBlank(head[at]!)) at += 1;
  return at < head.length ? head[at]! : -1;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
}

/** The first lines of an input, without their line ends; the last one is left out when `head` cuts it. */
export function firstLines(head: Uint8Array, count: number): string[] {
  const lines = peekText(head).split('\n');
  const isWhole = lines.length === 1 || head.length < HEAD_BYTES;
  return (isWhole ? lines : lines.slice(0, -1)).slice(0, count).map((line) => line.replace(/\r$/, ''));
}

/** Size of `ReaderInput.head` when the input is longer. */
export const HEAD_BYTES = 256 * 1024;
