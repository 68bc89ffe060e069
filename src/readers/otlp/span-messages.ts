import { announcedTools } from '../../mcp/announcements.js';
import { parseJson } from '../../mcp/json.js';
import { isObject } from '../../mcp/json-object.js';
import { type RpcMessage, readMessages } from '../../mcp/json-rpc.js';
import { saysSessionLost } from '../../mcp/loss.js';
import { type ExchangeRecord, emptyMessage, type MessageRecord, type ToolRecord } from '../record.js';
import { ALIASES } from './attributes.js';
import { errorMessageOf, errorTypeOf } from './end-state.js';
import { firstOf, integerOf, textOf } from './lookup.js';
import { isServerSent, type RpcFacts } from './rpc-facts.js';
import type { AttributeValue, Span } from './span.js';

export interface SpanMessages {
  readonly messages: readonly MessageRecord[];
  readonly tools: readonly ToolRecord[];
}

/**
 * The JSON-RPC messages that a span stands for. Whole messages where the emitter recorded them (Logfire), else the
 * request that the attributes describe and, when the span ended with an answer, that answer.
 */
export function spanMessages(span: Span, rpc: RpcFacts, exchange: ExchangeRecord): SpanMessages {
  const request = bodyOf(span, ALIASES.requestBody);
  if (request !== null) return recordedMessages(span, request, bodyOf(span, ALIASES.responseBody), exchange);
  if (rpc.method === null) return { messages: [], tools: [] };
  const call = callMessage(span, rpc, rpc.method);
  const answer = answerMessage(span, rpc, call, exchange);
  return { messages: answer === null ? [call] : [call, answer], tools: [] };
}

/** Whether the span's error is a tool's own (`isError`), which is an answer. */
export function isToolError(span: Span): boolean {
  return /^tool_?error$/i.test(errorTypeOf(span)?.split('.').at(-1) ?? '');
}

/** Whether an error on the span says that the session is unknown, expired or not initialised. */
export function saysLoss(span: Span): boolean {
  const message = errorMessageOf(span);
  return message !== null && saysSessionLost(message);
}

function callMessage(span: Span, rpc: RpcFacts, method: string): MessageRecord {
  const sender = isServerSent(method) ? 'server' : 'client';
  const call = emptyMessage(0, sender, method.startsWith('notifications/') ? 'notification' : 'request');
  call.rpcId = rpc.id;
  call.rpcMethod = method;
  call.tool = rpc.tool;
  call.traceId = span.traceId;
  call.atNs = span.startedNs;
  const args = argumentsOf(span);
  if (method === 'tools/call' && args !== undefined) {
    const params = { name: rpc.tool, arguments: args };
    const [described] = readMessages({ jsonrpc: '2.0', id: 0, method, params }, 'client', null);
    call.argumentsDigest = described?.argumentsDigest ?? null;
    call.idempotencyKey = described?.idempotencyKey ?? null;
  }
  return call;
}

function answerMessage(
  span: Span,
  rpc: RpcFacts,
  call: MessageRecord,
  { endState, status }: ExchangeRecord,
): MessageRecord | null {
  if (call.kind !== 'request') return null;
  const code = integerOf(span.attributes, ALIASES.rpcCode);
  const isError = code !== null && code !== 0;
  if (endState !== 'complete' && !isError) return null;
  // Refused by HTTP: what was answered, if anything, is no result.
  if (status !== null && (status < 200 || status > 299) && !isError) return null;
  const failed = span.failed || errorTypeOf(span) !== null;
  const kind = isError || (failed && !isToolError(span)) ? 'error' : 'result';
  const answer = emptyMessage(1, call.sender === 'client' ? 'server' : 'client', kind);
  answer.rpcId = rpc.id;
  answer.errorCode = isError ? code : null;
  answer.toolError = kind === 'result' && isToolError(span);
  answer.lossSignal = kind === 'error' && saysLoss(span);
  answer.atNs = span.endedNs;
  return answer;
}

function recordedMessages(span: Span, request: unknown, response: unknown, exchange: ExchangeRecord): SpanMessages {
  const calls = readMessages(request, 'client', null);
  const answers = response === null ? [] : readMessages(response, 'server', null);
  exchange.sawRequestBody = true;
  exchange.sawResponseBody = response !== null;
  const first = calls.find((message) => message.rpcMethod !== null);
  exchange.rpcMethod = first?.rpcMethod ?? exchange.rpcMethod;
  exchange.rpcId = first?.rpcId ?? exchange.rpcId;
  exchange.tool = first?.tool ?? exchange.tool;
  const messages = [...calls, ...answers].map((message, ordinal) =>
    toRecord(message, ordinal, message.sender === 'client' ? span.startedNs : span.endedNs),
  );
  return { messages, tools: announcedTools(response) };
}

function toRecord(message: RpcMessage, ordinal: number, atNs: bigint | null): MessageRecord {
  return { ...message, ordinal, eventOrdinal: null, atNs, text: null };
}

/** A JSON-RPC message (or batch) that an emitter recorded as text; null: none. */
function bodyOf(span: Span, keys: readonly string[]): unknown {
  const text = textOf(span.attributes, keys);
  if (text === null || !text.includes('"jsonrpc"')) return null;
  const parsed = parseJson(text);
  return parsed.ok && typeof parsed.value === 'object' ? parsed.value : null;
}

/** Arguments of a tool call, parsed; undefined: not recorded, or not as JSON. */
function argumentsOf(span: Span): unknown {
  const raw = firstOf(span.attributes, ALIASES.arguments);
  if (raw === undefined) return undefined;
  if (typeof raw !== 'string') return plain(raw);
  const parsed = parseJson(raw);
  if (!parsed.ok) return undefined;
  const { value } = parsed;
  // OpenLLMetry records the call around the arguments.
  if (isObject(value) && 'tool_name' in value && isObject(value.arguments)) return value.arguments;
  return value;
}

/** Integers beyond doubles as the doubles that JSON makes of them. */
function plain(value: AttributeValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value as { readonly [key: string]: AttributeValue }).map(([k, v]) => [k, plain(v)]),
  );
}
