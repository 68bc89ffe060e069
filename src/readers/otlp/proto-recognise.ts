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

const RESOURCE = tagOf(1, BYTES);

/** A resource is empty or begins with an attribute, whose key is printable text: line feeds alone look like the rest. */
function looksLikeResource(bytes: Buffer, start: number, end: number): boolean {
  const wire = new WireReader(bytes, start, end);
  if (start === end || wire.tag() !== tagOf(1, BYTES)) return true;
  wire.varint();
  if (wire.tag() !== tagOf(1, BYTES)) return false;
  const length = wire.varint();
  return !CONTROL.test(bytes.toString('latin1', wire.pos, Math.min(end, wire.pos + length)));
}

const CONTROL = /[\x00-\x1f]/;

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
    for (let fields = 0; inside.pos < inside.end; fields += 1) {
      const tag = inside.tag();
      if (!FIRST_TAGS.has(tag)) return false;
      const size = inside.varint();
      const fits = inside.pos + size <= inside.end;
      if (!fits && !isCut) return false;
      if (
        fields === 0 &&
        tag === RESOURCE &&
        !looksLikeResource(bytes, inside.pos, Math.min(inside.end, inside.pos + size))
      ) {
        return false;
      }
      if (!fits) return true;
      inside.pos += size;
    }
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}
