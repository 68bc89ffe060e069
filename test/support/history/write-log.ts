import { pathOf, routingHeaders, type WireExchange, type WireHistory } from './wire.js';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function statusOf(x: WireExchange): string {
  return x.status === null ? (x.end === 'timed-out' ? '504' : '499') : String(x.status);
}

function line(x: WireExchange, at: number, path: string): string {
  const endMs = x.endMs ?? 0;
  const rt = seconds(endMs - x.startMs);
  const tries = x.backends;
  const status = statusOf(x);
  const statuses = tries.map((one, n) => (n < tries.length - 1 ? String(one.status ?? '-') : status));
  const times = tries.map((one, n) => (n < tries.length - 1 ? seconds(one.ms) : rt));
  const bytes = x.stream ? x.events.reduce((sum, event) => sum + event.data.length + 60, 0) : (x.body ?? '').length;
  return JSON.stringify({
    msec: seconds(endMs),
    cid: String(x.identity.connection),
    creq: String(at + 1),
    rid: x.traceId,
    method: x.httpMethod,
    uri: path,
    status,
    bytes: String(bytes),
    rt,
    urt: times.join(', '),
    uht: times.join(', '),
    upstream: tries.map((one) => one.address).join(', '),
    us: statuses.join(', '),
    rc: x.end === 'client-aborted' ? '' : 'OK',
    sid: x.requestSession ?? '',
    rsid: x.responseSession ?? '',
    usid: x.responseSession ?? '',
    leid: x.lastEventId ?? '',
    pv: x.protocolVersion ?? '',
    mm: routingHeaders(x).method ?? '',
    mn: routingHeaders(x).name ?? '',
    ct: x.contentType ?? '',
    tp: '',
  });
}

/** The history as nginx logs it with the recommended JSON format: one line at the end of each request. */
export function writeAccessLog(history: WireHistory): string {
  const done = history.exchanges.filter((x) => x.endMs !== null);
  done.sort((a, b) => (a.endMs ?? 0) - (b.endMs ?? 0));
  return `${done.map((x, at) => line(x, at, pathOf(history.seed))).join('\n')}\n`;
}

/** nginx's error log beside it: the only place where a cut stream shows. */
export function writeErrorLog(history: WireHistory): string {
  const cut = history.exchanges.filter((x) => x.endMs !== null && x.end === 'truncated' && x.status !== null);
  const lines = cut.map((x) => {
    const at = new Date(x.endMs ?? 0).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/');
    const upstream = x.backends.at(-1)?.address ?? '';
    return (
      `${at} [error] 7#7: *${x.identity.connection} upstream prematurely closed connection while reading upstream, ` +
      `client: ${x.identity.address}, server: , request: "${x.httpMethod} ${pathOf(history.seed)} HTTP/1.1", ` +
      `upstream: "http://${upstream}${pathOf(history.seed)}", host: "mcp.example.test"`
    );
  });
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
