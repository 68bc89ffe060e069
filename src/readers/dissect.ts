import type { AnnouncedTool } from '../mcp/announcements.js';
import { eraOfMethod, eraOfVersion } from '../mcp/era.js';
import { idempotencyKey, traceparentOf } from '../mcp/json-rpc.js';
import { saysStreamHeld } from '../mcp/loss.js';
import { type CapturedHttp, header } from './captured-http.js';
import { splitTarget } from './endpoint.js';
import { principalOf } from './principal.js';
import { type BodyContent, readBody, readRecordedEvents } from './read-body.js';
import { type Capture, type EndState, type ExchangeRecord, emptyExchange, type MessageRecord } from './record.js';

export interface DissectOptions {
  /** Keep the text of messages (`--keep-bodies`). */
  readonly keepBodies: boolean;
}

/**
 * Takes a captured HTTP exchange apart: sessions, cursor, version and era from the headers, JSON-RPC messages from both
 * bodies, SSE events with what a conforming client holds after each, and how the exchange ended as its body tells.
 */
export function dissect(http: CapturedHttp, options: DissectOptions): Capture {
  const exchange = fromHeaders(http);
  const request = readRequest(http, options);
  const response = readResponse(http, exchange, options);
  const asked = request?.messages ?? [];
  addIdempotencyHeader(asked, http);
  const messages = asked.concat(response?.messages ?? []);
  for (const [ordinal, message] of messages.entries()) message.ordinal = ordinal;
  addCall(exchange, http, asked);
  addVersion(exchange, messages);
  addAnswer(exchange, http, response);
  exchange.clientInfo = request?.clientInfo ?? null;
  exchange.endState = refineEnd(http, exchange, asked, response);
  if (exchange.requestSession === null && exchange.sawRequestHeaders) forgetLoss(exchange, messages);
  const tools: readonly AnnouncedTool[] = response?.tools ?? [];
  return { exchange, events: response?.events ?? [], messages, tools };
}

function fromHeaders(http: CapturedHttp): ExchangeRecord {
  const { requestHeaders, responseHeaders } = http;
  const target = splitTarget(http.url, header(requestHeaders, 'host'));
  const trace = traceparentOf(header(requestHeaders, 'traceparent'));
  return {
    ...emptyExchange(http.locator, http.vantage),
    endpoint: target.endpoint,
    path: target.path,
    startedNs: http.startedNs,
    endedNs: http.endedNs,
    precisionNs: http.precisionNs,
    httpMethod: http.method?.toUpperCase() ?? null,
    status: http.status !== null && http.status >= 100 ? http.status : null,
    requestSession: header(requestHeaders, 'mcp-session-id') || null,
    responseSession: header(responseHeaders, 'mcp-session-id') || null,
    lastEventId: header(requestHeaders, 'last-event-id') || null,
    protocolVersion: header(requestHeaders, 'mcp-protocol-version') || null,
    requestType: mediaType(header(requestHeaders, 'content-type')),
    responseType: mediaType(header(responseHeaders, 'content-type') ?? http.responseType),
    endState: http.endState,
    endReason: http.endReason,
    backends: http.backends,
    backendStatuses: http.backendStatuses,
    client: http.client,
    connection: http.connection,
    userAgent: header(requestHeaders, 'user-agent'),
    principal: principalOf(requestHeaders),
    traceId: trace?.traceId ?? null,
    spanId: trace?.spanId ?? null,
    requestId: http.requestId ?? header(requestHeaders, 'x-request-id') ?? header(responseHeaders, 'x-request-id'),
    requestBytes: http.requestBytes,
    responseBytes: http.responseBytes,
    sawRequestHeaders: requestHeaders !== null,
    sawResponseHeaders: responseHeaders !== null,
    sawRequestBody: http.requestBody !== null,
    sawResponseBody: http.responseBody !== null,
    incomplete: http.incomplete,
  };
}

function readRequest(http: CapturedHttp, options: DissectOptions): BodyContent | null {
  if (http.requestBody === null) return null;
  return readBody(http.requestBody, {
    sender: 'client',
    keepText: options.keepBodies,
    isEventStream: false,
    atNs: http.startedNs,
  });
}

function readResponse(http: CapturedHttp, exchange: ExchangeRecord, options: DissectOptions): BodyContent | null {
  const isEventStream = exchange.responseType === 'text/event-stream';
  const how = { sender: 'server', keepText: options.keepBodies, isEventStream, atNs: http.endedNs } as const;
  if (http.responseBody !== null) {
    const body = readBody(http.responseBody, how);
    if (body.form === 'sse' && http.recordedEvents !== null) addTimes(body, http.recordedEvents);
    return body;
  }
  return http.recordedEvents === null ? null : readRecordedEvents(http.recordedEvents, how);
}

/** A recorder that kept both bytes and events knows when each event came; taken over only when they are the same ones. */
function addTimes(body: BodyContent, recorded: NonNullable<CapturedHttp['recordedEvents']>): void {
  const complete = body.events.filter((event) => event.complete);
  if (complete.length !== recorded.length) return;
  for (const [i, event] of complete.entries()) if ((event.cursor ?? '') !== recorded[i]?.id) return;
  for (const [i, event] of complete.entries()) event.atNs = recorded[i]?.atNs ?? null;
  for (const message of body.messages) {
    if (message.eventOrdinal !== null) message.atNs = body.events[message.eventOrdinal]?.atNs ?? null;
  }
}

/** Method, id and tool of the first request, or else of the first notification; headers of 2026-07-28 where the body is missing. */
function addCall(exchange: ExchangeRecord, http: CapturedHttp, asked: readonly MessageRecord[]): void {
  const first =
    asked.find((message) => message.kind === 'request') ?? asked.find((message) => message.rpcMethod !== null);
  exchange.rpcMethod = first?.rpcMethod ?? decodeHeader(header(http.requestHeaders, 'mcp-method'));
  exchange.rpcId = first?.rpcId ?? null;
  const named = exchange.rpcMethod === 'tools/call' ? decodeHeader(header(http.requestHeaders, 'mcp-name')) : null;
  exchange.tool = first?.tool ?? named;
  exchange.traceId ??= first?.traceId ?? null;
}

function addVersion(exchange: ExchangeRecord, messages: readonly MessageRecord[]): void {
  const negotiated = messages.find((message) => message.kind === 'result' && message.protocolVersion !== null);
  const stated = messages.find((message) => message.kind !== 'result' && message.protocolVersion !== null);
  exchange.protocolVersion ??= negotiated?.protocolVersion ?? stated?.protocolVersion ?? null;
  exchange.era = eraOfMethod(exchange.rpcMethod) ?? eraOfVersion(exchange.protocolVersion);
}

function addAnswer(exchange: ExchangeRecord, http: CapturedHttp, response: BodyContent | null): void {
  exchange.sawEvents = response !== null;
  if (response === null) return;
  exchange.serverInfo = response.serverInfo;
  exchange.lossInBody = response.lost;
  if (response.lastCursor !== undefined) exchange.lastCursor = response.lastCursor;
  const refusesStream = exchange.httpMethod === 'GET' || exchange.lastEventId !== null;
  exchange.streamHeld = refusesStream && saysStreamHeld(bodyText(http), exchange.status);
}

/** What the body adds to how the exchange ended. Only an end that the source calls complete, or says nothing of, is refined. */
function refineEnd(
  http: CapturedHttp,
  exchange: ExchangeRecord,
  asked: readonly MessageRecord[],
  response: BodyContent | null,
): EndState {
  const { endState } = http;
  if (response === null || http.responseBody === null || http.responseBodyCut) return endState;
  if (endState !== 'complete' && endState !== 'unknown') return endState;
  if (response.cut) return 'truncated';
  const isOk = exchange.status !== null && exchange.status >= 200 && exchange.status < 300;
  if (!isOk || response.form !== 'sse')
    return endState === 'unknown' && response.form === 'json' ? 'complete' : endState;
  if (isAnswered(asked, response.messages)) return asked.length > 0 ? 'complete' : endState;
  const holdsCursor = (response.lastCursor ?? response.events.at(-1)?.cursor ?? null) !== null;
  return holdsCursor && response.invitesResume && exchange.era !== 'stateless' ? 'polling' : endState;
}

/** Whether every request of the client has its answer; where none was seen, whether anything was answered at all. */
function isAnswered(asked: readonly MessageRecord[], answers: readonly MessageRecord[]): boolean {
  const answered = new Set<string | null>();
  for (const message of answers) if (message.kind === 'result' || message.kind === 'error') answered.add(message.rpcId);
  const requests = asked.filter((message) => message.kind === 'request');
  return requests.length > 0 ? requests.every((message) => answered.has(message.rpcId)) : answered.size > 0;
}

/** A request that named no session cannot be told that it is lost: such a refusal asks for the header. */
function forgetLoss(exchange: ExchangeRecord, messages: readonly MessageRecord[]): void {
  exchange.lossInBody = false;
  for (const message of messages) message.lossSignal = false;
}

function addIdempotencyHeader(asked: readonly MessageRecord[], http: CapturedHttp): void {
  const key = header(http.requestHeaders, 'idempotency-key');
  if (!key) return;
  const keyDigest = idempotencyKey({ idempotencyKey: key });
  for (const message of asked) if (message.kind === 'request') message.idempotencyKey ??= keyDigest;
}

function mediaType(value: string | null): string | null {
  if (value === null) return null;
  const type = (value.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type === '' || type === 'x-unknown' ? null : type;
}

/** Values of `Mcp-Method` and `Mcp-Name` that are not ASCII come as `=?base64?…?=` (SEP-2243). */
export function decodeHeader(value: string | null): string | null {
  const encoded = value === null ? null : /^=\?base64\?([A-Za-z0-9+/_=-]*)\?=$/i.exec(value.trim());
  return encoded === null ? value : Buffer.from(encoded[1] ?? '', 'base64').toString('utf8');
}

function bodyText(http: CapturedHttp): string | null {
  const { responseBody } = http;
  if (responseBody === null || typeof responseBody === 'string') return responseBody;
  return Buffer.from(responseBody.buffer, responseBody.byteOffset, Math.min(responseBody.byteLength, 4_096)).toString(
    'utf8',
  );
}
