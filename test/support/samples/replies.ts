import type { Ending, Reply, SentEvent } from './wire.js';

const JSON_TYPE = 'application/json';

/** An answer in one piece. */
export function json(message: unknown, status = 200): Reply {
  return { status, type: JSON_TYPE, body: JSON.stringify(message), events: null, end: 'complete', tookMs: 20 };
}

/** The result of a tool. */
export function result(id: unknown, text = 'done'): Reply {
  return json(resultMessage(id, text));
}

export function resultMessage(id: unknown, text = 'done'): object {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

/** A JSON-RPC error. `id` is null where the server read no request. */
export function failure(status: number, message: string, code = -32000, id: unknown = null): Reply {
  return json({ jsonrpc: '2.0', error: { code, message }, id }, status);
}

/** A refusal in plain words, without a session id. */
export function refusal(status: number, text: string): Reply {
  return { status, type: 'text/plain', body: text, events: null, end: 'complete', tookMs: 10, session: null };
}

/** 404 as the specification wants it for a session that is no more. */
export function gone(): Reply {
  return { ...failure(404, 'Session not found', -32001), session: null };
}

export function accepted(): Reply {
  return { status: 202, type: null, body: '', events: null, end: 'complete', tookMs: 8 };
}

/** A stream of events. `lastsMs`: its age at its end; without it it ends shortly behind its last event. */
export function stream(events: readonly SentEvent[], end: Ending = 'complete', lastsMs?: number): Reply {
  const spokenMs = events.reduce((sum, { afterMs }) => sum + afterMs, 0);
  return {
    status: 200,
    type: 'text/event-stream',
    body: null,
    events,
    end,
    tookMs: Math.max(lastsMs ?? 0, spokenMs + 30),
  };
}

/** No response at all. */
export function silence(end: Ending, tookMs: number): Reply {
  return { status: null, type: null, body: null, events: null, end, tookMs };
}

/** The next request is sent while this one is still running. */
export function meanwhile(reply: Reply): Reply {
  return { ...reply, meanwhile: true };
}
