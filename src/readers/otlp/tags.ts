import { attributeKey } from './attributes.js';
import type { Attributes, AttributeValue } from './span.js';
import { NO_ATTRIBUTES } from './span.js';

/** How deep a column of type JSON may nest its dotted names. */
const MAX_NESTING = 16;

/**
 * Attributes from a plain object of names and values (Zipkin tags, ClickHouse maps), those that something here reads.
 * Names may be nested (`{"mcp":{"method":{"name":"ping"}}}`), as ClickHouse's JSON columns are written.
 */
export function attributesFromObject(object: unknown): Attributes {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return NO_ATTRIBUTES;
  const kept = new Map<string, AttributeValue>();
  collect(object as Record<string, unknown>, '', kept, 0);
  return kept;
}

/** Attributes from pairs, and how many pairs there were. */
export function attributesFromPairs(pairs: Iterable<readonly [unknown, unknown]>): Map<string, AttributeValue> {
  const kept = new Map<string, AttributeValue>();
  for (const [name, value] of pairs) if (typeof name === 'string') keep(name, value, kept);
  return kept;
}

function collect(
  object: Record<string, unknown>,
  prefix: string,
  kept: Map<string, AttributeValue>,
  depth: number,
): void {
  for (const [name, value] of Object.entries(object)) {
    const full = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      if (depth < MAX_NESTING) collect(value as Record<string, unknown>, full, kept, depth + 1);
    } else keep(full, value, kept);
  }
}

function keep(name: string, value: unknown, kept: Map<string, AttributeValue>): void {
  const key = attributeKey(name);
  if (key !== null) kept.set(key, plain(value));
}

function plain(value: unknown): AttributeValue {
  if (Array.isArray(value)) return value.slice(0, 16).map((each) => (Array.isArray(each) ? null : plain(each)));
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar || typeof value === 'bigint' ? value : null;
}
