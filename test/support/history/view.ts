import type { Seen } from './seen.js';
import { readMessages } from './text.js';
import { firstMessage, routingHeaders, type WireExchange, type WireHistory } from './wire.js';

function outside(x: WireExchange, index: number): Seen {
  return {
    index,
    startMs: x.startMs,
    endMs: x.endMs,
    httpMethod: x.httpMethod,
    status: x.status,
    requestSession: x.requestSession,
    responseSession: x.responseSession,
    lastEventId: x.lastEventId,
    protocolVersion: x.protocolVersion,
    stream: x.stream,
    end: 'unknown',
    client: String(x.identity.connection),
    userAgent: null,
    principal: null,
    backends: x.backends.map((one) => one.address),
    backendStatuses: x.backends.map((one) => one.status),
    sawRequestBody: false,
    sawAnswer: false,
    events: [],
    partialId: null,
    sent: [],
    received: [],
    method: null,
    lossInBody: false,
    streamHeld: false,
    tools: new Map(),
  };
}

const finished = (history: WireHistory): WireExchange[] =>
  history.exchanges.filter((x) => x.endMs !== null).sort((a, b) => a.startMs - b.startMs);

/** A log knows headers, statuses, times and instances; the method only in the revision that has a header for it. */
export function seenInLog(history: WireHistory): Seen[] {
  return finished(history).map((x, index) => ({
    ...outside(x, index),
    end: x.end === 'truncated' ? 'truncated' : 'unknown',
    method: routingHeaders(x).method,
  }));
}

/** Spans know the method and the tool besides, and clients by address. */
export function seenInSpans(history: WireHistory): Seen[] {
  return finished(history).map((x, index) => {
    const message = (x.status ?? 500) < 400 ? firstMessage(x) : null;
    const call = message === null ? [] : readMessages(JSON.stringify({ ...message, jsonrpc: '2.0' }), 'client', null);
    return {
      ...outside(x, index),
      // A span tells neither the media type nor the tries of a proxy before it.
      stream: false,
      backends: x.backends.slice(-1).map((one) => one.address),
      client: x.identity.address,
      userAgent: x.identity.userAgent,
      method: message?.method ?? null,
      sent: call.map((one) => ({ ...one, arguments: null, progressToken: null, cancels: null })),
    };
  });
}
