/**
 * What readers hand on: HTTP exchanges as captured, with the SSE events and JSON-RPC messages found in them.
 * The field names are the column names of `queries/schema/*.sql`; the reason for a column is written there.
 * `null` is *not observed*, the empty string is *observed empty*. Times are nanoseconds since the epoch, UTC.
 * Records still hold raw session ids; `door.ts` digests them before anything is kept.
 */

export const VANTAGES = ['client', 'proxy', 'server', 'unknown'] as const;
export type Vantage = (typeof VANTAGES)[number];

export const END_STATES = [
  'complete',
  'truncated',
  'client-aborted',
  'timed-out',
  'polling',
  'open',
  'unknown',
] as const;
export type EndState = (typeof END_STATES)[number];

export type Era = 'sessions' | 'stateless';

/** What a source can carry; a detector names what it needs in the same words. */
export const EVIDENCE = [
  'request-headers',
  'response-headers',
  'status',
  'bodies',
  'events',
  'event-times',
  'end-state',
  'backend',
  'principal',
] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** One HTTP request with its response, on one hop. */
export interface ExchangeRecord {
  /** Place in the source: `entry 12`, `line 4711`, `span 00f067aa0ba902b7`. */
  locator: string;
  vantage: Vantage;
  /** Where the request was sent, as far as the source says: `https://host/mcp`, `host/mcp` or `/mcp`; no query. */
  endpoint: string;
  startedNs: bigint | null;
  /** null: not finished, or the source does not say when. */
  endedNs: bigint | null;
  /** Resolution of the two times: 1_000_000n for milliseconds, 1_000_000_000n for whole seconds. */
  precisionNs: bigint;
  httpMethod: string | null;
  /** Path with query, secrets in the query already replaced. */
  path: string | null;
  status: number | null;
  requestSession: string | null;
  responseSession: string | null;
  lastEventId: string | null;
  protocolVersion: string | null;
  era: Era | null;
  requestType: string | null;
  responseType: string | null;
  endState: EndState;
  /** The source's own words for the end: `net::ERR_ABORTED`, `SD--`, `UC`, `499`. */
  endReason: string | null;
  /** Instances in the order in which they were tried; the one that served is the last. Empty: none named. */
  backends: readonly string[];
  /** Status each try ended with, aligned with `backends`, where the source says. */
  backendStatuses: readonly (number | null)[];
  /** How often the request was sent on, where the source counts tries but names only the last instance. */
  attempts: number | null;
  /** Client address without port. */
  client: string | null;
  /** Transport connection of the client, where the source numbers them. */
  connection: string | null;
  userAgent: string | null;
  /** Raw credential (Authorization, Cookie); only its digest passes the door. */
  principal: string | null;
  /** 32 and 16 lower-case hex digits. */
  traceId: string | null;
  spanId: string | null;
  parentSpanId: string | null;
  /** x-request-id or the proxy's own id of the request. */
  requestId: string | null;
  /** Method, typed id (JSON text: `1`, `"1"`) and tool of the (first) JSON-RPC request, from body, `Mcp-Method`/`Mcp-Name` or span. */
  rpcMethod: string | null;
  rpcId: string | null;
  tool: string | null;
  requestBytes: number | null;
  responseBytes: number | null;
  /** Whether the source shows this side at all: absent header and header not logged are two things. */
  sawRequestHeaders: boolean;
  sawResponseHeaders: boolean;
  sawRequestBody: boolean;
  sawResponseBody: boolean;
  /** Event id a client holds afterwards where an `id` without data moved it past that of the last event; absent: it did not. */
  lastCursor?: string | null;
  /** SSE events (or their absence) were recorded. A cut stream of which no byte was kept is `false`. */
  sawEvents: boolean;
  /** The body (or a log field that quotes it) says that the session is unknown, not found, expired or not initialised. */
  lossInBody: boolean;
  /** The refusal says that the old stream is still connected (409, 400 "already"). */
  streamHeld: boolean;
  /** From `initialize`: serverInfo and clientInfo as `name version`. */
  serverInfo: string | null;
  clientInfo: string | null;
  /** Attributes or events of this record were dropped or sampled before it was exported. */
  incomplete: boolean;
}

/** One SSE event. */
export interface EventRecord {
  /** Position in the stream, from 0. */
  ordinal: number;
  /** The `id` field of this event as sent; null: none (then the sticky one is in `cursor`). */
  eventId: string | null;
  /** Last event id that a conforming client holds after this event; null: none yet. */
  cursor: string | null;
  type: string;
  /** UTF-8 length of the data. */
  dataBytes: number;
  /** SHA-256 (hex, first 32 digits) of the data, of a single JSON-RPC message in its canonical form; null when data was not kept. */
  dataDigest: string | null;
  atNs: bigint | null;
  /** A blank line ended it: a conforming client dispatched it. */
  complete: boolean;
  /** Id with empty data (2025-11-25, SEP-1699). */
  priming: boolean;
  /** Byte range in the response body, end exclusive; null when the capture kept events without bytes. */
  startByte: number | null;
  endByte: number | null;
  retryMs: number | null;
}

/** One JSON-RPC 2.0 message, or something in its place that is none (`kind: 'invalid'`). */
export interface MessageRecord {
  ordinal: number;
  /** Who sent it. */
  sender: 'client' | 'server';
  /** The SSE event that carried it; null: a plain body. */
  eventOrdinal: number | null;
  kind: 'request' | 'notification' | 'result' | 'error' | 'invalid';
  /** Typed id as JSON text: `1` is not `"1"`. */
  rpcId: string | null;
  rpcMethod: string | null;
  tool: string | null;
  /** Typed, as JSON text: from `_meta.progressToken` of a request or `progressToken` of a progress notification. */
  progressToken: string | null;
  progress: number | null;
  /** Of a request: digest of the arguments (tools/call) or params, RFC 8785 canonical, without `_meta`; null: not observed. */
  argumentsDigest: string | null;
  /** Digest of the whole message, RFC 8785 canonical. Equal digests: the same message. */
  messageDigest: string | null;
  bytes: number | null;
  errorCode: number | null;
  /** `result.isError`. */
  toolError: boolean;
  /** This message says that the session is unknown, not found, expired or not initialised. */
  lossSignal: boolean;
  /** Typed id that a `notifications/cancelled` names. */
  cancels: string | null;
  /** Request carries `inputResponses` or `requestState` (2026-07-28, SEP-2322). */
  inputRetry: boolean;
  /** Result has `resultType: "input_required"`. */
  inputRequired: boolean;
  /** Digest of an idempotency key in `_meta` or arguments. */
  idempotencyKey: string | null;
  /** `_meta["io.modelcontextprotocol/related-task"].taskId` or a task-augmented request, digested at the door. */
  taskId: string | null;
  /** Sorted top-level keys of `structuredContent`, comma-separated. */
  resultKeys: string | null;
  protocolVersion: string | null;
  /** `_meta.traceparent` (SEP-414): 32 lower-case hex digits. */
  traceId: string | null;
  atNs: bigint | null;
  /** The text itself, kept only with `--keep-bodies`. */
  text: string | null;
}

/** A tool as announced by `tools/list`. */
export interface ToolRecord {
  tool: string;
  readOnly: boolean | null;
  idempotent: boolean | null;
  destructive: boolean | null;
  /** Sorted property names of `outputSchema`, and of its `required`, comma-separated. */
  outputKeys: string | null;
  requiredKeys: string | null;
}

/** A line of a proxy's error log: it decides how an exchange of the access log beside it ended. */
export interface CompanionRecord {
  locator: string;
  atNs: bigint;
  precisionNs: bigint;
  httpMethod: string | null;
  path: string | null;
  client: string | null;
  connection: string | null;
  backend: string | null;
  endState: EndState;
  reason: string;
}

/** Everything one exchange carries. */
export interface Capture {
  exchange: ExchangeRecord;
  events: readonly EventRecord[];
  messages: readonly MessageRecord[];
  tools: readonly ToolRecord[];
}

/** An exchange of which nothing is known but where it stands; readers fill in what they see. */
export function emptyExchange(locator: string, vantage: Vantage): ExchangeRecord {
  return {
    locator,
    vantage,
    endpoint: '',
    startedNs: null,
    endedNs: null,
    precisionNs: 1_000_000n,
    httpMethod: null,
    path: null,
    status: null,
    requestSession: null,
    responseSession: null,
    lastEventId: null,
    protocolVersion: null,
    era: null,
    requestType: null,
    responseType: null,
    endState: 'unknown',
    endReason: null,
    backends: [],
    backendStatuses: [],
    attempts: null,
    client: null,
    connection: null,
    userAgent: null,
    principal: null,
    traceId: null,
    spanId: null,
    parentSpanId: null,
    requestId: null,
    rpcMethod: null,
    rpcId: null,
    tool: null,
    requestBytes: null,
    responseBytes: null,
    sawRequestHeaders: false,
    sawResponseHeaders: false,
    sawRequestBody: false,
    sawResponseBody: false,
    sawEvents: false,
    lossInBody: false,
    streamHeld: false,
    serverInfo: null,
    clientInfo: null,
    incomplete: false,
  };
}

/** A message of which only sender and kind are known. */
export function emptyMessage(
  ordinal: number,
  sender: MessageRecord['sender'],
  kind: MessageRecord['kind'],
): MessageRecord {
  return {
    ordinal,
    sender,
    eventOrdinal: null,
    kind,
    rpcId: null,
    rpcMethod: null,
    tool: null,
    progressToken: null,
    progress: null,
    argumentsDigest: null,
    messageDigest: null,
    bytes: null,
    errorCode: null,
    toolError: false,
    lossSignal: false,
    cancels: null,
    inputRetry: false,
    inputRequired: false,
    idempotencyKey: null,
    taskId: null,
    resultKeys: null,
    protocolVersion: null,
    traceId: null,
    atNs: null,
    text: null,
  };
}
