/** How much of the head is looked at to tell the format. */
export const RECOGNISED_BYTES = 65_536;

const MAX_KEYS = 400;

/**
 * Keys of the first levels of a JSON text that may be cut anywhere, as `a.b` (arrays do not count as a level), in order.
 * Text that is no JSON gives what looked like keys before it stopped making sense.
 */
export function headKeys(text: string, maxDepth: number): readonly string[] {
  const keys: string[] = [];
  const path: string[] = [];
  const isArray: boolean[] = [];
  let last = '';
  for (let at = 0; at < text.length && keys.length < MAX_KEYS; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = closingQuote(text, at);
      if (end < 0) return keys;
      last = text.slice(at + 1, end);
      at = end;
    } else if (char === ':') {
      const objects = isArray.filter((array) => !array).length;
      path.length = Math.max(0, objects - 1);
      path.push(last);
      if (objects <= maxDepth) keys.push(path.join('.'));
    } else if (char === '{' || char === '[') {
      if (isArray.length > 64) return keys;
      isArray.push(char === '[');
    } else if (char === '}' || char === ']') isArray.pop();
  }
  return keys;
}

/** First bytes as text, without byte order mark and white space in front. */
export function headText(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
}

function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') return at;
    at += char === '\\' ? 2 : 1;
  }
  return -1;
}
