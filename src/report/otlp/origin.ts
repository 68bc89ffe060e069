import type { JsonLogsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ResultDocument } from '../result-document.js';

export type LogRecord = Parameters<typeof JsonLogsSerializer.serializeRequest>[0][number];
export type IncidentSpan = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number];

/** Who says so: one object for all records of a document, by which the encoder groups them. */
export interface Origin {
  readonly resource: LogRecord['resource'];
  readonly instrumentationScope: LogRecord['instrumentationScope'];
}

export function originOf({ tool }: ResultDocument): Origin {
  const attributes = { 'service.name': tool.name, 'service.version': tool.version };
  const resource = { attributes, getRawAttributes: () => Object.entries(attributes), merge: () => resource };
  return { resource, instrumentationScope: { name: tool.name, version: tool.version } };
}
