import type { Attributes, AttributeValue } from './span.js';

/** The first value present under one of `keys`. */
export function firstOf(attributes: Attributes, keys: readonly string[]): AttributeValue | undefined {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of `keys` that holds a non-empty text or a number, as text. */
export function textOf(attributes: Attributes, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = asText(attributes.get(key));
    if (text !== null && text !== '') return text;
  }
  return null;
}

/** A captured header: an array of its values, or that array as JSON text (rows of strings). The first value counts. */
export function headerOf(attributes: Attributes, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) {
      if (value.length > 0) return asText(value[0]);
      continue;
    }
    const text = asText(value);
    if (text !== null) return text.startsWith('["') ? firstInJson(text) : text;
  }
  return null;
}

/** The first of `keys` that holds a whole number. */
export function integerOf(attributes: Attributes, keys: readonly string[]): number | null {
  for (const key of keys) {
    const value = attributes.get(key);
    const number =
      typeof value === 'number'
        ? value
        : typeof value === 'string' && /^-?\d{1,15}$/.test(value)
          ? Number(value)
          : Number.NaN;
    if (Number.isSafeInteger(number)) return number;
  }
  return null;
}

function asText(value: AttributeValue | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : null;
}

function firstInJson(text: string): string {
  try {
    const values: unknown = JSON.parse(text);
    if (Array.isArray(values) && typeof values[0] === 'string') return values[0];
  } catch {
    // Not JSON after all: a header value may begin with a bracket.
  }
  return text;
}
