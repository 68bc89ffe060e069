import { idFromBytes } from './ids.js';
import { isSampled, spanKind } from './kinds.js';
import { inner, readAttribute } from './proto-values.js';
import type { AttributeValue, Origin, Span, SpanEvent } from './span.js';
import { epochNs } from './times.js';
import { BYTES, FIXED32, FIXED64, tagOf, VARINT, type WireReader } from './wire.js';

const TRACE_ID = tagOf(1, BYTES);
const SPAN_ID = tagOf(2, BYTES);
const TRACE_STATE = tagOf(3, BYTES);
const PARENT_SPAN_ID = tagOf(4, BYTES);
const NAME = tagOf(5, BYTES);
const KIND = tagOf(6, VARINT);
const START = tagOf(7, FIXED64);
const END = tagOf(8, FIXED64);
const ATTRIBUTES = tagOf(9, BYTES);
const DROPPED_ATTRIBUTES = tagOf(10, VARINT);
const EVENTS = tagOf(11, BYTES);
const DROPPED_EVENTS = tagOf(12, VARINT);
const STATUS = tagOf(15, BYTES);

const EVENT_NAME = tagOf(2, BYTES);
const EVENT_ATTRIBUTES = tagOf(3, BYTES);

const STATUS_MESSAGE = tagOf(2, BYTES);
const STATUS_CODE = tagOf(3, VARINT);

const LOG_TIME = tagOf(1, FIXED64);
const LOG_SEVERITY = tagOf(2, VARINT);
const LOG_ATTRIBUTES = tagOf(6, BYTES);
const LOG_DROPPED = tagOf(7, VARINT);
const LOG_FLAGS = tagOf(8, FIXED32);
const LOG_TRACE_ID = tagOf(9, BYTES);
const LOG_SPAN_ID = tagOf(10, BYTES);
const LOG_OBSERVED_TIME = tagOf(11, FIXED64);

/** One Span (trace.proto). `place` names it when it has no id. @throws WireError, TooDeepError */
export function readSpan(wire: WireReader, origin: Origin, place: string): Span {
  let traceId: string | null = null;
  let spanId: string | null = null;
  let parentSpanId: string | null = null;
  let name = '';
  let kind = 0;
  let start = 0n;
  let end = 0n;
  let attributeCount = 0;
  let dropped = 0;
  let traceState = '';
  let statusMessage = '';
  let statusCode = 0;
  const attributes = new Map<string, AttributeValue>();
  const events: SpanEvent[] = [];
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    switch (tag) {
      case TRACE_ID:
        traceId = readId(wire, 16);
        break;
      case SPAN_ID:
        spanId = readId(wire, 8);
        break;
      case TRACE_STATE:
        traceState = wire.text();
        break;
      case PARENT_SPAN_ID:
        parentSpanId = readId(wire, 8);
        break;
      case NAME:
        name = wire.text();
        break;
      case KIND:
        kind = wire.varint();
        break;
      case START:
        start = wire.fixed64();
        break;
      case END:
        end = wire.fixed64();
        break;
      case ATTRIBUTES:
        attributeCount += 1;
        readAttribute(inner(wire), attributes);
        break;
      case DROPPED_ATTRIBUTES:
      case DROPPED_EVENTS:
        dropped += wire.varint();
        break;
      case EVENTS:
        if (events.length < MAX_EVENTS) events.push(readEvent(inner(wire)));
        else wire.skip(tag);
        break;
      case STATUS: {
        const status = inner(wire);
        while (status.pos < status.end) {
          const field = status.tag();
          if (field === STATUS_MESSAGE) statusMessage = status.text();
          else if (field === STATUS_CODE) statusCode = status.varint();
          else status.skip(field);
        }
        break;
      }
      default:
        wire.skip(tag);
    }
  }
  return {
    locator: spanId === null ? place : `span ${spanId}`,
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: spanKind(kind),
    startedNs: epochNs(start).ns,
    endedNs: epochNs(end).ns,
    precisionNs: 1n,
    attributes,
    attributeCount,
    events,
    origin,
    failed: statusCode === 2,
    statusMessage,
    incomplete: dropped > 0 || isSampled(traceState),
    isLog: false,
  };
}

/** One LogRecord (logs.proto), as a span of no length. @throws WireError, TooDeepError */
export function readLogRecord(wire: WireReader, origin: Origin, place: string): Span {
  let traceId: string | null = null;
  let spanId: string | null = null;
  let time = 0n;
  let observed = 0n;
  let attributeCount = 0;
  let dropped = 0;
  const attributes = new Map<string, AttributeValue>();
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    if (tag === LOG_TIME) time = wire.fixed64();
    else if (tag === LOG_OBSERVED_TIME) observed = wire.fixed64();
    else if (tag === LOG_TRACE_ID) traceId = readId(wire, 16);
    else if (tag === LOG_SPAN_ID) spanId = readId(wire, 8);
    else if (tag === LOG_DROPPED) dropped = wire.varint();
    else if (tag === LOG_ATTRIBUTES) {
      attributeCount += 1;
      readAttribute(inner(wire), attributes);
    } else wire.skip(tag);
  }
  return {
    locator: place,
    traceId,
    spanId,
    parentSpanId: null,
    name: '',
    kind: null,
    startedNs: epochNs(time === 0n ? observed : time).ns,
    endedNs: null,
    precisionNs: 1n,
    attributes,
    attributeCount,
    events: [],
    origin,
    failed: false,
    statusMessage: '',
    incomplete: dropped > 0,
    isLog: true,
  };
}

/**
 * What an element of a request is, told by its first field: the three signals share one envelope. `wire` is not moved.
 * A trace id is 16 random bytes; a metric begins with its name.
 */
export function elementOf(wire: WireReader): 'span' | 'log' | 'metric' {
  const start = wire.pos;
  const tag = wire.tag();
  let element: 'span' | 'log' | 'metric' = LOG_FIRST_TAGS.has(tag) ? 'log' : 'span';
  if (tag === TRACE_ID) {
    const end = wire.delimited();
    const length = end - wire.pos;
    if ((length !== 0 && length !== 16 && length !== 32) || isPrintable(wire.bytes, wire.pos, end, length))
      element = 'metric';
  }
  wire.pos = start;
  return element;
}

const LOG_FIRST_TAGS: ReadonlySet<number> = new Set([
  LOG_TIME,
  LOG_SEVERITY,
  LOG_ATTRIBUTES,
  LOG_DROPPED,
  LOG_FLAGS,
  LOG_OBSERVED_TIME,
]);

function isPrintable(bytes: Buffer, start: number, end: number, length: number): boolean {
  if (length !== 16) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x21 || byte > 0x7e) return false;
  }
  return true;
}

const MAX_EVENTS = 1024;

function readId(wire: WireReader, byteLength: 8 | 16): string | null {
  const end = wire.delimited();
  const id = idFromBytes(wire.bytes, wire.pos, end, byteLength);
  wire.pos = end;
  return id;
}

function readEvent(wire: WireReader): SpanEvent {
  let name = '';
  const attributes = new Map<string, AttributeValue>();
  while (wire.pos < wire.end) {
    const tag = wire.tag();
    if (tag === EVENT_NAME) name = wire.text();
    else if (tag === EVENT_ATTRIBUTES) readAttribute(inner(wire), attributes);
    else wire.skip(tag);
  }
  return { name, attributes };
}
