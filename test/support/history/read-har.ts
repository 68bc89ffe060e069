import type { End, Seen, SeenEvent, SeenMessage } from './seen.js';
import { readSse } from './sse.js';
import { readMessages, readTools, speaksOfHeldStream, speaksOfLoss } from './text.js';

interface HarHeader {
  name: string;
  value: string;
}

interface HarEventMessage {
  time: number;
  eventName?: string;
  eventId: string;
  data?: string;
}

interface HarEntry {
  startedDateTime: string;
  time: number;
  connection?: string;
  _connectionId?: string;
  _eventSourceMessages?: HarEventMessage[];
  request: { method: string; url: string; headers: HarHeader[]; postData?: { text?: string } };
  response: {
    status: number;
    headers: HarHeader[];
    content: { size?: number; mimeType?: string; text?: string; encoding?: string };
    _error?: string | null;
  };
}

function header(headers: readonly HarHeader[], name: string): string | null {
  return headers.find((item) => item.name.toLowerCase() === name)?.value ?? null;
}

function isMcp(entry: HarEntry): boolean {
  if (entry.request.method === 'OPTIONS') return false;
  const body = entry.request.postData?.text ?? '';
  const named = ['mcp-session-id', 'last-event-id', 'mcp-protocol-version', 'mcp-method'].some(
    (name) => header(entry.request.headers, name) !== null,
  );
  return named || body.includes('"jsonrpc"') || header(entry.response.headers, 'mcp-session-id') !== null;
}

function endOf(entry: HarEntry, stream: boolean, cut: boolean): End {
  const error = entry.response._error ?? '';
  if (/ABORTED|disconnected/i.test(error)) return 'client-aborted';
  if (/TIMED_OUT/i.test(error)) return 'timed-out';
  if (error !== '') return 'truncated';
  if (!stream) return 'complete';
  if (entry.response.content.text === undefined) return (entry.response.content.size ?? -1) < 0 ? 'unknown' : 'open';
  return cut ? 'truncated' : 'complete';
}

function recordedEvents(items: readonly HarEventMessage[]): SeenEvent[] {
  let last = '';
  return items.map((item) => {
    const own = item.eventId !== '' && item.eventId !== last ? item.eventId : null;
    if (own !== null) last = own;
    return {
      id: own,
      cursor: last === '' ? null : last,
      data: item.data ?? null,
      atMs: Math.round(item.time * 1000),
      retryMs: null,
    };
  });
}

/** A polling pause: the server closed after an id, with a priming event or `retry`, and nothing was answered yet. */
function pauses(events: readonly SeenEvent[], received: readonly SeenMessage[]): boolean {
  if (received.some((message) => message.kind === 'result' || message.kind === 'error')) return false;
  const marked = events.some((event) => event.retryMs !== null || event.data === '');
  return marked && events.some((event) => event.cursor !== null);
}

function readEntry(entry: HarEntry, index: number): Seen {
  const { request, response } = entry;
  const startMs = Date.parse(entry.startedDateTime);
  const body = request.postData?.text ?? '';
  const mime = response.content.mimeType ?? header(response.headers, 'content-type') ?? '';
  const stream = mime.includes('text/event-stream');
  const content =
    response.content.text !== undefined && response.content.encoding === 'base64'
      ? Buffer.from(response.content.text, 'base64').toString('utf8')
      : response.content.text;
  const sse = stream && content !== undefined ? readSse(content) : null;
  const events = sse?.events ?? (stream ? recordedEvents(entry._eventSourceMessages ?? []) : []);
  const timed = entry._eventSourceMessages;
  if (sse !== null && timed !== undefined) {
    const dispatched = events.filter((event) => event.data !== null);
    for (const [at, event] of dispatched.entries())
      event.atMs = timed[at] === undefined ? null : Math.round(timed[at].time * 1000);
  }
  const sent = request.method === 'POST' ? readMessages(body, 'client', null) : [];
  const received = stream
    ? events.flatMap((event, at) => (event.data === null ? [] : readMessages(event.data, 'server', at)))
    : readMessages(content ?? '', 'server', null);
  const end = endOf(entry, stream, sse?.cut ?? false);
  const refused = response.status >= 400;
  const whole = stream ? '' : (content ?? '');
  const version = sent
    .map((message) => /"io\.modelcontextprotocol\/protocolVersion":"([^"]+)"/.exec(message.text)?.[1])
    .find(Boolean);
  return {
    index,
    startMs,
    endMs: end === 'open' ? null : startMs + entry.time,
    httpMethod: request.method,
    status: response.status > 0 ? response.status : null,
    requestSession: header(request.headers, 'mcp-session-id'),
    responseSession: header(response.headers, 'mcp-session-id'),
    lastEventId: header(request.headers, 'last-event-id'),
    protocolVersion: header(request.headers, 'mcp-protocol-version') ?? version ?? null,
    stream,
    end: end === 'complete' && stream && pauses(events, received) ? 'polling' : end,
    client: header(request.headers, 'user-agent') ?? '',
    userAgent: header(request.headers, 'user-agent'),
    principal: header(request.headers, 'authorization'),
    backends: [],
    backendStatuses: [],
    sawRequestBody: true,
    sawAnswer:
      !stream || content !== undefined || entry._eventSourceMessages !== undefined || response.content.size === 0,
    events,
    partialId: sse?.partialId ?? null,
    sent,
    received,
    method: sent.find((message) => message.method !== null)?.method ?? null,
    lossInBody:
      received.some((message) => message.readsAsLoss) || (refused && speaksOfLoss(whole) && !speaksOfHeldStream(whole)),
    streamHeld: refused && speaksOfHeldStream(whole),
    tools: readTools(received),
  };
}

/** MCP exchanges of a HAR text, in the order in which they were sent. */
export function readHar(text: string): Seen[] {
  const document = JSON.parse(text) as { log: { entries: HarEntry[] } };
  const found = document.log.entries.filter(isMcp).map(readEntry);
  return found.sort((a, b) => a.startMs - b.startMs || a.index - b.index);
}
