import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import { PostmortemError } from '../error.js';
import { clip } from './escape.js';
import { batches } from './otlp/batches.js';
import type { OtlpEndpoint } from './otlp/endpoint.js';
import { originOf } from './otlp/origin.js';
import { PATIENCE, type Patience, post } from './otlp/post.js';
import type { OtlpProtocol } from './otlp/protocol.js';
import { findingRecords } from './otlp/records.js';
import { incidentSpans } from './otlp/spans.js';
import type { ResultDocument } from './result-document.js';

export { type OtlpEndpoint, otlpEndpoint } from './otlp/endpoint.js';

const ENCODINGS = {
  'http/protobuf': { type: 'application/x-protobuf', logs: ProtobufLogsSerializer, traces: ProtobufTraceSerializer },
  'http/json': { type: 'application/json', logs: JsonLogsSerializer, traces: JsonTraceSerializer },
} as const;

export interface SendOptions {
  readonly protocol?: OtlpProtocol;
  readonly patience?: Patience;
  readonly signal?: AbortSignal;
}

/**
 * Sends incidents as spans and findings as log records to an OTLP/HTTP endpoint (OTLP 1.x). Ids are those of the
 * document, so what is sent again is recognised: `mcp_postmortem.finding.id`, and the span id of an incident.
 * @throws PostmortemError `endpoint-refused` when a request was refused for good, or a part of it was
 */
export async function sendOtlp(
  document: ResultDocument,
  endpoint: OtlpEndpoint,
  { protocol = 'http/protobuf', patience = PATIENCE, signal }: SendOptions = {},
): Promise<void> {
  const { type, logs, traces } = ENCODINGS[protocol];
  const origin = originOf(document);
  const agent = `${document.tool.name}/${document.tool.version}`.replace(/[^\w./-]/g, '_');
  const headers = { ...endpoint.headers, 'content-type': type, 'user-agent': agent };
  const send = (url: string, request: Uint8Array) => post(url, request, headers, endpoint.shown, patience, signal);
  const refusals: Refusal[] = [];
  for (const request of batches(incidentSpans(document, origin), (spans) => traces.serializeRequest(spans))) {
    const answer = await send(endpoint.traces, request);
    const partial = readAnswer(answer, (bytes) => traces.deserializeResponse(bytes).partialSuccess);
    refusals.push({ count: Number(partial?.rejectedSpans ?? 0), why: partial?.errorMessage ?? '' });
  }
  for (const request of batches(findingRecords(document, origin), (records) => logs.serializeRequest(records))) {
    const answer = await send(endpoint.logs, request);
    const partial = readAnswer(answer, (bytes) => logs.deserializeResponse(bytes).partialSuccess);
    refusals.push({ count: Number(partial?.rejectedLogRecords ?? 0), why: partial?.errorMessage ?? '' });
  }
  const refused = refusals.filter(({ count }) => count > 0);
  if (refused.length === 0) return;
  const count = refused.reduce((sum, refusal) => sum + refusal.count, 0);
  const why = clip(refused[0]?.why ?? '', 200);
  throw new PostmortemError(
    'endpoint-refused',
    `${endpoint.shown}: ${count} of the findings and incidents were not taken${why === '' ? '' : `: ${why}`}`,
    'The others were. Ids stay the same when they are sent again.',
  );
}

interface Refusal {
  readonly count: number;
  readonly why: string;
}

/** The partial success of an answer; an answer that cannot be read is taken for what its status says. */
function readAnswer<T>(answer: Uint8Array, read: (bytes: Uint8Array) => T): T | undefined {
  if (answer.byteLength === 0) return undefined;
  try {
    return read(answer);
  } catch {
    return undefined;
  }
}
