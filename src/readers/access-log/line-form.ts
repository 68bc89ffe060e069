import type { Dialect } from './dialect.js';
import type { ScratchRow } from './slot.js';

/** A layout that no pattern can describe. */
export interface LineForm {
  readonly dialect: Dialect;
  /**
   * Reads a line into the row. `row`: read. `skip`: known, and no HTTP exchange. null: another layout. Text: cannot be read, and why.
   * @param line one line, a character for each byte
   */
  read(line: string, row: ScratchRow): 'row' | 'skip' | null | { readonly reject: string };
}

/** One character per byte back to UTF-8 text. */
export function utf8(latin1: string): string {
  return /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}
