import { fromAttributeList, isObject, TooDeepError } from './any-value.js';
import { isForeign } from './foreign.js';
import { normaliseId } from './ids.js';
import { isErrorStatus, isSampled, spanKind } from './kinds.js';
import type { Origin, Span, SpanEvent } from './span.js';
import { NO_ORIGIN } from './span.js';
import { type EpochTime, epochNs } from './times.js';

/** Where the walk puts what it finds. */
export interface SpanSink {
  /** Paths of endpoints known so far. */
  readonly endpoints: ReadonlySet<string>;
  add(span: Span): void;
  /** Well-formed records that are neither spans nor log records. */
  skip(count: number): void;
  reject(locator: string, reason: string): void;
}

type JsonObject = { readonly [key: string]: unknown };

/** Names under which requests, and everything that wraps them, hold their resources. */
export const SPAN_CONTAINERS = ['resourceSpans', 'resource_spans', 'batches'] as const;
export const LOG_CONTAINERS = ['resourceLogs', 'resource_logs'] as const;
export const METRIC_CONTAINERS = ['resourceMetrics', 'resource_metrics'] as const;
/** Envelopes: Tempo's `{"trace":…}`, Jaeger's OTLP endpoint `{"result":…}`. */
export const ENVELOPES = ['trace', 'result'] as const;

const SCOPES = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans', 'instrumentation_library_spans'];
const LOG_SCOPES = ['scopeLogs', 'scope_logs', 'instrumentationLibraryLogs', 'instrumentation_library_logs'];
const SCOPE = ['scope', 'instrumentationLibrary', 'instrumentation_library'];

/**
 * Hands every span and log record of one parsed document to `sink`: an export request, an array of requests, or an
 * envelope around one. `place` (`line 3`) names what has no id. Returns whether the document was of that kind.
 */
export function walkDocument(document: unknown, place: string, sink: SpanSink): boolean {
  if (Array.isArray(document)) {
    let any = false;
    for (let index = 0; index < document.length; index += 1) {
      any = walkRequest(document[index], `${place}, element ${index + 1}`, sink) || any;
    }
    return any;
  }
  return walkRequest(document, place, sink);
}

function walkRequest(request: unknown, place: string, sink: SpanSink): boolean {
  if (!isObject(request)) return false;
  let any = walkContainers(request, place, sink);
  for (const envelope of ENVELOPES) {
    const inner = request[envelope];
    if (isObject(inner)) any = walkContainers(inner, place, sink) || any;
  }
  return any;
}

function walkContainers(request: JsonObject, place: string, sink: SpanSink): boolean {
  let any = false;
  for (const key of SPAN_CONTAINERS) any = eachOf(request[key], (each) => walkResourceSpans(each, place, sink)) || any;
  for (const key of LOG_CONTAINERS) any = eachOf(request[key], (each) => walkResourceLogs(each, place, sink)) || any;
  for (const key of METRIC_CONTAINERS) any = eachOf(request[key], () => sink.skip(1)) || any;
  return any;
}

/** One ResourceSpans (trace.proto). */
export function walkResourceSpans(entry: unknown, place: string, sink: SpanSink): void {
  let count = 0;
  walkScopes(entry, SCOPES, ['spans'], (raw, origin) => {
    count += 1;
    if (isForeign(raw, origin.scope, sink.endpoints)) sink.skip(1);
    else guarded(sink, raw, `${place}, span ${count}`, (object, at) => spanFrom(object, origin, at));
  });
}

/** One ResourceLogs (logs.proto). */
export function walkResourceLogs(entry: unknown, place: string, sink: SpanSink): void {
  let count = 0;
  walkScopes(entry, LOG_SCOPES, ['logRecords', 'log_records', 'logs'], (raw, origin) => {
    count += 1;
    if (isForeign(raw, origin.scope, sink.endpoints)) sink.skip(1);
    else guarded(sink, raw, `${place}, log record ${count}`, (object, at) => logFrom(object, origin, at));
  });
}

function walkScopes(
  entry: unknown,
  scopeKeys: readonly string[],
  itemKeys: readonly string[],
  visit: (item: unknown, origin: Origin) => void,
): void {
  if (!isObject(entry)) return;
  const resource = isObject(entry.resource) ? fromAttributeList(entry.resource.attributes) : NO_ORIGIN.resource;
  for (const scopeKey of scopeKeys) {
    eachOf(entry[scopeKey], (scoped) => {
      if (!isObject(scoped)) return;
      const scope = firstKey(scoped, SCOPE);
      const name = isObject(scope) && typeof scope.name === 'string' ? scope.name : '';
      const origin: Origin = { resource, scope: name };
      for (const itemKey of itemKeys) eachOf(scoped[itemKey], (item) => visit(item, origin));
    });
  }
}

function guarded(sink: SpanSink, raw: unknown, place: string, read: (object: JsonObject, place: string) => Span): void {
  if (!isObject(raw)) {
    sink.reject(place, 'not an object');
    return;
  }
  try {
    sink.add(read(raw, place));
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    sink.reject(place, error.message);
  }
}

function spanFrom(raw: JsonObject, origin: Origin, place: string): Span {
  const spanId = normaliseId(raw.spanId ?? raw.span_id, 8);
  const started = epochNs(raw.startTimeUnixNano ?? raw.start_time_unix_nano);
  const ended = epochNs(raw.endTimeUnixNano ?? raw.end_time_unix_nano);
  const status = isObject(raw.status) ? raw.status : null;
  return {
    locator: spanId === null ? place : `span ${spanId}`,
    traceId: normaliseId(raw.traceId ?? raw.trace_id, 16),
    spanId,
    parentSpanId: normaliseId(raw.parentSpanId ?? raw.parent_span_id, 8),
    name: typeof raw.name === 'string' ? raw.name : '',
    kind: spanKind(raw.kind),
    startedNs: started.ns,
    endedNs: ended.ns,
    precisionNs: coarser(started, ended),
    attributes: fromAttributeList(raw.attributes),
    attributeCount: Array.isArray(raw.attributes) ? raw.attributes.length : 0,
    events: eventsFrom(raw.events),
    origin,
    failed: isErrorStatus(status?.code),
    statusMessage: typeof status?.message === 'string' ? status.message : '',
    incomplete:
      isPositive(raw.droppedAttributesCount ?? raw.dropped_attributes_count) ||
      isPositive(raw.droppedEventsCount ?? raw.dropped_events_count) ||
      isSampled(raw.traceState ?? raw.trace_state),
    isLog: false,
  };
}

function logFrom(raw: JsonObject, origin: Origin, place: string): Span {
  const time = epochNs(raw.timeUnixNano ?? raw.time_unix_nano);
  const observed = epochNs(raw.observedTimeUnixNano ?? raw.observed_time_unix_nano);
  const at = time.ns === null ? observed : time;
  return {
    locator: place,
    traceId: normaliseId(raw.traceId ?? raw.trace_id, 16),
    spanId: normaliseId(raw.spanId ?? raw.span_id, 8),
    parentSpanId: null,
    name: '',
    kind: null,
    startedNs: at.ns,
    endedNs: null,
    precisionNs: at.precisionNs,
    attributes: fromAttributeList(raw.attributes),
    attributeCount: Array.isArray(raw.attributes) ? raw.attributes.length : 0,
    events: [],
    origin,
    failed: false,
    statusMessage: '',
    incomplete: isPositive(raw.droppedAttributesCount ?? raw.dropped_attributes_count),
    isLog: true,
  };
}

function eventsFrom(raw: unknown): readonly SpanEvent[] {
  if (!Array.isArray(raw) || raw.length === 0) return NO_EVENTS;
  const events: SpanEvent[] = [];
  for (const event of raw) {
    if (isObject(event) && event.name === 'exception') {
      events.push({ name: event.name, attributes: fromAttributeList(event.attributes) });
    }
  }
  return events;
}

const NO_EVENTS: readonly SpanEvent[] = [];

function coarser(a: EpochTime, b: EpochTime): bigint {
  if (a.precisionNs > b.precisionNs) return a.precisionNs;
  return b.precisionNs;
}

function isPositive(count: unknown): boolean {
  return Number(count) > 0;
}

function firstKey(object: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) if (object[key] !== undefined) return object[key];
  return undefined;
}

/** Visits the elements of an array; false: it is none. */
function eachOf(value: unknown, visit: (element: unknown) => void): boolean {
  if (!Array.isArray(value)) return false;
  for (const element of value) visit(element);
  return true;
}
