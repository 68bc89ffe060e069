import { canonicalise, digest } from './json.js';
import { isObject, type JsonObject, objectAt, ownAt, stringAt } from './json-object.js';
import { jsonSaysSessionLost } from './loss.js';
import { typedId } from './typed-id.js';

/** One JSON-RPC 2.0 message, or something in its place that is none (`invalid`). */
export interface RpcMessage {
  readonly sender: 'client' | 'server';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'invalid';
  /** Typed id as JSON text: `1` is not `"1"`; null: none, or `null` on the wire. */
  readonly rpcId: string | null;
  readonly rpcMethod: string | null;
  /** Tool of `tools/call`. */
  readonly tool: string | null;
  readonly progressToken: string | null;
  readonly progress: number | null;
  /** Of the arguments (`tools/call`) or params, canonical (RFC 8785), without `_meta` and progress token. */
  readonly argumentsDigest: string | null;
  /** Of the whole message, canonical. */
  readonly messageDigest: string | null;
  readonly bytes: number | null;
  readonly errorCode: number | null;
  readonly toolError: boolean;
  readonly lossSignal: boolean;
  /** Typed id that `notifications/cancelled` names. */
  readonly cancels: string | null;
  readonly inputRetry: boolean;
  readonly inputRequired: boolean;
  readonly idempotencyKey: string | null;
  /** Raw task id; empty: the request asks for a task that has no id yet. */
  readonly taskId: string | null;
  readonly resultKeys: string | null;
  readonly protocolVersion: string | null;
  readonly traceId: string | null;
}

const RELATED_TASK = 'io.modelcontextprotocol/related-task';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const MAX_INT32 = 2_147_483_647;

/**
 * Reads the JSON-RPC messages of a parsed JSON value: one, or a batch (2025-03-26). What is no message is `invalid`.
 * `bytes`: UTF-8 length of the JSON text. Never throws on values from `parseJson`.
 */
export function readMessages(value: unknown, sender: RpcMessage['sender'], bytes: number | null): RpcMessage[] {
  if (!Array.isArray(value)) return [readMessage(value, sender, bytes)];
  return value.map((item) => readMessage(item, sender, null));
}

function readMessage(value: unknown, sender: RpcMessage['sender'], bytes: number | null): RpcMessage {
  if (!isObject(value)) return { ...blank(sender, 'invalid', bytes), lossSignal: jsonSaysSessionLost(value) };
  const canonical = canonicalise(value);
  const size = bytes ?? Buffer.byteLength(canonical);
  const kind = kindOf(value);
  const message: RpcMessage = {
    ...blank(sender, kind, size),
    rpcId: typedId(value.id),
    messageDigest: digest(canonical),
    lossSignal: kind !== 'request' && kind !== 'notification' && jsonSaysSessionLost(value),
  };
  if (kind === 'request' || kind === 'notification') return { ...message, ...readCall(value) };
  if (kind === 'result') return { ...message, ...readResult(value.result) };
  return kind === 'error' ? { ...message, errorCode: int32(ownAt(objectAt(value, 'error'), 'code')) } : message;
}

function kindOf(value: JsonObject): RpcMessage['kind'] {
  if (value.jsonrpc !== '2.0') return 'invalid';
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && value.id !== null && typedId(value.id) === null) return 'invalid';
  if (typeof value.method === 'string') return hasId && value.id !== null ? 'request' : 'notification';
  if (isObject(value.error)) return 'error';
  return Object.hasOwn(value, 'result') ? 'result' : 'invalid';
}

function readCall(value: JsonObject): Partial<RpcMessage> {
  const method = value.method as string;
  const params = objectAt(value, 'params');
  const meta = objectAt(params, '_meta');
  const isToolCall = method === 'tools/call';
  const args = isToolCall ? ownAt(params, 'arguments') : value.params;
  const isProgress = method === 'notifications/progress';
  const progress = ownAt(params, 'progress');
  return {
    rpcMethod: method,
    tool: isToolCall ? stringAt(params, 'name') : null,
    progressToken: typedId(isProgress ? ownAt(params, 'progressToken') : ownAt(meta, 'progressToken')),
    progress: isProgress && typeof progress === 'number' ? progress : null,
    argumentsDigest: digest(canonicalise(withoutMeta(args))),
    cancels: method === 'notifications/cancelled' ? typedId(ownAt(params, 'requestId')) : null,
    inputRetry: params !== null && (Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState')),
    idempotencyKey: idempotencyKey(meta) ?? idempotencyKey(isToolCall && isObject(args) ? args : null),
    taskId: taskOfCall(method, params, meta),
    protocolVersion: method === 'initialize' ? stringAt(params, 'protocolVersion') : stringAt(meta, META_VERSION),
    traceId: traceIdOf(stringAt(meta, 'traceparent')),
  };
}

function readResult(value: unknown): Partial<RpcMessage> {
  const result = isObject(value) ? value : null;
  const structured = objectAt(result, 'structuredContent');
  const isInitialize = Object.hasOwn(result ?? {}, 'protocolVersion') && Object.hasOwn(result ?? {}, 'capabilities');
  return {
    toolError: ownAt(result, 'isError') === true,
    inputRequired: ownAt(result, 'resultType') === 'input_required',
    taskId:
      stringAt(objectAt(result, 'task'), 'taskId') ??
      stringAt(objectAt(objectAt(result, '_meta'), RELATED_TASK), 'taskId'),
    resultKeys: structured === null ? null : Object.keys(structured).sort().join(','),
    protocolVersion: isInitialize ? stringAt(result, 'protocolVersion') : null,
  };
}

function taskOfCall(method: string, params: JsonObject | null, meta: JsonObject | null): string | null {
  const related = stringAt(objectAt(meta, RELATED_TASK), 'taskId');
  if (related !== null) return related;
  if (method.startsWith('tasks/') || method.startsWith('notifications/tasks')) return stringAt(params, 'taskId');
  return objectAt(params, 'task') === null ? null : '';
}

/** Arguments as they are compared: what a retry changes by design is left out; none are as good as empty ones. */
function withoutMeta(args: unknown): unknown {
  if (args === undefined || args === null) return {};
  if (!isObject(args) || !(Object.hasOwn(args, '_meta') || Object.hasOwn(args, 'progressToken'))) return args;
  const { _meta, progressToken, ...rest } = args;
  return rest;
}

/** Digest of the value under a key that is called idempotency key, in whatever spelling; null: none. */
export function idempotencyKey(holder: JsonObject | null): string | null {
  if (holder === null) return null;
  for (const key of Object.keys(holder)) {
    if (key.length > 80 || !/idempotency[-_. ]?(?:key|token|id)$/i.test(key)) continue;
    const value = holder[key];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return digest(JSON.stringify(value));
  }
  return null;
}

/** Trace id of a W3C `traceparent`; null: none, or the invalid all-zero one. */
export function traceIdOf(traceparent: string | null): string | null {
  return traceparentOf(traceparent)?.traceId ?? null;
}

/** Trace id and parent id of a W3C `traceparent` (Trace Context, section 3.2), in lower case. */
export function traceparentOf(traceparent: string | null): { traceId: string; spanId: string } | null {
  if (traceparent === null) return null;
  const parts = /^\s*[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})(?:-|\s*$)/i.exec(traceparent);
  if (parts === null || /^0+$/.test(parts[1]!)) return null;
  return { traceId: parts[1]!.toLowerCase(), spanId: parts[2]!.toLowerCase() };
}

/** What stands for text in a message's place that is no JSON at all. */
export function noMessage(sender: RpcMessage['sender'], bytes: number | null): RpcMessage {
  return blank(sender, 'invalid', bytes);
}

function int32(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INT32 ? value : null;
}

function blank(sender: RpcMessage['sender'], kind: RpcMessage['kind'], bytes: number | null): RpcMessage {
  return {
    sender,
    kind,
    rpcId: null,
    rpcMethod: null,
    tool: null,
    progressToken: null,
    progress: null,
    argumentsDigest: null,
    messageDigest: null,
    bytes,
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
  };
}
