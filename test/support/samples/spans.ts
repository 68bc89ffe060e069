import { digest } from './ids.js';
import type { Tape } from './tape.js';
import type { Exchange } from './wire.js';

type Attribute = { readonly key: string; readonly value: object };

const text = (key: string, value: string | null | undefined): Attribute[] =>
  value === null || value === undefined ? [] : [{ key, value: { stringValue: value } }];
const list = (key: string, value: string | null | undefined): Attribute[] =>
  value === null || value === undefined ? [] : [{ key, value: { arrayValue: { values: [{ stringValue: value }] } } }];
const nanos = (ms: number): string => `${ms}000000`;

/** The tape as its servers trace it: OTLP/JSON, one export request a line, one line an instance. */
export function spans(tape: Tape): string {
  const byInstance = new Map<string, object[]>();
  for (const [at, exchange] of tape.exchanges.entries()) {
    if (exchange.reply.end === 'open') continue;
    const instance = exchange.backends.at(-1) ?? 'unknown';
    byInstance.set(instance, [...(byInstance.get(instance) ?? []), ...spansOf(exchange, at)]);
  }
  return [...byInstance]
    .map(([instance, all]) => {
      const attributes = [...text('service.name', 'depot'), ...text('service.instance.id', instance)];
      const scopeSpans = [{ scope: { name: 'http-server', version: '0.9.0' }, spans: all }];
      return `${JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] })}\n`;
    })
    .join('');
}

function spansOf(exchange: Exchange, at: number): object[] {
  const { ask, reply, startMs, endMs, answeredSession } = exchange;
  const seed = digest(`span ${startMs} ${at}`);
  const http = {
    traceId: seed,
    spanId: seed.slice(0, 16),
    parentSpanId: '',
    name: `${ask.method} /mcp`,
    kind: 2,
    startTimeUnixNano: nanos(startMs),
    endTimeUnixNano: nanos(endMs),
    attributes: [
      ...text('http.request.method', ask.method),
      ...text('url.full', 'https://mcp.example.test/mcp'),
      ...text('client.address', ask.party.address),
      ...text('user_agent.original', ask.party.userAgent),
      ...(reply.status === null
        ? text('error.type', reply.end === 'timed-out' ? 'timeout' : 'connection_reset')
        : [{ key: 'http.response.status_code', value: { intValue: String(reply.status) } }]),
      ...list('http.request.header.mcp-session-id', ask.session),
      ...list('http.request.header.last-event-id', ask.cursor),
      ...list('http.response.header.mcp-session-id', answeredSession),
    ],
    status: reply.status === null || reply.status >= 500 ? { code: 2 } : {},
  };
  return [http, ...librarySpan(exchange, seed)];
}

/** The span of the MCP library inside the server: a request that HTTP refused never reached it. */
function librarySpan({ ask, reply, startMs, endMs }: Exchange, seed: string): object[] {
  const message = (ask.message ?? {}) as {
    id?: unknown;
    method?: string;
    params?: { name?: string; arguments?: object };
  };
  if (message.method === undefined || (reply.status ?? 200) >= 400) return [];
  const tool = message.method === 'tools/call' ? message.params?.name : undefined;
  const span = {
    traceId: seed,
    spanId: seed.slice(16),
    parentSpanId: seed.slice(0, 16),
    name: tool === undefined ? message.method : `${message.method} ${tool}`,
    kind: 2,
    startTimeUnixNano: nanos(startMs + 1),
    endTimeUnixNano: nanos(Math.max(startMs + 1, endMs - 1)),
    attributes: [
      ...text('mcp.method.name', message.method),
      ...text('jsonrpc.request.id', message.id === undefined ? null : String(message.id)),
      ...text('gen_ai.tool.name', tool),
      ...text('mcp.session.id', ask.session),
      ...(tool === undefined ? [] : text('gen_ai.tool.call.arguments', JSON.stringify(message.params?.arguments))),
      ...(reply.status === null ? text('error.type', 'connection_reset') : []),
    ],
    status: reply.status === null ? { code: 2 } : {},
  };
  return [span];
}
