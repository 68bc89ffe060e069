const TABLE_SIZE = 1 << 14;
const MAX_INTERNED = 256;

/**
 * Strings out of bytes, the same string for the same bytes while it stays in the table. Logs repeat themselves: looking a
 * value up costs less than making it, and what is kept later does not pin whole blocks of the file in memory.
 */
export class Interner {
  readonly #table: (string | undefined)[] = new Array(TABLE_SIZE).fill(undefined);

  /** UTF-8 as text; invalid bytes become U+FFFD. */
  text(bytes: Buffer, from: number, to: number): string {
    const length = to - from;
    if (length === 0) return '';
    if (length > MAX_INTERNED) return decode(bytes, from, to);
    const slot = hash(bytes, from, to) & (TABLE_SIZE - 1);
    const known = this.#table[slot];
    if (known !== undefined && equals(known, bytes, from, length)) return known;
    if (!isAscii(bytes, from, to)) return bytes.toString('utf8', from, to);
    const text = bytes.toString('latin1', from, to);
    this.#table[slot] = text;
    return text;
  }
}

/** UTF-8 as text that need not be remembered. */
export function decode(bytes: Buffer, from: number, to: number): string {
  return isAscii(bytes, from, to) ? bytes.toString('latin1', from, to) : bytes.toString('utf8', from, to);
}

function isAscii(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at]! >= 0x80) return false;
  return true;
}

// Only ASCII strings are in the table, so code units and bytes can be compared.
function equals(text: string, bytes: Buffer, from: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let at = length - 1; at >= 0; at -= 1) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}

// Ids differ at their ends, so both ends and the length are enough.
function hash(bytes: Buffer, from: number, to: number): number {
  const length = to - from;
  let value = length;
  if (length <= 16) {
    for (let at = from; at < to; at += 1) value = (Math.imul(value, 31) + bytes[at]!) | 0;
  } else {
    for (let at = from; at < from + 8; at += 1) value = (Math.imul(value, 31) + bytes[at]!) | 0;
    for (let at = to - 8; at < to; at += 1) value = (Math.imul(value, 31) + bytes[at]!) | 0;
  }
  return value ^ (value >>> 15);
}
