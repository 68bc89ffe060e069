import { isObject } from './any-value.js';
import { normaliseId } from './ids.js';
import { isErrorStatus, isSampled, spanKind } from './kinds.js';
import { textOf } from './lookup.js';
import type { Span, SpanEvent } from './span.js';
import { attributesFromObject } from './tags.js';
import { epochFromText, plusNs } from './times.js';

/** A row by column name, values as the format gives them. */
export type Row = { readonly [column: string]: unknown };

/** Columns without which a table is not of the ClickHouse exporter's schema (`otel_traces`, `otel_logs`). */
export function isOtelTable(columns: Iterable<string>): boolean {
  const has = new Set(columns);
  return has.has('Timestamp') && has.has('TraceId') && (has.has('SpanName') || has.has('LogAttributes'));
}

/** One row of `otel_traces` (traces_table.sql of the collector's ClickHouse exporter), or of `otel_logs`. */
export function spanFromRow(row: Row, place: string): Span {
  const isLog = row.LogAttributes !== undefined && row.SpanName === undefined;
  const raw = isLog ? row.LogAttributes : row.SpanAttributes;
  const attributes = attributesFromObject(raw);
  const spanId = normaliseId(row.SpanId, 8);
  const started = epochFromText(row.Timestamp);
  return {
    locator: spanId === null || isLog ? place : `span ${spanId}`,
    traceId: normaliseId(row.TraceId, 16),
    spanId,
    parentSpanId: normaliseId(row.ParentSpanId, 8),
    name: typeof row.SpanName === 'string' ? row.SpanName : '',
    kind: spanKind(row.SpanKind),
    startedNs: started.ns,
    endedNs: isLog ? null : plusNs(started.ns, lengthOf(row.Duration)),
    precisionNs: started.precisionNs,
    attributes,
    attributeCount: isObject(raw) ? Object.keys(raw).length : 0,
    events: eventsFrom(row),
    origin: { resource: resourceOf(row), scope: scopeOf(row, attributes) },
    failed: isErrorStatus(row.StatusCode),
    statusMessage: typeof row.StatusMessage === 'string' ? row.StatusMessage : '',
    incomplete: isSampled(row.TraceState),
    isLog,
  };
}

/** Nanoseconds, quoted or not; zero is a length. */
function lengthOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.round(value)) : null;
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : null;
}

function resourceOf(row: Row): Span['origin']['resource'] {
  const resource = new Map(attributesFromObject(row.ResourceAttributes));
  if (typeof row.ServiceName === 'string' && row.ServiceName !== '') resource.set('service.name', row.ServiceName);
  return resource;
}

/** Tables of before 2024 keep the scope in an attribute. */
function scopeOf(row: Row, attributes: Span['attributes']): string {
  if (typeof row.ScopeName === 'string' && row.ScopeName !== '') return row.ScopeName;
  return textOf(attributes, ['otel.scope.name', 'otel.library.name']) ?? '';
}

function eventsFrom(row: Row): SpanEvent[] {
  const names = row['Events.Name'];
  const attributes = row['Events.Attributes'];
  if (!Array.isArray(names) || !Array.isArray(attributes)) return [];
  return names.flatMap((name, index) =>
    name === 'exception' ? [{ name, attributes: attributesFromObject(attributes[index]) }] : [],
  );
}
