import { ALIASES } from './attributes.js';
import { headerOf, textOf } from './lookup.js';
import type { Span } from './span.js';

/** The JSON-RPC request that a span tells of. */
export interface RpcFacts {
  readonly method: string | null;
  /** Typed, as JSON text. Attributes are text: digits are taken for a number, which is what nearly all clients send. */
  readonly id: string | null;
  readonly tool: string | null;
  /** Which side the span's name says it was written on. */
  readonly side: 'client' | 'server' | null;
}

const MCP_METHOD =
  /^(?:initialize|ping|(?:tools|resources|prompts|notifications|tasks|completion|logging|sampling|elicitation|roots|server|subscriptions)\/[A-Za-z_]+(?:\/[A-Za-z_]+)*)$/;

/** Requests and notifications that a server sends to its client. */
const SERVER_SENT: ReadonlySet<string> = new Set([
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'notifications/message',
  'notifications/elicitation/complete',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/tasks/status',
  'notifications/subscriptions/acknowledged',
]);

/** Whether `text` is a method name of MCP. */
export function isMcpMethod(text: string): boolean {
  const known = methods.get(text);
  if (known !== undefined) return known;
  const is = MCP_METHOD.test(text);
  if (methods.size < 1024 && text.length < 64) methods.set(text, is);
  return is;
}

const methods = new Map<string, boolean>();

/** Whether only servers send `method`. */
export function isServerSent(method: string): boolean {
  return SERVER_SENT.has(method);
}

/** What a span says of a JSON-RPC request, by its attributes first and by its name else. */
export function rpcFacts(span: Span): RpcFacts {
  const { attributes } = span;
  const named = fromName(span.name);
  const said = textOf(attributes, ALIASES.rpcMethod);
  const method = said !== null && (isMcpMethod(said) || hasMcpMethodKey(span)) ? said : named.method;
  const id = textOf(attributes, ALIASES.rpcId);
  return { method, id: id === null ? null : typedId(id), tool: toolOf(span, method, named.target), side: named.side };
}

/** An id as text, typed: `5` for digits, `"a5"` else. */
export function typedId(text: string): string {
  return /^-?(?:0|[1-9]\d{0,15})$/.test(text) ? text : JSON.stringify(text);
}

/** `mcp.method.name` is of MCP whatever it names; `rpc.method` is only when it names a method of MCP. */
function hasMcpMethodKey(span: Span): boolean {
  return span.attributes.has('mcp.method.name') || span.attributes.has('mcp.method');
}

function toolOf(span: Span, method: string | null, target: string | null): string | null {
  if (method !== 'tools/call') return null;
  const tool = textOf(span.attributes, ALIASES.tool) ?? headerOf(span.attributes, ALIASES.toolHeader);
  return tool === null ? target : decodeSentinel(tool);
}

/** Header values outside ASCII are sent as `=?base64?…?=` (2026-07-28). */
function decodeSentinel(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value);
  return encoded?.[1] === undefined ? value : Buffer.from(encoded[1], 'base64').toString('utf8');
}

interface NameFacts {
  readonly method: string | null;
  readonly target: string | null;
  readonly side: RpcFacts['side'];
}

const NO_NAME: NameFacts = { method: null, target: null, side: null };

/** What emitters put in front of the method, and the side on which they do. */
const PREFIXES: readonly (readonly [string, RpcFacts['side']])[] = [
  ['MCP send ', 'client'],
  ['MCP request: ', 'client'],
  ['MCP server handle request: ', 'server'],
  ['MCP server handle notification: ', 'server'],
  ['mcp.', null],
];

function fromName(name: string): NameFacts {
  if (name.length > 1024) return NO_NAME;
  if (name.endsWith('.tool')) return { method: 'tools/call', target: name.slice(0, -'.tool'.length), side: null };
  const bare = name.endsWith('.mcp') ? name.slice(0, -'.mcp'.length) : name;
  const prefix = PREFIXES.find(([text]) => bare.startsWith(text));
  const rest = prefix === undefined ? bare : bare.slice(prefix[0].length);
  const space = rest.indexOf(' ');
  const method = space < 0 ? rest : rest.slice(0, space);
  if (!isMcpMethod(method)) return NO_NAME;
  const target = space < 0 ? '' : rest.slice(space + 1).trim();
  return { method, target: target === '' ? null : target, side: prefix?.[1] ?? null };
}
