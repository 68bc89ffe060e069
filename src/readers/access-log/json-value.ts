/** A JSON object as parsed. Only own keys are looked at: `__proto__` is a key like any other. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property that is an object. */
export function objectAt(object: JsonObject | null, key: string): JsonObject | null {
  if (object === null || !Object.hasOwn(object, key)) return null;
  const value = object[key];
  return isJsonObject(value) ? value : null;
}

/** An own property as text or number; arrays of one are their element; null for everything else. */
export function scalarAt(object: JsonObject | null, key: string): string | number | null {
  if (object === null || !Object.hasOwn(object, key)) return null;
  return scalar(object[key]);
}

export function scalar(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return String(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.length === 1 ? scalar(value[0]) : value.map((item) => scalar(item) ?? '').join(', ');
}

/** Header fields of an object, names in lower case, the first of each. */
export function headersOf(object: JsonObject | null): ReadonlyMap<string, string | number | null> | null {
  if (object === null) return null;
  const headers = new Map<string, string | number | null>();
  for (const [name, value] of Object.entries(object)) {
    const key = name.toLowerCase();
    if (!headers.has(key)) headers.set(key, scalar(value));
  }
  return headers;
}
