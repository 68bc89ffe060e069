/** A JSON-RPC id or progress token as JSON text, so that `1` is not `"1"`; null: absent, null, or neither of the two types. */
export function typedId(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  return typeof value === 'string' ? JSON.stringify(value) : null;
}
