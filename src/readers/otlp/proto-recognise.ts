import { BYTES, tagOf, WireError, WireReader } from './wire.js';

export const LENGTH_BYTES = 4;
/** A message beyond this is no export request: collectors refuse to send a tenth of it. */
export const MAX_MESSAGE_BYTES = 256 * 2 ** 20;

/** Length of the first frame; null: no plausible one. */
export function frameLength(bytes: Buffer): number | null {
  if (bytes.length < LENGTH_BYTES + 1) return null;
  const length = bytes.readUInt32BE(0);
  return length > 0 && length <= MAX_MESSAGE_BYTES ? length : null;
}

/** Tags a ResourceSpans may begin with: resource, scope_spans, schema_url, and the library spans of old. */
const FIRST_TAGS: ReadonlySet<number> = new Set([
  tagOf(1, BYTES),
  tagOf(2, BYTES),
  tagOf(3, BYTES),
  tagOf(1000, BYTES),
]);

/**
 * Whether an export request lies at `start`. `end` may be beyond the bytes at hand: then its fields have to be in order
 * as far as the bytes go.
 */
export function looksLikeRequest(bytes: Buffer, start: number, end: number): boolean {
  const last = Math.min(bytes.length, end);
  const wire = new WireReader(bytes, start, last);
  try {
    if (wire.tag() !== tagOf(1, BYTES)) return false;
    const length = wire.varint();
    const isCut = wire.pos + length > last;
    if (length === 0 || (isCut && last === end && end < bytes.length)) return false;
    const inside = new WireReader(bytes, wire.pos, Math.min(last, wire.pos + length));
    while (inside.pos < inside.end) {
      if (!FIRST_TAGS.has(inside.tag())) return false;
      const size = inside.varint();
      if (inside.pos + size > inside.end) return isCut;
      inside.pos += size;
    }
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
