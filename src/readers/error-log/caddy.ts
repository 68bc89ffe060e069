import { splitTarget } from '../endpoint.js';
import type { CompanionRecord, EndState } from '../record.js';
import type { ErrorLineReader } from './error-line.js';

/** `http.handlers.reverse_proxy` says that it gave up a response that was under way. */
const ABORTED = 'aborting with incomplete response';

/** Caddy's runtime log: JSON, `ts` in seconds; newer versions name the request, older ones only the moment. */
export const caddyErrorLine: ErrorLineReader = (line, locator) => {
  if (!line.startsWith('{') || !line.includes('"level"') || !line.includes('"msg"')) return null;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isCaddy(record)) return null;
  const atNs = timeOf(record.ts);
  if (record.msg !== ABORTED || atNs === null) return { format: 'error-log/caddy', companion: null };
  const request = isObject(record.request) ? record.request : {};
  const error = textOf(record.error) ?? '';
  const uri = textOf(request.uri);
  const companion: CompanionRecord = {
    locator,
    atNs,
    precisionNs: 1_000_000n,
    httpMethod: textOf(request.method),
    path: uri === null ? null : splitTarget(uri, null).path,
    client: textOf(request.client_ip) ?? textOf(request.remote_ip),
    connection: null,
    backend: textOf(record.upstream),
    endState: endOf(error),
    reason: `${ABORTED}: ${error}`.slice(0, 200),
  };
  return { format: 'error-log/caddy', companion };
};

function endOf(error: string): EndState {
  if (/context canceled|client disconnected/.test(error)) return 'client-aborted';
  return /timeout|deadline exceeded/i.test(error) ? 'timed-out' : 'truncated';
}

interface CaddyRecord {
  readonly level: string;
  readonly msg: string;
  readonly ts: unknown;
  readonly request?: unknown;
  readonly error?: unknown;
  readonly upstream?: unknown;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCaddy(value: unknown): value is CaddyRecord {
  return (
    isObject(value) &&
    typeof value.level === 'string' &&
    typeof value.msg === 'string' &&
    (typeof value.ts === 'number' || typeof value.ts === 'string') &&
    !Object.hasOwn(value, 'resp_headers')
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Seconds since the epoch, or RFC 3339. */
function timeOf(value: unknown): bigint | null {
  const seconds = typeof value === 'number' ? value : Date.parse(String(value)) / 1000;
  if (!(seconds >= 0 && seconds < 9_223_372_036)) return null;
  const whole = Math.floor(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(Math.round((seconds - whole) * 1e6)) * 1000n;
}
