import { parseJson } from '../mcp/json.js';
import { isObject, ownAt } from '../mcp/json-object.js';
import { type CapturedHttp, header } from './captured-http.js';
import { splitTarget } from './endpoint.js';

/** Headers that only MCP sends. */
const MCP_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** How much of a body is looked at for JSON-RPC. */
const LOOKED_AT = 65_536;

/**
 * Tells MCP exchanges from other traffic of the same capture. A marker (header, JSON-RPC body, SSE that carries
 * JSON-RPC) makes an exchange MCP; its endpoint is remembered, and then a bare `GET /mcp` answered 405 or a POST
 * without an answer counts too. CORS preflights never count.
 */
export class McpFilter {
  readonly #endpoints = new Set<string>();
  /** What `learn` found: bodies are searched once. */
  readonly #marked = new WeakMap<CapturedHttp, boolean>();

  /** Whether the exchange is MCP as far as is known so far. Feed every exchange through `learn` first for certainty. */
  accepts(http: CapturedHttp): boolean {
    if (isPreflight(http)) return false;
    if (this.learn(http)) return true;
    return isMcpMethod(http.method) && this.#endpoints.has(endpointOf(http));
  }

  /** Remembers the endpoint of an exchange that carries a marker; says whether it does. */
  learn(http: CapturedHttp): boolean {
    let marked = this.#marked.get(http);
    if (marked === undefined) {
      marked = isMcp(http);
      this.#marked.set(http, marked);
      if (marked) this.#endpoints.add(endpointOf(http));
    }
    return marked;
  }
}

/** Whether the exchange by itself shows that it is MCP over Streamable HTTP. */
export function isMcp(http: CapturedHttp): boolean {
  if (isPreflight(http)) return false;
  for (const name of MCP_HEADERS) {
    if (http.requestHeaders?.has(name) || http.responseHeaders?.has(name)) return true;
  }
  if (http.requestBody !== null && isMcpJson(asText(http.requestBody))) return true;
  if (http.recordedEvents?.some((event) => event.data !== null && isMcpJson(event.data))) return true;
  if (http.responseBody === null || !mayHoldJsonRpc(http.responseBody)) return false;
  const body = asText(http.responseBody);
  return isMcpJson(body) || isMcpStream(body);
}

/** CORS preflights are the browser's own. */
export function isPreflight(http: CapturedHttp): boolean {
  return http.method?.toUpperCase() === 'OPTIONS';
}

function isMcpMethod(method: string | null): boolean {
  return method === null || /^(?:get|post|delete)$/i.test(method);
}

function endpointOf(http: CapturedHttp): string {
  return splitTarget(http.url, header(http.requestHeaders, 'host')).endpoint;
}

/** JSON-RPC 2.0 with a method as MCP names them, or an answer as MCP servers give them; language servers and chains fall through. */
function isMcpJson(text: string): boolean {
  if (!text.includes('"jsonrpc"')) return false;
  if (text.length === LOOKED_AT) return /^\s*[[{]/.test(text) && /"jsonrpc"\s*:\s*"2\.0"/.test(text);
  const parsed = parseJson(text);
  if (!parsed.ok) return false;
  const messages = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return messages.some(isMcpMessage);
}

function isMcpMessage(message: unknown): boolean {
  if (!isObject(message) || message.jsonrpc !== '2.0') return false;
  const method = ownAt(message, 'method');
  if (typeof method !== 'string') return Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
  return !/^(?:eth|net|web3|textDocument|workspace|\$)[_/]/.test(method);
}

function isMcpStream(text: string): boolean {
  return /^(?:\uFEFF)?(?:id|event|data|retry|:)/.test(text) && /^data: ?[[{].{0,200}"jsonrpc"\s*:\s*"2\.0"/m.test(text);
}

/** Bytes are searched before they are made text: most bodies kept as bytes are images. */
function mayHoldJsonRpc(body: string | Uint8Array): boolean {
  return typeof body === 'string' || headOf(body).includes('"jsonrpc"');
}

function headOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, LOOKED_AT));
}

function asText(body: string | Uint8Array): string {
  if (typeof body === 'string') return body.slice(0, LOOKED_AT);
  return headOf(body).toString('utf8');
}
