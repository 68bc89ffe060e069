import type { Tape } from './tape.js';
import type { Ending, Exchange, SentEvent } from './wire.js';

interface Header {
  readonly name: string;
  readonly value: string;
}

const FAILURES: Readonly<Record<Ending, string | null>> = {
  complete: null,
  open: null,
  cut: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING',
  aborted: 'net::ERR_ABORTED',
  'timed-out': 'net::ERR_TIMED_OUT',
};

/** The tape as the developer tools of a browser export it. */
export function har(tape: Tape): string {
  const entries = [...tape.exchanges].sort((a, b) => a.startMs - b.startMs).map(entry);
  const log = { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function entry(exchange: Exchange): object {
  const { ask, reply, startMs, endMs } = exchange;
  const told = messages(exchange);
  const body = ask.message === undefined ? null : ask.message === null ? '' : JSON.stringify(ask.message);
  return {
    _connectionId: String(ask.party.connection),
    ...(told.length === 0 ? {} : { _eventSourceMessages: told }),
    request: {
      method: ask.method,
      url: 'https://mcp.example.test/mcp',
      httpVersion: 'h2',
      headers: requestHeaders(exchange),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: body?.length ?? 0,
      ...(body === null ? {} : { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: reply.status ?? 0,
      statusText: '',
      httpVersion: 'h2',
      headers: headers([
        ['content-type', reply.type],
        ['mcp-session-id', reply.status === null ? null : exchange.answeredSession],
      ]),
      cookies: [],
      content: content(exchange),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _error: FAILURES[reply.end],
    },
    startedDateTime: new Date(startMs).toISOString(),
    time: endMs - startMs,
    timings: { blocked: 0, dns: -1, ssl: -1, connect: -1, send: 0, wait: 5, receive: endMs - startMs - 5 },
  };
}

function requestHeaders({ ask }: Exchange): Header[] {
  const isInitialize = JSON.stringify(ask.message ?? null).includes('"initialize"');
  return headers([
    ['accept', ask.method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'],
    ['authorization', ask.party.authorization],
    ['user-agent', ask.party.userAgent],
    ['mcp-protocol-version', isInitialize ? null : ask.version],
    ['mcp-session-id', ask.session],
    ['last-event-id', ask.cursor ?? null],
  ]);
}

function headers(all: readonly (readonly [string, string | null])[]): Header[] {
  return all.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

/** A browser keeps the text of what ended well; of what failed it keeps the events alone, unless one was cut in its middle. */
function content({ reply }: Exchange): object {
  const mimeType = reply.type ?? 'x-unknown';
  const text = reply.events === null ? (reply.body ?? '') : reply.events.map(frame).join('');
  const isWhole = reply.events === null || reply.end === 'complete' || reply.events.some(({ partial }) => partial);
  const isKept = isWhole && reply.status !== null && reply.unrecorded !== true;
  return { size: text.length, mimeType, ...(isKept ? { text } : {}) };
}

function frame({ id, data, retryMs, partial }: SentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    `data: ${data}`,
  ];
  return partial ? lines.join('\n').slice(0, -8) : `${lines.join('\n')}\n\n`;
}

function messages({ startMs, reply }: Exchange): object[] {
  const events = reply.events ?? [];
  if (reply.unrecorded || events.some(({ partial }) => partial)) return [];
  let atMs = startMs;
  let cursor = '';
  return events.map(({ id, data, afterMs }) => {
    atMs += afterMs;
    cursor = id ?? cursor;
    return { time: atMs / 1000, eventName: 'message', eventId: cursor, data };
  });
}
