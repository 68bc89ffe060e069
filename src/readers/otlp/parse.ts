export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/**
 * Up to here a text is parsed as it is. JSON.parse does not recurse on the stack, and brackets cost it some 60 bytes each:
 * this many bytes of nothing but brackets stay within bounds. What is read of the result has a depth limit of its own.
 */
const DENSE_BYTES = 2 * 2 ** 20;

/** Whether a text of so many bytes could fill the memory if it were all brackets. */
export function isTooDense(bytes: number): boolean {
  return bytes > DENSE_BYTES;
}

/** Parses a range of a buffer as JSON. */
export function parseBytes(bytes: Buffer, start: number, end: number): Parsed {
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8', start, end)) };
  } catch (error) {
    return { ok: false, reason: `not JSON: ${reasonOf(error)}` };
  }
}

/** The parser quotes the input; a quote may hold anything, so it is left out. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/unexpected end|unterminated/i.test(message)) return 'it ends too early';
  const place = /at position (\d+)/.exec(message)?.[1];
  return place === undefined ? 'malformed' : `malformed at byte ${place} of it`;
}
