const HEX = /^[0-9a-f]+$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * A trace id (16 bytes) or span id (8 bytes) as lower-case hex, so that ids join whatever wrote them.
 * Takes hex in any case, with `0x` or dashes, with leading zeros dropped (Jaeger), base64 (protobuf's own JSON mapping),
 * base64 of hex text, and hex that was taken for base64 and written as hex again.
 * Returns null for the empty id, for all zeros and for anything else.
 */
export function normaliseId(raw: unknown, byteLength: 8 | 16): string | null {
  if (typeof raw !== 'string' || raw.length === 0 || raw.length > 128) return null;
  const digits = byteLength * 2;
  if (raw.length === digits && HEX.test(raw)) return orNull(raw);
  const plain = raw.trim().replace(/^0x/i, '').replaceAll('-', '').toLowerCase();
  const hex = HEX.test(plain) ? fromHexText(plain, digits) : fromBase64(raw.trim(), digits);
  return hex === null ? null : orNull(hex);
}

/** An id given as bytes (protobuf), as lower-case hex; null: empty, all zeros or of another length. */
export function idFromBytes(bytes: Buffer, start: number, end: number, byteLength: 8 | 16): string | null {
  const length = end - start;
  if (length === byteLength) return orNull(bytes.toString('hex', start, end));
  return length === byteLength * 2 ? normaliseId(bytes.toString('latin1', start, end), byteLength) : null;
}

function fromHexText(plain: string, digits: number): string | null {
  if (plain.length === digits) return plain;
  // Hex digits are base64 characters too: 32 of them decode to 24 bytes, which print as 48 digits.
  if (plain.length === (digits * 3) / 2) {
    const undone = Buffer.from(plain, 'hex').toString('base64').toLowerCase();
    if (HEX.test(undone)) return undone;
  }
  return plain.length < digits ? plain.padStart(digits, '0') : null;
}

function fromBase64(text: string, digits: number): string | null {
  if (!BASE64.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === digits / 2) return bytes.toString('hex');
  if (bytes.length === digits) {
    const inner = bytes.toString('latin1').toLowerCase();
    if (HEX.test(inner)) return inner;
  }
  return null;
}

function orNull(hex: string): string | null {
  return /^0+$/.test(hex) ? null : hex;
}
