import { createHash } from 'node:crypto';

/** Lines of an nginx log in JSON, as the product's own configuration for nginx writes them. */

let requests = 0;

export interface Request {
  readonly atMs: number;
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly status?: number;
  readonly session?: string;
  readonly answered?: string;
  readonly lastEventId?: string;
  readonly backend?: string;
  readonly client?: string;
  readonly type?: string;
}

export function line(request: Request): string {
  requests += 1;
  const { atMs, method = 'POST', status = 200, session = '', answered = session, backend = '10.4.0.1:8080' } = request;
  const id = requests.toString(16).padStart(32, '0');
  return `${JSON.stringify({
    msec: (atMs / 1000).toFixed(3),
    cid: request.client ?? '7',
    creq: '1',
    rid: id,
    method,
    uri: '/mcp',
    status: String(status),
    bytes: '147',
    rt: '0.020',
    urt: '0.019',
    uht: '0.011',
    upstream: backend,
    us: String(status),
    rc: 'OK',
    sid: session,
    rsid: answered,
    usid: answered,
    leid: request.lastEventId ?? '',
    pv: '2025-06-18',
    mm: '',
    mn: '',
    ct: request.type ?? 'application/json',
    tp: `00-${id}-${id.slice(16)}-01`,
  })}\n`;
}

/** A session id as servers make them, the same for the same name. */
export function sessionId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A session that is issued, used every `everyMs`, and ended. */
export function healthySession(
  name: string,
  fromMs: number,
  calls: number,
  everyMs: number,
  backend?: string,
): string[] {
  const id = sessionId(name);
  const where = backend === undefined ? {} : { backend };
  const lines = [line({ atMs: fromMs, answered: id, client: id, ...where })];
  for (let call = 1; call <= calls; call += 1) {
    lines.push(line({ atMs: fromMs + call * everyMs, session: id, client: id, ...where }));
  }
  lines.push(line({ atMs: fromMs + (calls + 1) * everyMs, method: 'DELETE', session: id, client: id, ...where }));
  return lines;
}

/** A client resumes the stream of one session and is answered under another one, which it then uses. */
export function mergedSession(name: string, otherName: string, fromMs: number): string[] {
  const [id, other] = [sessionId(name), sessionId(otherName)];
  const before = healthySession(name, fromMs, 3, 1000, '10.4.0.1:8080').slice(0, -1);
  const at = fromMs + 60_000;
  return [
    ...before,
    line({ atMs: at - 10_000, answered: other, client: `${id}x`, backend: '10.4.0.2:8080' }),
    line({
      atMs: at,
      method: 'GET',
      session: id,
      answered: other,
      lastEventId: 'e140',
      client: id,
      backend: '10.4.0.2:8080',
      type: 'text/event-stream',
    }),
    line({ atMs: at + 1000, session: other, client: id, backend: '10.4.0.2:8080' }),
    line({ atMs: at + 2000, session: other, client: id, backend: '10.4.0.2:8080' }),
  ];
}

/** A line of OTLP/JSON with one server span of a tool call. */
export function spanLine(atMs: number, session: string, n: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  return `${JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [text('service.name', 'shop-tools')] },
        scopeSpans: [
          {
            scope: { name: 'shop-tools.mcp' },
            spans: [
              {
                traceId: hex(n + 1, 32),
                spanId: hex(n + 1, 16),
                name: 'tools/call create_issue',
                kind: 2,
                startTimeUnixNano: `${atMs}000000`,
                endTimeUnixNano: `${atMs + 15}000000`,
                attributes: [
                  text('mcp.method.name', 'tools/call'),
                  text('gen_ai.tool.name', 'create_issue'),
                  text('jsonrpc.request.id', String(n)),
                  text('mcp.session.id', session),
                ],
                status: {},
              },
            ],
          },
        ],
      },
    ],
  })}\n`;
}
