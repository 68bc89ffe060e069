import type { Vantage } from '../record.js';
import { ALIASES } from './attributes.js';
import { type HttpFacts, isMcpPath } from './http-facts.js';
import { originFacts } from './origin.js';
import { isServerSent, type RpcFacts } from './rpc-facts.js';
import type { Span } from './span.js';

/** Paths known to be endpoints, whatever they are called. */
export type Endpoints = ReadonlySet<string>;

const SESSION_KEYS = [...ALIASES.session, ...ALIASES.requestSessionHeader, ...ALIASES.responseSession];
const HEADER_KEYS = [
  ...ALIASES.requestSessionHeader,
  ...ALIASES.responseSession,
  'http.request.header.mcp-protocol-version',
  'http.request.header.mcp-method',
];
/** Attributes that only MCP has. */
const MCP_KEYS = [
  ...HEADER_KEYS,
  ...ALIASES.session,
  'mcp.method.name',
  'mcp.method',
  'mcp.request.id',
  'mcp.tool.name',
];

/**
 * Whether a span tells of an MCP exchange. A method name alone is no proof (`initialize` is of the Language Server
 * Protocol too, `tasks/list` of many): something else on the span or its scope has to say MCP or JSON-RPC.
 */
export function isMcpSpan(span: Span, rpc: RpcFacts, http: HttpFacts, endpoints: Endpoints): boolean {
  if (http.method === 'OPTIONS') return false;
  if (rpc.method !== null && (hasMcpMark(span) || (rpc.method.includes('/') && isJsonRpc(span)))) return true;
  const isHttp = http.method !== null && span.kind !== 'internal' && !span.attributes.has('asgi.event.type');
  if (HEADER_KEYS.some((key) => span.attributes.has(key))) return true;
  if (SESSION_KEYS.some((key) => span.attributes.has(key))) return isHttp || span.kind !== 'internal';
  return isHttp && http.path !== null && (isMcpPath(http.path) || endpoints.has(http.path));
}

/** Whether the path of an MCP span is proven to be an endpoint: the span names a method or a session itself. */
export function provesEndpoint(span: Span, rpc: RpcFacts, http: HttpFacts): boolean {
  if (http.path === null || http.path === '/') return false;
  return rpc.method !== null || SESSION_KEYS.some((key) => span.attributes.has(key));
}

/** Where the span was written: gateways are known by their scope, everything else by the kind of the span. */
export function vantageOf(span: Span, rpc: RpcFacts): Vantage {
  if (isGateway(span)) return 'proxy';
  const flips = rpc.method !== null && isServerSent(rpc.method);
  switch (span.kind) {
    case 'server':
    case 'consumer':
      return flips ? 'client' : 'server';
    case 'client':
    case 'producer':
      return flips ? 'server' : 'client';
    default:
      return rpc.side ?? 'unknown';
  }
}

function isGateway(span: Span): boolean {
  if (span.attributes.get('component') === 'proxy') return true;
  return originFacts(span.origin).isGateway;
}

function hasMcpMark(span: Span): boolean {
  return (
    MCP_KEYS.some((key) => span.attributes.has(key)) ||
    originFacts(span.origin).isMcpScope ||
    span.name.includes('MCP ')
  );
}

function isJsonRpc(span: Span): boolean {
  if (span.attributes.has('jsonrpc.request.id')) return true;
  const system = span.attributes.get('rpc.system');
  return system === 'jsonrpc' || system === 'mcp';
}
