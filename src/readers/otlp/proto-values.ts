import { MAX_VALUE_DEPTH, TooDeepError } from './any-value.js';
import { attributeKey } from './attributes.js';
import type { AttributeValue } from './span.js';
import { BYTES, FIXED64, WireReader as Reader, tagOf, VARINT, type WireReader } from './wire.js';

const STRING_VALUE = tagOf(1, BYTES);
const BOOL_VALUE = tagOf(2, VARINT);
const INT_VALUE = tagOf(3, VARINT);
const DOUBLE_VALUE = tagOf(4, FIXED64);
const ARRAY_VALUE = tagOf(5, BYTES);
const KVLIST_VALUE = tagOf(6, BYTES);
const BYTES_VALUE = tagOf(7, BYTES);

const KEY = tagOf(1, BYTES);
const VALUE = tagOf(2, BYTES);
const VALUES = tagOf(1, BYTES);

/** One AnyValue (common.proto). @throws WireError, TooDeepError */
export function readAnyValue(wire: WireReader, depth = 0): AttributeValue {
  if (depth > MAX_VALUE_DEPTH) throw new TooDeepError();
  let value: AttributeValue = null;
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    switch (tag) {
      case STRING_VALUE:
        value = wire.text();
        break;
      case BOOL_VALUE:
        value = wire.varint() !== 0;
        break;
      case INT_VALUE:
        value = wire.int64();
        break;
      case DOUBLE_VALUE:
        value = wire.double();
        break;
      case ARRAY_VALUE:
        value = readArray(inner(wire), depth + 1);
        break;
      case KVLIST_VALUE:
        value = readKeyValues(inner(wire), depth + 1);
        break;
      case BYTES_VALUE: {
        const end = wire.delimited();
        value = wire.bytes.toString('base64', wire.pos, end);
        wire.pos = end;
        break;
      }
      default:
        wire.skip(tag);
    }
  }
  return value;
}

/** One KeyValue into `into`, when something here reads its key. @throws WireError, TooDeepError */
export function readAttribute(wire: WireReader, into: Map<string, AttributeValue>): void {
  let key: string | null = null;
  let value: WireReader | null = null;
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    if (tag === KEY) key = attributeKey(wire.text());
    else if (tag === VALUE) value = inner(wire);
    else wire.skip(tag);
  }
  if (key !== null) into.set(key, value === null ? null : readAnyValue(value));
}

/** A reader over the length-delimited field that begins here; the outer one goes on behind it. */
export function inner(wire: WireReader): WireReader {
  const end = wire.delimited();
  const reader = new Reader(wire.bytes, wire.pos, end);
  wire.pos = end;
  return reader;
}

function readArray(wire: WireReader, depth: number): AttributeValue {
  const values: AttributeValue[] = [];
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    if (tag === VALUES) values.push(readAnyValue(inner(wire), depth));
    else wire.skip(tag);
  }
  return values;
}

function readKeyValues(wire: WireReader, depth: number): AttributeValue {
  const values: Record<string, AttributeValue> = Object.create(null);
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    if (tag !== VALUES) {
      wire.skip(tag);
      continue;
    }
    const entry = inner(wire);
    let key = '';
    let value: AttributeValue = null;
    while (entry.pos < entry.end) {
      const field = entry.tag();
      if (field === KEY) key = entry.text();
      else if (field === VALUE) value = readAnyValue(inner(entry), depth);
      else entry.skip(field);
    }
    values[key] = value;
  }
  return values;
}
