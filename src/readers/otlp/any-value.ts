import { attributeKey } from './attributes.js';
import type { Attributes, AttributeValue } from './span.js';
import { NO_ATTRIBUTES } from './span.js';

/** AnyValues nested deeper are refused. */
export const MAX_VALUE_DEPTH = 512;

/** A value that is nested deeper than the limit. */
export class TooDeepError extends Error {
  constructor() {
    super(`a value is nested deeper than ${MAX_VALUE_DEPTH} levels`);
  }
}

type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An AnyValue of OTLP/JSON (common.proto; camelCase or snake_case), or a plain JSON value where an exporter wrote one.
 * `{}` is null. 64-bit integers that a double cannot hold become bigint.
 * @throws TooDeepError
 */
export function fromAnyValue(value: unknown, depth = 0): AttributeValue {
  if (depth > MAX_VALUE_DEPTH) throw new TooDeepError();
  if (!isObject(value))
    return Array.isArray(value) ? value.map((each) => fromAnyValue(each, depth + 1)) : scalar(value);
  for (const key in value) {
    const inner = value[key];
    switch (key) {
      case 'stringValue':
      case 'string_value':
        return typeof inner === 'string' ? inner : String(inner);
      case 'intValue':
      case 'int_value':
        return integer(inner);
      case 'boolValue':
      case 'bool_value':
        return inner === true || inner === 'true';
      case 'doubleValue':
      case 'double_value':
        return typeof inner === 'number' ? inner : Number(inner);
      case 'arrayValue':
      case 'array_value':
        return list(inner).map((each) => fromAnyValue(each, depth + 1));
      case 'kvlistValue':
      case 'kvlist_value':
        return fromKeyValues(list(inner), depth + 1);
      case 'bytesValue':
      case 'bytes_value':
        return typeof inner === 'string' ? inner : null;
    }
  }
  return null;
}

/** Attributes of OTLP/JSON that something here reads. @throws TooDeepError */
export function fromAttributeList(value: unknown): Attributes {
  if (!Array.isArray(value)) return NO_ATTRIBUTES;
  let kept: Map<string, AttributeValue> | null = null;
  for (const each of value) {
    if (!isObject(each) || typeof each.key !== 'string') continue;
    const key = attributeKey(each.key);
    if (key === null) continue;
    kept ??= new Map();
    kept.set(key, fromAnyValue(each.value));
  }
  return kept ?? NO_ATTRIBUTES;
}

function fromKeyValues(values: readonly unknown[], depth: number): AttributeValue {
  const result: Record<string, AttributeValue> = Object.create(null);
  for (const each of values) {
    if (isObject(each) && typeof each.key === 'string') result[each.key] = fromAnyValue(each.value, depth + 1);
  }
  return result;
}

function list(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value.values) ? value.values : [];
}

function integer(value: unknown): AttributeValue {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return typeof value === 'string' ? value : null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

function scalar(value: unknown): AttributeValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
