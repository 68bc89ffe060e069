import { JsonLogsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { inertJson } from './escape.js';
import { originOf } from './otlp/origin.js';
import { findingRecords } from './otlp/records.js';
import { incidentSpans } from './otlp/spans.js';
import type { ResultDocument } from './result-document.js';

/**
 * Findings as log records and incidents as spans: one line of OTLP/JSON with `resourceLogs` and `resourceSpans`
 * (OTLP 1.x, JSON Protobuf Encoding). Whoever reads one signal passes over the key of the other one, as the encoding
 * demands of unknown keys.
 */
export function renderOtlp(document: ResultDocument): string {
  const origin = originOf(document);
  const logs = JsonLogsSerializer.serializeRequest(findingRecords(document, origin));
  const traces = JsonTraceSerializer.serializeRequest(incidentSpans(document, origin));
  return `${inertJson(JSON.stringify({ ...parsed(logs), ...parsed(traces) }))}\n`;
}

function parsed(bytes: Uint8Array | undefined): object {
  return bytes === undefined ? {} : (JSON.parse(Buffer.from(bytes).toString('utf8')) as object);
}
