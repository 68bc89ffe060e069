import { firstMessage, pathOf, type WireExchange, type WireHistory } from './wire.js';

type Attribute = { key: string; value: object };

const string = (key: string, value: string | null): Attribute | null =>
  value === null ? null : { key, value: { stringValue: value } };
const list = (key: string, value: string | null): Attribute | null =>
  value === null ? null : { key, value: { arrayValue: { values: [{ stringValue: value }] } } };
const integer = (key: string, value: number | null): Attribute | null =>
  value === null ? null : { key, value: { intValue: String(value) } };
const present = (all: readonly (Attribute | null)[]): Attribute[] =>
  all.filter((one): one is Attribute => one !== null);
const nanos = (ms: number): string => `${Math.round(ms * 1000)}000`;

function httpSpan(x: WireExchange, path: string): object {
  return {
    traceId: x.traceId,
    spanId: x.spanId,
    parentSpanId: '',
    name: `${x.httpMethod} ${path}`,
    kind: 2,
    startTimeUnixNano: nanos(x.startMs),
    endTimeUnixNano: nanos(x.endMs ?? x.startMs),
    attributes: present([
      string('http.request.method', x.httpMethod),
      string('url.full', `https://mcp.example.test${path}`),
      string('client.address', x.identity.address),
      string('user_agent.original', x.identity.userAgent),
      integer('http.response.status_code', x.status),
      list('http.request.header.mcp-session-id', x.requestSession),
      list('http.request.header.last-event-id', x.lastEventId),
      list('http.request.header.mcp-protocol-version', x.protocolVersion),
      list('http.response.header.mcp-session-id', x.responseSession),
    ]),
    status: (x.status ?? 500) >= 500 ? { code: 2 } : {},
  };
}

/** The span of the MCP library inside the server; a request that HTTP refused never reached it. */
function mcpSpan(x: WireExchange): object | null {
  const message = firstMessage(x);
  if (message?.method === undefined || x.status === null || x.status >= 400) return null;
  const tool = message.method === 'tools/call' ? (message.params?.name ?? null) : null;
  return {
    traceId: x.traceId,
    spanId: [...x.spanId].reverse().join(''),
    parentSpanId: x.spanId,
    name: tool === null ? message.method : `${message.method} ${tool}`,
    kind: 2,
    startTimeUnixNano: nanos(x.startMs + 1),
    endTimeUnixNano: nanos(Math.max(x.startMs + 1, (x.endMs ?? x.startMs) - 1)),
    attributes: present([
      string('mcp.method.name', message.method),
      string('jsonrpc.request.id', message.id === undefined ? null : String(message.id)),
      string('gen_ai.tool.name', tool),
      string('mcp.protocol.version', x.protocolVersion),
      string('network.transport', 'tcp'),
    ]),
    status: {},
  };
}

/** The history as its servers trace it: one OTLP/JSON request a line, one line an instance. */
export function writeSpans(history: WireHistory): string {
  const groups = new Map<string, object[]>();
  for (const x of history.exchanges) {
    if (x.endMs === null) continue;
    const instance = x.backends.at(-1)?.address ?? 'unknown';
    const spans = groups.get(instance) ?? [];
    groups.set(instance, spans);
    const inner = mcpSpan(x);
    spans.push(httpSpan(x, pathOf(history.seed)), ...(inner === null ? [] : [inner]));
  }
  const lines = [...groups].map(([instance, spans]) =>
    JSON.stringify({
      resourceSpans: [
        {
          resource: {
            attributes: present([
              string('service.name', `mcp-server-${history.seed}`),
              string('service.instance.id', instance),
            ]),
          },
          scopeSpans: [{ scope: { name: 'http-server', version: '0.9.0' }, spans }],
        },
      ],
    }),
  );
  return `${lines.join('\n')}\n`;
}
