import type { FormatReader } from '../reader.js';
import { isObject } from './any-value.js';
import { readDocuments } from './documents.js';
import { headKeys, headText, RECOGNISED_BYTES } from './head.js';
import { normaliseId } from './ids.js';
import type { SpanSink } from './json-spans.js';
import { isErrorStatus, spanKind } from './kinds.js';
import { textOf } from './lookup.js';
import type { Attributes, Origin, Span, SpanEvent } from './span.js';
import { attributesFromPairs } from './tags.js';
import { epochMicros, plusNs } from './times.js';

type JsonObject = { readonly [key: string]: unknown };

/** Jaeger's API and UI: `{"data":[{"traceID","spans","processes"}]}`, single traces, and spans as it stores them. */
export const jaegerReader: FormatReader = {
  format: 'jaeger',
  recognise(head) {
    const text = headText(head.subarray(0, RECOGNISED_BYTES));
    if (!text.startsWith('{') && !text.startsWith('[')) return 0;
    const keys = new Set(headKeys(text, 3));
    const has = (path: string, ...names: string[]): boolean => names.every((name) => keys.has(`${path}${name}`));
    if (has('data.', 'traceID', 'spans') || has('', 'traceID', 'spans')) return 0.95;
    return has('', 'traceID', 'spanID', 'operationName') ? 0.9 : 0;
  },
  read: (input, sink, options) =>
    readDocuments('jaeger', input, sink, options, { arrays: [['data'], []], walk: walkJaeger }),
};

/** A trace, or a span on its own. */
function walkJaeger(document: unknown, place: string, sink: SpanSink): boolean {
  if (!isObject(document)) return false;
  if (Array.isArray(document.data)) {
    document.data.forEach((trace, index) => {
      if (!walkJaeger(trace, `${place}, trace ${index + 1}`, sink)) sink.skip(1);
    });
    return true;
  }
  if (Array.isArray(document.spans)) {
    const processes = isObject(document.processes) ? document.processes : {};
    document.spans.forEach((raw, index) => {
      const at = `${place}, span ${index + 1}`;
      if (!isObject(raw)) sink.reject(at, 'not an object');
      else sink.add(spanFrom(raw, isObject(raw.process) ? raw.process : processOf(processes, raw.processID), at));
    });
    return true;
  }
  if (typeof document.spanID !== 'string') return false;
  sink.add(spanFrom(document, document.process, place));
  return true;
}

function processOf(processes: JsonObject, id: unknown): unknown {
  return typeof id === 'string' && Object.hasOwn(processes, id) ? processes[id] : null;
}

function spanFrom(raw: JsonObject, process: unknown, place: string): Span {
  const attributes = attributesFromTags(raw.tags);
  const started = epochMicros(raw.startTime);
  const length = epochDuration(raw.duration);
  const spanId = normaliseId(raw.spanID, 8);
  return {
    locator: spanId === null ? place : `span ${spanId}`,
    traceId: normaliseId(raw.traceID, 16),
    spanId,
    parentSpanId: parentOf(raw),
    name: typeof raw.operationName === 'string' ? raw.operationName : '',
    kind: spanKind(textOf(attributes, ['span.kind'])),
    startedNs: started.ns,
    endedNs: plusNs(started.ns, length),
    precisionNs: 1000n,
    attributes,
    attributeCount: Array.isArray(raw.tags) ? raw.tags.length : 0,
    events: eventsFrom(raw.logs),
    origin: originOf(attributes, process),
    failed: isErrorStatus(textOf(attributes, ['otel.status_code'])) || isTrue(attributes.get('error')),
    statusMessage: textOf(attributes, ['otel.status_description']) ?? '',
    incomplete: false,
    isLog: false,
  };
}

function originOf(attributes: Attributes, process: unknown): Origin {
  const resource = isObject(process) ? attributesFromTags(process.tags) : new Map();
  if (isObject(process) && typeof process.serviceName === 'string') resource.set('service.name', process.serviceName);
  return { resource, scope: textOf(attributes, ['otel.scope.name', 'otel.library.name']) ?? '' };
}

function parentOf(raw: JsonObject): string | null {
  if (Array.isArray(raw.references)) {
    for (const reference of raw.references) {
      if (isObject(reference) && reference.refType === 'CHILD_OF') return normaliseId(reference.spanID, 8);
    }
  }
  return normaliseId(raw.parentSpanID, 8);
}

function eventsFrom(logs: unknown): SpanEvent[] {
  if (!Array.isArray(logs)) return [];
  return logs.filter(isObject).flatMap((log) => {
    const attributes = attributesFromTags(log.fields);
    return attributes.has('exception.type') || attributes.has('exception.message')
      ? [{ name: 'exception', attributes }]
      : [];
  });
}

/** `[{"key","type","value"}]`, or the `tag` object that some storages write. */
function attributesFromTags(tags: unknown) {
  if (!Array.isArray(tags)) return attributesFromPairs(isObject(tags) ? Object.entries(tags) : []);
  return attributesFromPairs(tags.filter(isObject).map((tag) => [tag.key, tag.value] as const));
}

/** Microseconds of length, in nanoseconds. */
function epochDuration(value: unknown): bigint | null {
  const micros = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof micros === 'number' && micros >= 0 && micros < 9e15 ? BigInt(Math.round(micros)) * 1000n : null;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
