import { digest } from './ids.js';
import type { Tape } from './tape.js';
import type { Exchange } from './wire.js';

/** What a proxy logs: every exchange that ended, in the order of their ends. */
function ended(tape: Tape): Exchange[] {
  const done = tape.exchanges.filter(({ reply }) => reply.end !== 'open');
  return done.sort((a, b) => a.endMs - b.endMs || a.startMs - b.startMs);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
const statusOf = ({ reply }: Exchange): number => reply.status ?? (reply.end === 'timed-out' ? 504 : 499);
const bytesOf = ({ reply }: Exchange): number =>
  reply.events === null ? (reply.body ?? '').length : reply.events.reduce((sum, { data }) => sum + data.length + 20, 0);

/** nginx with a JSON log format that names the MCP headers. */
export function nginx(tape: Tape): string {
  return ended(tape).map(nginxLine).join('');
}

function nginxLine(exchange: Exchange, at: number): string {
  const { ask, reply, startMs, endMs, backends, answeredSession } = exchange;
  const took = seconds(endMs - startMs);
  const status = String(statusOf(exchange));
  const line = {
    msec: seconds(endMs),
    cid: String(ask.party.connection),
    creq: String(at + 1),
    rid: digest(`nginx ${startMs} ${at}`),
    client: ask.party.address,
    ua: ask.party.userAgent,
    method: ask.method,
    uri: '/mcp',
    status,
    bytes: String(bytesOf(exchange)),
    rt: took,
    urt: backends.map((_, nth) => (nth < backends.length - 1 ? '0.002' : took)).join(', '),
    upstream: backends.join(', '),
    us: backends.map((_, nth) => (nth < backends.length - 1 ? '502' : status)).join(', '),
    rc: reply.end === 'aborted' ? '' : 'OK',
    sid: ask.session ?? '',
    rsid: answeredSession ?? '',
    usid: answeredSession ?? '',
    leid: ask.cursor ?? '',
    pv: ask.session === null ? '' : ask.version,
    mm: '',
    mn: '',
    ct: reply.type ?? '',
    tp: '',
  };
  return `${JSON.stringify(line)}\n`;
}

/** HAProxy's HTTP log with the MCP headers captured. */
export function haproxy(tape: Tape): string {
  return ended(tape)
    .map((exchange) => {
      const { ask, reply, startMs, endMs, backends, answeredSession } = exchange;
      const took = endMs - startMs;
      const states = { complete: '----', cut: 'SD--', 'timed-out': 'sD--', aborted: 'CD--', open: '----' }[reply.end];
      const requestCaptures = [ask.session ?? '', ask.cursor ?? '', ask.party.userAgent].join('|');
      const responseCaptures = [answeredSession ?? '', reply.type ?? ''].join('|');
      return [
        `${ask.party.address}:${40000 + ask.party.connection}`,
        `[${haproxyTime(startMs)}]`,
        `mcp~ pool/${backends.at(-1) ?? '<NOSRV>'}`,
        `0/0/1/${Math.max(1, Math.min(took - 2, 6))}/${took}`,
        `${statusOf(exchange)} ${bytesOf(exchange)} - - ${states} 4/4/2/1/0 0/0`,
        `{${requestCaptures}} {${responseCaptures}}`,
        `"${ask.method} /mcp HTTP/1.1"\n`,
      ].join(' ');
    })
    .join('');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function haproxyTime(ms: number): string {
  const [date = '', time = ''] = new Date(ms).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, -1)}`;
}

/** Envoy's JSON access log with the MCP headers. */
export function envoy(tape: Tape): string {
  return ended(tape).map(envoyLine).join('');
}

function envoyLine(exchange: Exchange, at: number): string {
  const { ask, reply, startMs, endMs, backends, answeredSession } = exchange;
  const flags = { complete: '-', cut: 'UC', 'timed-out': 'SI', aborted: 'DC', open: '-' }[reply.end];
  const line = {
    start_time: new Date(startMs).toISOString(),
    method: ask.method,
    path: '/mcp',
    protocol: 'HTTP/1.1',
    response_code: statusOf(exchange),
    response_flags: flags,
    bytes_received: JSON.stringify(ask.message ?? '').length,
    bytes_sent: bytesOf(exchange),
    duration: endMs - startMs,
    user_agent: ask.party.userAgent,
    request_id: digest(`envoy ${startMs} ${at}`),
    authority: 'mcp.example.test',
    upstream_host: backends.at(-1) ?? null,
    downstream_remote_address: `${ask.party.address}:${40000 + ask.party.connection}`,
    sid: ask.session,
    rsid: answeredSession,
    leid: ask.cursor ?? null,
    ct: reply.type,
  };
  return `${JSON.stringify(line)}\n`;
}
