/**
 * Byte sequences without one of which nothing is read as MCP: names and values that decide contain `mcp`, `Mcp`, `MCP`
 * or `jsonrpc`. JSON may hide a letter behind an escape, so escaped letters are marks too.
 */
const MARKS: readonly Buffer[] = ['mcp', 'MCP', 'Mcp', 'jsonrpc', '\\u004', '\\u005', '\\u006', '\\u007'].map((mark) =>
  Buffer.from(mark),
);

/** The same on text, for what decides by a name. Other spellings (`mCP`) are not read, or the bytes would not tell. */
export const MCP_NAME = /mcp|MCP|Mcp/;

/**
 * Finds the marks of a buffer in one pass per mark, whatever the number of ranges asked for.
 * Ranges have to be asked for in the order of the buffer.
 */
export class MarkScanner {
  private readonly bytes: Buffer;
  private readonly needles: readonly Buffer[];
  /** Next occurrence of each needle; -1: none any more. */
  private readonly next: number[];

  /** `paths`: endpoints learned from other spans, marks as well. */
  constructor(bytes: Buffer, paths: Iterable<string> = []) {
    this.bytes = bytes;
    this.needles = [...MARKS, ...[...paths].map((path) => Buffer.from(path))];
    this.next = this.needles.map((needle) => bytes.indexOf(needle));
  }

  /** Whether a mark begins in `start` to `end`. */
  has(start: number, end: number): boolean {
    let found = false;
    for (let index = 0; index < this.next.length; index += 1) {
      let at = this.next[index] as number;
      if (at >= 0 && at < start) {
        at = this.bytes.indexOf(this.needles[index] as Buffer, start);
        this.next[index] = at;
      }
      if (at >= 0 && at < end) found = true;
    }
    return found;
  }
}
