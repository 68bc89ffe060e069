import { eraOfMethod, eraOfVersion } from '../../mcp/era.js';
import { saysStreamHeld } from '../../mcp/loss.js';
import { redactQuery, splitTarget } from '../endpoint.js';
import type { Capture, ExchangeRecord, Vantage } from '../record.js';
import { emptyExchange } from '../record.js';
import { ALIASES, TELEMETRY_ONLY_SESSION_SCOPES } from './attributes.js';
import { endOf, errorMessageOf } from './end-state.js';
import type { HttpFacts } from './http-facts.js';
import { headerOf, integerOf, textOf } from './lookup.js';
import { originFacts } from './origin.js';
import type { RpcFacts } from './rpc-facts.js';
import type { Span } from './span.js';
import { isToolError, saysLoss, spanMessages } from './span-messages.js';
import { durationNs } from './times.js';

/**
 * One span as the exchange that it tells of.
 *
 * A span shows what its emitter chose to record. `mcp.session.id` therefore sets `requestSession` (on `initialize`,
 * which has none yet, `responseSession`) without `sawRequestHeaders`: that a header is not on the span does not say that
 * it was not on the wire. Only captured headers (`http.request.header.*`) show the side they are of; `SpanWindow` adds
 * what it learns of the emitter from its other spans.
 */
export function spanExchange(span: Span, rpc: RpcFacts, http: HttpFacts, vantage: Vantage): Capture {
  const { attributes } = span;
  const exchange = emptyExchange(span.locator, vantage);
  exchange.endpoint = endpointOf(span, http, vantage);
  exchange.startedNs = span.startedNs;
  exchange.endedNs = span.endedNs;
  if (span.isLog) spreadLog(exchange, span);
  exchange.precisionNs = span.precisionNs;
  exchange.httpMethod = http.method?.toUpperCase() ?? null;
  exchange.path = http.query === '' || http.path === null ? http.path : redactQuery(`${http.path}${http.query}`);
  exchange.status = http.status;
  fillSessions(exchange, span, rpc);
  exchange.lastEventId = headerOf(attributes, ALIASES.lastEventId);
  exchange.protocolVersion = versionOf(span);
  exchange.era = eraOfVersion(exchange.protocolVersion) ?? eraOfMethod(rpc.method);
  exchange.requestType = mediaType(headerOf(attributes, ALIASES.requestType));
  exchange.responseType = mediaType(headerOf(attributes, ALIASES.responseType));
  const instance = instanceOf(span, vantage);
  exchange.backends = instance === null ? [] : [instance];
  exchange.backendStatuses = instance === null ? [] : [http.status];
  exchange.client = vantage === 'client' ? null : addressOf(textOf(attributes, ALIASES.client));
  exchange.userAgent = headerOf(attributes, ALIASES.userAgent);
  exchange.principal = credentialOf(span);
  exchange.traceId = span.traceId;
  exchange.spanId = span.spanId;
  exchange.parentSpanId = span.parentSpanId;
  exchange.requestId = headerOf(attributes, ALIASES.requestId);
  exchange.rpcMethod = rpc.method;
  exchange.rpcId = rpc.id;
  exchange.tool = rpc.tool;
  exchange.requestBytes = integerOf(attributes, ALIASES.requestBytes);
  exchange.responseBytes = integerOf(attributes, ALIASES.responseBytes);
  exchange.sawRequestHeaders = attributes.has('http.request.header.mcp-session-id') || exchange.lastEventId !== null;
  exchange.sawResponseHeaders = attributes.has('http.response.header.mcp-session-id');
  exchange.incomplete = span.incomplete;
  if (rpc.method === 'initialize') exchange.clientInfo = clientOf(span);

  const rpcCode = integerOf(attributes, ALIASES.rpcCode);
  const answered = http.status !== null || rpcCode !== null || isToolError(span);
  const end = endOf(span, answered);
  exchange.endState = end.state;
  exchange.endReason = end.reason;
  const failed = span.failed || (rpcCode !== null && rpcCode !== 0) || (http.status !== null && http.status >= 400);
  exchange.streamHeld = saysStreamHeld(errorMessageOf(span), http.status);
  const { messages, tools } = spanMessages(span, rpc, exchange);
  exchange.lossInBody = (failed && saysLoss(span)) || messages.some((message) => message.lossSignal);
  return { exchange, events: [], messages, tools };
}

/** A log record is written when the request is over, and says how long it took. */
function spreadLog(exchange: ExchangeRecord, span: Span): void {
  const length = durationNs(textOf(span.attributes, ALIASES.duration) ?? '');
  if (length === null || span.startedNs === null || length > span.startedNs) return;
  exchange.endedNs = span.startedNs;
  exchange.startedNs = span.startedNs - length;
}

/** What the wire said first; C#'s number for telemetry never; `session.id` only beside an MCP method. */
function fillSessions(exchange: ExchangeRecord, span: Span, rpc: RpcFacts): void {
  const { attributes, origin } = span;
  exchange.responseSession = headerOf(attributes, ALIASES.responseSession);
  const sent = headerOf(attributes, ALIASES.requestSessionHeader);
  if (sent !== null) {
    exchange.requestSession = sent;
    return;
  }
  if (TELEMETRY_ONLY_SESSION_SCOPES.has(origin.scope)) return;
  const fallback = rpc.method === null ? null : textOf(attributes, ALIASES.sessionFallback);
  const session = textOf(attributes, ALIASES.session) ?? fallback;
  if (session === null) return;
  if (rpc.method === 'initialize') exchange.responseSession ??= session;
  else exchange.requestSession = session;
}

function versionOf({ attributes, origin }: Span): string | null {
  const [sent, ...told] = ALIASES.protocolVersion;
  const version = headerOf(attributes, [sent]);
  if (version !== null) return version;
  return originFacts(origin).hasConstantVersion ? null : textOf(attributes, told);
}

/**
 * Clients name an address. Servers and gateways are named by their service: some of their spans have a path (HTTP) and
 * some have none (MCP), and both are of one endpoint.
 */
function endpointOf(span: Span, http: HttpFacts, vantage: Vantage): string {
  const service = vantage === 'client' ? null : originFacts(span.origin).service;
  if (service !== null) return service;
  return http.origin === '' && http.path === null ? '' : splitTarget(`${http.origin}${http.path ?? ''}`, null).endpoint;
}

/**
 * The instance that served. The resource is that of the process which wrote the span; on a client's span that is the
 * client, and the peer is known only if its address is one (a host name is that of a balancer as often as not).
 */
function instanceOf(span: Span, vantage: Vantage): string | null {
  if (vantage !== 'client') return originFacts(span.origin).instance;
  const peer = textOf(span.attributes, ALIASES.peerAddress);
  const port = integerOf(span.attributes, ALIASES.peerPort);
  return peer === null || !isAddress(peer) ? null : port === null ? peer : `${peer}:${port}`;
}

function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || (text.length < 46 && /^[0-9a-f]*:[0-9a-f:.]+$/i.test(text));
}

/** `10.0.0.7:51234` and `[::1]:443` without the port. */
function addressOf(text: string | null): string | null {
  if (text === null) return null;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed?.[1] !== undefined) return bracketed[1];
  return /^[^:]+:\d+$/.test(text) ? text.slice(0, text.lastIndexOf(':')) : text;
}

/** Credentials as captured; exporters that mask them leave the same mask for everybody. */
function credentialOf(span: Span): string | null {
  const credential = headerOf(span.attributes, ALIASES.principal);
  return credential === null || /^\W*$|redact|filtered|hidden|masked|\*\*\*/i.test(credential) ? null : credential;
}

function clientOf({ attributes }: Span): string | null {
  const name = textOf(attributes, ALIASES.clientName);
  const version = textOf(attributes, ALIASES.clientVersion);
  return name === null || version === null ? name : `${name} ${version}`;
}

function mediaType(header: string | null): string | null {
  return header === null ? null : (header.split(';', 1)[0] ?? '').trim().toLowerCase();
}
