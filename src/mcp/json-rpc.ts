import { canonicalise } from './canonical.js';
import { digest } from './json.js';
import { isObject, type JsonObject, objectAt, ownAt, stringAt } from './json-object.js';
import { jsonSaysSessionLost } from './loss.js';
import { typedId } from './typed-id.js';

/**
 * One JSON-RPC 2.0 message, or something in its place that is none (`invalid`). Place and time are filled in by whoever
 * knows them; one object of one shape for each message, because streams hold many.
 */
export interface RpcMessage {
  ordinal: number;
  sender: 'client' | 'server';
  eventOrdinal: number | null;
  kind: 'request' | 'notification' | 'result' | 'error' | 'invalid';
  /** Typed id as JSON text: `1` is not `"1"`; null: none, or `null` on the wire. */
  rpcId: string | null;
  rpcMethod: string | null;
  /** Tool of `tools/call`. */
  tool: string | null;
  progressToken: string | null;
  progress: number | null;
  /** Of the arguments (`tools/call`) or params of a request, canonical (RFC 8785), without `_meta` and progress token. */
  argumentsDigest: string | null;
  /** Of the whole message, canonical. */
  messageDigest: string | null;
  bytes: number | null;
  errorCode: number | null;
  toolError: boolean;
  lossSignal: boolean;
  /** Typed id that `notifications/cancelled` names. */
  cancels: string | null;
  inputRetry: boolean;
  inputRequired: boolean;
  idempotencyKey: string | null;
  /** Raw task id; empty: the request asks for a task that has no id yet. */
  taskId: string | null;
  resultKeys: string | null;
  protocolVersion: string | null;
  traceId: string | null;
  atNs: bigint | null;
  text: string | null;
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
  const message = noMessage(sender, bytes);
  if (!isObject(value)) {
    message.lossSignal = jsonSaysSessionLost(value);
    return message;
  }
  const canonical = canonicalise(value);
  message.kind = kindOf(value);
  message.bytes = bytes ?? Buffer.byteLength(canonical);
  message.rpcId = typedId(value.id);
  message.messageDigest = digest(canonical);
  if (message.kind === 'request' || message.kind === 'notification') {
    readCall(value, message);
    return message;
  }
  message.lossSignal = jsonSaysSessionLost(value);
  if (message.kind === 'result') readResult(value.result, message);
  if (message.kind === 'error') message.errorCode = int32(ownAt(objectAt(value, 'error'), 'code'));
  return message;
}

function kindOf(value: JsonObject): RpcMessage['kind'] {
  if (value.jsonrpc !== '2.0') return 'invalid';
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && value.id !== null && typedId(value.id) === null) return 'invalid';
  if (typeof value.method === 'string') return hasId && value.id !== null ? 'request' : 'notification';
  if (isObject(value.error)) return 'error';
  return Object.hasOwn(value, 'result') ? 'result' : 'invalid';
}

function readCall(value: JsonObject, message: RpcMessage): void {
  const method = value.method as string;
  const params = objectAt(value, 'params');
  const meta = objectAt(params, '_meta');
  message.rpcMethod = method;
  message.progressToken = typedId(ownAt(meta, 'progressToken'));
  message.taskId = taskOfCall(method, params, meta);
  message.protocolVersion =
    method === 'initialize' ? stringAt(params, 'protocolVersion') : stringAt(meta, META_VERSION);
  message.traceId = traceIdOf(stringAt(meta, 'traceparent'));
  message.idempotencyKey = idempotencyKey(meta);
  message.inputRetry =
    params !== null && (Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState'));
  if (method === 'tools/call') {
    const args = ownAt(params, 'arguments');
    message.tool = stringAt(params, 'name');
    message.argumentsDigest = digest(canonicalise(withoutMeta(args)));
    message.idempotencyKey ??= idempotencyKey(isObject(args) ? args : null);
    return;
  }
  if (message.kind === 'request') message.argumentsDigest = digest(canonicalise(withoutMeta(value.params)));
  if (method === 'notifications/cancelled') message.cancels = typedId(ownAt(params, 'requestId'));
  if (method !== 'notifications/progress') return;
  const progress = ownAt(params, 'progress');
  message.progressToken = typedId(ownAt(params, 'progressToken'));
  message.progress = typeof progress === 'number' ? progress : null;
}

function readResult(value: unknown, message: RpcMessage): void {
  const result = isObject(value) ? value : null;
  const structured = objectAt(result, 'structuredContent');
  message.toolError = ownAt(result, 'isError') === true;
  message.inputRequired = ownAt(result, 'resultType') === 'input_required';
  message.taskId =
    stringAt(objectAt(result, 'task'), 'taskId') ??
    stringAt(objectAt(objectAt(result, '_meta'), RELATED_TASK), 'taskId');
  message.resultKeys = structured === null ? null : Object.keys(structured).sort().join(',');
  const isInitialize = ownAt(result, 'capabilities') !== undefined;
  message.protocolVersion = isInitialize ? stringAt(result, 'protocolVersion') : null;
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

function int32(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MAX_INT32 ? value : null;
}

/** What stands in a message's place and is none, and from which every message is filled in. */
export function noMessage(sender: RpcMessage['sender'], bytes: number | null): RpcMessage {
  return {
    ordinal: 0,
    sender,
    eventOrdinal: null,
    kind: 'invalid',
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
    atNs: null,
    text: null,
  };
}
