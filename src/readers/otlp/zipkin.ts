import type { FormatReader } from '../reader.js';
import { isObject } from './any-value.js';
import { readDocuments } from './documents.js';
import { headKeys, headText, RECOGNISED_BYTES } from './head.js';
import { normaliseId } from './ids.js';
import type { SpanSink } from './json-spans.js';
import { isErrorStatus, spanKind } from './kinds.js';
import { textOf } from './lookup.js';
import type { Span } from './span.js';
import { attributesFromObject } from './tags.js';
import { epochMicros, plusNs } from './times.js';

type JsonObject = { readonly [key: string]: unknown };

/** Zipkin v2: an array of spans (or of traces, which are arrays of spans), or one span a line. */
export const zipkinReader: FormatReader = {
  format: 'zipkin',
  recognise(head) {
    const text = headText(head.subarray(0, RECOGNISED_BYTES));
    if (!text.startsWith('[') && !text.startsWith('{')) return 0;
    const keys = new Set(headKeys(text, 1));
    if (!keys.has('traceId') || !keys.has('id')) return 0;
    if (keys.has('localEndpoint')) return 0.95;
    return keys.has('timestamp') && (keys.has('name') || keys.has('kind')) ? 0.85 : 0;
  },
  read: (input, sink, options) => readDocuments('zipkin', input, sink, options, { arrays: [[]], walk: walkZipkin }),
};

function walkZipkin(document: unknown, place: string, sink: SpanSink): boolean {
  if (Array.isArray(document)) {
    document.forEach((span, index) => {
      if (!walkZipkin(span, `${place}, span ${index + 1}`, sink))
        sink.reject(`${place}, span ${index + 1}`, 'not a span');
    });
    return true;
  }
  if (!isObject(document) || typeof document.traceId !== 'string') return false;
  sink.add(spanFrom(document, place));
  return true;
}

function spanFrom(raw: JsonObject, place: string): Span {
  const attributes = attributesFromObject(raw.tags);
  const started = epochMicros(raw.timestamp);
  const length = epochMicros(raw.duration);
  const spanId = normaliseId(raw.id, 8);
  return {
    locator: spanId === null ? place : `span ${spanId}`,
    traceId: normaliseId(raw.traceId, 16),
    spanId,
    parentSpanId: normaliseId(raw.parentId, 8),
    name: typeof raw.name === 'string' ? raw.name : '',
    kind: raw.kind === undefined ? 'internal' : spanKind(raw.kind),
    startedNs: started.ns,
    endedNs: raw.duration === undefined ? null : plusNs(started.ns, length.ns ?? 0n),
    precisionNs: 1000n,
    attributes,
    attributeCount: isObject(raw.tags) ? Object.keys(raw.tags).length : 0,
    events: [],
    origin: { resource: resourceOf(raw.localEndpoint), scope: scopeOf(attributes) },
    failed: isErrorStatus(textOf(attributes, ['otel.status_code'])) || hasError(raw.tags),
    statusMessage: textOf(attributes, ['otel.status_description', 'error']) ?? '',
    incomplete: false,
    isLog: false,
  };
}

function scopeOf(attributes: Span['attributes']): string {
  return textOf(attributes, ['otel.scope.name', 'otel.library.name']) ?? '';
}

/** Zipkin knows service and address of the process, and nothing else of it. */
function resourceOf(endpoint: unknown): Span['origin']['resource'] {
  const resource = new Map<string, string>();
  if (!isObject(endpoint)) return resource;
  if (typeof endpoint.serviceName === 'string') resource.set('service.name', endpoint.serviceName);
  const address = endpoint.ipv4 ?? endpoint.ipv6;
  if (typeof address === 'string') {
    resource.set('host.name', typeof endpoint.port === 'number' ? `${address}:${endpoint.port}` : address);
  }
  return resource;
}

/** An `error` tag is an error whatever it says, `false` apart (OpenTelemetry's mapping). */
function hasError(tags: unknown): boolean {
  return isObject(tags) && Object.hasOwn(tags, 'error') && tags.error !== 'false' && tags.error !== false;
}
