export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/**
 * Up to here a text is parsed as it is: JSON.parse does not recurse on the stack, and nothing but brackets, which cost it
 * some 60 bytes each, stays within bounds. What is read of the result has a depth limit of its own.
 */
const UNCOUNTED_BYTES = 2 * 2 ** 20;
/** Objects and arrays that one text may hold: a batch of export requests holds one in 20 bytes. */
const MAX_CONTAINERS = 4_000_000;

/** Parses a range of a buffer as JSON. Memory stays bounded whatever the text. */
export function parseBytes(bytes: Buffer, start: number, end: number): Parsed {
  if (end - start > UNCOUNTED_BYTES && containers(bytes, start, end) > MAX_CONTAINERS) {
    return { ok: false, reason: `more than ${MAX_CONTAINERS} objects and arrays in one record` };
  }
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8', start, end)) };
  } catch (error) {
    return { ok: false, reason: `not JSON: ${reasonOf(error)}` };
  }
}

/** Opening brackets, those inside strings included: never too few. */
function containers(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) count += 1;
  }
  return count;
}

/** The parser quotes the input; a quote may hold anything, so it is left out. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/unexpected end|unterminated/i.test(message)) return 'it ends too early';
  const place = /at position (\d+)/.exec(message)?.[1];
  return place === undefined ? 'malformed' : `malformed at byte ${place} of it`;
}
