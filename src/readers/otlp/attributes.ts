/**
 * Under which names emitters write the same thing, the first present one wins.
 * Standard: semantic-conventions-genai `docs/gen-ai/mcp.md`, semantic conventions for HTTP; the rest are what
 * gateways, older SDKs and instrumentations write in their place.
 */
export const ALIASES = {
  /** What the wire said comes before what an emitter says about it. */
  requestSessionHeader: ['http.request.header.mcp-session-id'],
  session: ['mcp.session.id', 'mcp.session_id', 'mcp-session-id', 'mcp_session_id'],
  /** Means other things elsewhere: only on a span that names an MCP method. */
  sessionFallback: ['session.id'],
  responseSession: ['http.response.header.mcp-session-id'],
  lastEventId: ['http.request.header.last-event-id'],
  protocolVersion: ['http.request.header.mcp-protocol-version', 'mcp.protocol.version', 'mcp.protocol_version'],
  rpcMethod: ['mcp.method.name', 'mcp.method', 'rpc.method', 'http.request.header.mcp-method'],
  rpcId: ['jsonrpc.request.id', 'mcp.request.id', 'rpc.jsonrpc.request_id'],
  tool: ['gen_ai.tool.name', 'mcp.tool.name', 'traceloop.entity.name', 'tool.name'],
  arguments: ['gen_ai.tool.call.arguments', 'mcp.tool.arguments', 'traceloop.entity.input'],
  rpcCode: ['rpc.response.status_code', 'mcp.error.code', 'rpc.jsonrpc.error_code'],
  errorMessage: ['mcp.error.message', 'rpc.jsonrpc.error_message', 'error.message', 'exception.message'],
  errorType: ['error.type', 'exception.type'],
  requestBody: ['request'],
  responseBody: ['response'],
  status: ['http.response.status_code', 'http.status_code', 'http.status'],
  httpMethod: ['http.request.method', 'http.method'],
  url: ['url.full', 'http.url'],
  path: ['url.path', 'http.path', 'http.target', 'http.route'],
  query: ['url.query'],
  host: ['server.address', 'http.host', 'net.host.name', 'net.peer.name', 'http.server_name'],
  port: ['server.port', 'net.host.port', 'net.peer.port'],
  peerAddress: ['network.peer.address', 'net.sock.peer.addr', 'net.peer.ip'],
  peerPort: ['network.peer.port', 'net.sock.peer.port'],
  client: ['client.address', 'http.client_ip', 'src.addr'],
  userAgent: ['user_agent.original', 'http.user_agent', 'user_agent', 'http.request.header.user-agent'],
  principal: ['http.request.header.authorization', 'http.request.header.cookie'],
  requestId: ['http.request.header.x-request-id', 'guid:x-request-id', 'request.id'],
  requestBytes: ['http.request.body.size', 'http.request_content_length', 'request_size'],
  responseBytes: ['http.response.body.size', 'http.response_content_length', 'response_size'],
  requestType: ['http.request.header.content-type'],
  responseType: ['http.response.header.content-type'],
  toolHeader: ['http.request.header.mcp-name'],
  responseFlags: ['response_flags'],
  duration: ['duration'],
  clientName: ['mcp.client.name'],
  clientVersion: ['mcp.client.version'],
  /** Kind of the span where a format has no field for it (Jaeger). */
  spanKind: ['span.kind'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Resource attributes that name the instance which wrote the span, the most telling first. */
export const INSTANCE_ATTRIBUTES = ['service.instance.id', 'k8s.pod.name', 'host.name', 'container.id'] as const;

/** Attributes that only decide something by being there. */
const MARKS = ['rpc.system', 'component', 'service.name', 'asgi.event.type'];

/** What formats without fields of their own (Jaeger, Zipkin) put into attributes (OpenTelemetry's mappings). */
const MAPPED = ['otel.status_code', 'otel.status_description', 'otel.scope.name', 'otel.library.name', 'error'];

/** Scope of the C# SDK: its `mcp.session.id` is a number of the peer in telemetry, never the header. */
export const TELEMETRY_ONLY_SESSION_SCOPES: ReadonlySet<string> = new Set(['Experimental.ModelContextProtocol']);

/** Scopes that write a constant in place of the negotiated protocol version. */
export const CONSTANT_VERSION_SCOPES: readonly RegExp[] = [/ai-gateway/i];

/** Instrumentation scopes (or, without one, services) of programs that stand between client and server. */
export const GATEWAY_NAMES: readonly RegExp[] = [
  /agentgateway/i,
  /ai-gateway/i,
  /envoy/i,
  /toolhive/i,
  /mcp-?gateway/i,
  /context-?forge/i,
  /^(kong|traefik|nginx|haproxy|apisix|istio)/i,
];

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(ALIASES).flat(),
  ...INSTANCE_ATTRIBUTES,
  ...MARKS,
  ...MAPPED,
]);

const HEADER_KEY = /^http\.(request|response)\.header\./;

/**
 * The key under which an attribute is kept: lower case, header names with dashes (older instrumentations wrote
 * underscores). null: nothing here reads it.
 */
export function attributeKey(raw: string): string | null {
  if (KNOWN.has(raw)) return raw;
  const cached = keyCache.get(raw);
  if (cached !== undefined) return cached;
  const lower = raw.toLowerCase();
  const key = HEADER_KEY.test(lower) ? lower.replaceAll('_', '-') : lower;
  const kept = KNOWN.has(key) ? key : null;
  if (keyCache.size < MAX_CACHED_KEYS && raw.length < 256) keyCache.set(raw, kept);
  return kept;
}

const MAX_CACHED_KEYS = 4096;
const keyCache = new Map<string, string | null>();

/** Keys whose values can decide that a span is of MCP; other keys decide by being there. */
const DECIDING_VALUES: ReadonlySet<string> = new Set([
  ...ALIASES.url,
  ...ALIASES.path,
  'rpc.system',
  'otel.scope.name',
  'otel.library.name',
]);

/** What a key tells before its value is read: of MCP by itself, by its value perhaps, or not. */
export type KeyBearing = 'mcp' | 'value' | 'none';

/** Bearing of an attribute's key as written; what it says of MCP includes every mark that the byte search knows. */
export function keyBearing(raw: string): KeyBearing {
  const cached = bearingCache.get(raw);
  if (cached !== undefined) return cached;
  const bearing = NAMES_MCP.test(raw) ? 'mcp' : DECIDING_VALUES.has(attributeKey(raw) ?? '') ? 'value' : 'none';
  if (bearingCache.size < MAX_CACHED_KEYS && raw.length < 256) bearingCache.set(raw, bearing);
  return bearing;
}

const NAMES_MCP = /mcp|jsonrpc/i;
const bearingCache = new Map<string, KeyBearing>();
