/** A JSON object as parsed. Keys come from outside: ask with `Object.hasOwn` where an inherited name could mislead. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property that is an object; null otherwise. */
export function objectAt(object: JsonObject | null, key: string): JsonObject | null {
  const value = ownAt(object, key);
  return isObject(value) ? value : null;
}

/** Own property that is a string; null otherwise. */
export function stringAt(object: JsonObject | null, key: string): string | null {
  const value = ownAt(object, key);
  return typeof value === 'string' ? value : null;
}

/** Own property that is a boolean; null otherwise. */
export function booleanAt(object: JsonObject | null, key: string): boolean | null {
  const value = ownAt(object, key);
  return typeof value === 'boolean' ? value : null;
}

export function ownAt(object: JsonObject | null, key: string): unknown {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}
