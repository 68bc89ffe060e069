/** Whole lines in one piece of memory, in the order of the input. */
export interface LineBlock {
  /** Ends with a line feed, except that of the input's last line when `cut` is set. */
  readonly bytes: Buffer;
  /** Where the block begins in the (decompressed) input. */
  readonly offset: number;
  /** Number of the first line, from 1. */
  readonly firstLine: number;
  /** The input ended without a line feed: the block's last line may be incomplete. */
  readonly cut: boolean;
}

/** A line that is not handed on because it is longer than the limit. */
export interface OverlongLine {
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
}

export const MAX_LINE_BYTES = 64 * 2 ** 20;

const LF = 10;
const CR = 13;

/**
 * Splits a byte stream at line feeds into blocks of whole lines.
 * A line longer than `maxLineBytes` (unless one chunk holds it whole) is reported to `onOverlong` and left out; the lines beside it are kept.
 * A byte order mark at the start and blocks of NUL bytes before a line (as a crash leaves them) are dropped.
 */
export async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  onOverlong: (line: OverlongLine) => void,
  maxLineBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<LineBlock> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let dropping = false;
  let offset = 0;
  let line = 1;
  let first = true;

  for await (const raw of chunks) {
    let chunk = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    if (first && chunk.length > 0) {
      first = false;
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        chunk = chunk.subarray(3);
        offset += 3;
      }
    }
    if (pendingBytes === 0 && !dropping) {
      const nuls = leadingNuls(chunk);
      chunk = chunk.subarray(nuls);
      offset += nuls;
    }
    if (chunk.length === 0) continue;

    const firstEnd = chunk.indexOf(LF);
    if (firstEnd < 0) {
      if (!dropping) pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes > maxLineBytes) {
        pending = [];
        dropping = true;
      }
      continue;
    }
    if (dropping || pendingBytes + firstEnd > maxLineBytes) {
      onOverlong({ line, offset, bytes: pendingBytes + firstEnd });
      offset += pendingBytes + firstEnd + 1;
      line += 1;
      chunk = chunk.subarray(firstEnd + 1);
      pending = [];
      pendingBytes = 0;
      dropping = false;
    }
    const lastEnd = chunk.lastIndexOf(LF) + 1;
    if (lastEnd > 0) {
      const head = chunk.subarray(0, lastEnd);
      const bytes = pendingBytes === 0 ? head : Buffer.concat([...pending, head]);
      yield { bytes, offset, firstLine: line, cut: false };
      line += countLines(bytes);
      offset += bytes.length;
      chunk = chunk.subarray(lastEnd);
      pending = [];
      pendingBytes = 0;
      const nuls = leadingNuls(chunk);
      chunk = chunk.subarray(nuls);
      offset += nuls;
    }
    if (chunk.length > 0) {
      pending.push(chunk);
      pendingBytes += chunk.length;
    }
  }
  if (dropping || pendingBytes > maxLineBytes) onOverlong({ line, offset, bytes: pendingBytes });
  else if (pendingBytes > 0) yield { bytes: Buffer.concat(pending), offset, firstLine: line, cut: true };
}

/**
 * Calls `visit` with start and end of every line of a block, without its line end (LF or CR LF) and without NUL bytes
 * in front. Empty lines are visited too, so that numbers stay right.
 */
export function forEachLine(
  block: LineBlock,
  visit: (start: number, end: number, line: number, cut: boolean) => void,
): void {
  const { bytes } = block;
  const length = bytes.length;
  let line = block.firstLine;
  let start = 0;
  while (start < length) {
    const lineFeed = bytes.indexOf(LF, start);
    const next = lineFeed < 0 ? length : lineFeed;
    let from = start;
    while (from < next && bytes[from] === 0) from += 1;
    const end = next > from && bytes[next - 1] === CR ? next - 1 : next;
    visit(from, end, line, lineFeed < 0);
    line += 1;
    start = next + 1;
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

function leadingNuls(bytes: Buffer): number {
  let count = 0;
  while (count < bytes.length && bytes[count] === 0) count += 1;
  return count;
}
