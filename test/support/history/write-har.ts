import { pathOf, routingHeaders, type WireEvent, type WireExchange, type WireHistory } from './wire.js';

interface Named {
  name: string;
  value: string;
}

/** One event as it stands on the wire. */
export function frame(event: WireEvent): string {
  const lines: string[] = [];
  if (event.type !== null) lines.push(`event: ${event.type}`);
  if (event.id !== null) lines.push(`id: ${event.id}`);
  if (event.retryMs !== null) lines.push(`retry: ${event.retryMs}`);
  lines.push(`data: ${event.data}`);
  const whole = `${lines.join('\n')}\n\n`;
  return event.partial ? whole.slice(0, -8) : whole;
}

const present = (list: readonly (Named | null)[]): Named[] => list.filter((item): item is Named => item !== null);
const header = (name: string, value: string | null): Named | null => (value === null ? null : { name, value });

function errorOf(x: WireExchange): string | null {
  if (x.end === 'truncated')
    return x.status === null ? 'net::ERR_EMPTY_RESPONSE' : 'net::ERR_INCOMPLETE_CHUNKED_ENCODING';
  if (x.end === 'client-aborted') return 'net::ERR_ABORTED';
  return x.end === 'timed-out' ? 'net::ERR_TIMED_OUT' : null;
}

function content(x: WireExchange): object {
  const type =
    x.contentType === 'text/event-stream' ? 'text/event-stream; charset=utf-8' : (x.contentType ?? 'x-unknown');
  if (!x.stream) return { size: Buffer.byteLength(x.body ?? ''), mimeType: type, text: x.body ?? '' };
  const whole = x.events.map(frame).join('');
  const size = Buffer.byteLength(whole);
  return x.end === 'complete' ? { size, mimeType: type, text: whole } : { size, mimeType: type };
}

/** Browsers stamp the events of the first chunk with the start of the request, and repeat the last id on events without one. */
function recorded(x: WireExchange): object[] | null {
  if (!x.stream) return null;
  let sticky = '';
  const events = x.events.filter((event) => !event.partial);
  return events.map((event, at) => {
    sticky = event.id ?? sticky;
    return {
      time: (at === 0 ? x.startMs : event.atMs) / 1000,
      eventName: event.type ?? 'message',
      eventId: sticky,
      data: event.data,
    };
  });
}

function entry(x: WireExchange, { endMs: nowMs, seed }: WireHistory): object {
  const last = x.events.at(-1)?.atMs ?? x.startMs;
  const time = (x.endMs ?? Math.min(nowMs, Math.max(last, x.startMs))) - x.startMs;
  const events = recorded(x);
  return {
    _connectionId: String(x.identity.connection),
    _resourceType: 'fetch',
    ...(events === null || events.length === 0 ? {} : { _eventSourceMessages: events }),
    startedDateTime: new Date(x.startMs).toISOString(),
    time,
    request: {
      method: x.httpMethod,
      url: `https://mcp.example.test${pathOf(seed)}`,
      httpVersion: 'h2',
      headers: present([
        header('accept', x.httpMethod === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'),
        header('authorization', x.identity.authorization),
        header('user-agent', x.identity.userAgent),
        header('mcp-session-id', x.requestSession),
        header('last-event-id', x.lastEventId),
        header('mcp-protocol-version', x.protocolVersion),
        header('mcp-method', routingHeaders(x).method),
        header('mcp-name', routingHeaders(x).name),
      ]),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: Buffer.byteLength(x.requestBody ?? ''),
      ...(x.requestBody === null ? {} : { postData: { mimeType: 'application/json', text: x.requestBody } }),
    },
    response: {
      status: x.status ?? 0,
      statusText: '',
      httpVersion: 'h2',
      headers: present([header('content-type', x.contentType), header('mcp-session-id', x.responseSession)]),
      cookies: [],
      content: content(x),
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 0,
      _error: errorOf(x),
    },
    cache: {},
    timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: 1, receive: Math.max(0, time - 1) },
  };
}

/** The history as a browser's developer tools export it. */
export function writeHar(history: WireHistory): string {
  const entries = history.exchanges.map((x) => entry(x, history));
  const log = {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [],
    entries,
  };
  return JSON.stringify({ log });
}
