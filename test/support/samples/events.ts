import { resultMessage } from './replies.js';
import type { SentEvent } from './wire.js';

/** Any message as an event. */
export function event(id: string | null, message: unknown, afterMs = 100): SentEvent {
  return { ...(id === null ? {} : { id }), data: JSON.stringify(message), afterMs };
}

/** A log message of the server. */
export function notice(id: string | null, text: string, afterMs = 100): SentEvent {
  return event(id, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } }, afterMs);
}

export function progress(id: string | null, token: string, value: number, afterMs = 100): SentEvent {
  const params = { progressToken: token, progress: value };
  return event(id, { jsonrpc: '2.0', method: 'notifications/progress', params }, afterMs);
}

/** The answer to a request, as an event. */
export function answer(id: string | null, rpcId: unknown, text = 'done', afterMs = 100): SentEvent {
  return event(id, resultMessage(rpcId, text), afterMs);
}

/** An id without data, sent so that the client has a position from the start. */
export function prime(id: string, retryMs?: number): SentEvent {
  return { id, data: '', afterMs: 20, ...(retryMs === undefined ? {} : { retryMs }) };
}

export function cutMidFrame(sent: SentEvent): SentEvent {
  return { ...sent, partial: true };
}
