import type { EndState } from '../record.js';
import { type Ending, type ReadText, UNKNOWN_END } from './dialect.js';

// What each proxy's words say about the end of a response. A word that says nothing stays `unknown`:
// nginx, Apache, Caddy and Traefik write the same 200 for a stream that ended and for one that was cut.

const endings = new Map<string, Ending>();

function ending(state: EndState, reason: string): Ending {
  const key = `${state} ${reason}`;
  const known = endings.get(key);
  if (known !== undefined) return known;
  const made = { state, reason };
  if (endings.size < 10_000) endings.set(key, made);
  return made;
}

/** By status alone: 499 (nginx and those who copied it) is a client that left, 408 one that was too slow, 504 an upstream that was. */
export function statusEnding(status: number | null): Ending {
  if (status === 499) return ending('client-aborted', '499');
  if (status === 408) return ending('timed-out', '408');
  if (status === 504) return ending('timed-out', '504');
  return UNKNOWN_END;
}

/** `$request_completion` is empty when the client left before the end; `OK` is no proof of a clean one. */
export function nginxEnding(status: number | null, read: ReadText): Ending {
  const byStatus = statusEnding(status);
  if (byStatus !== UNKNOWN_END) return byStatus;
  return read('completion') === '' ? ending('client-aborted', 'request_completion empty') : UNKNOWN_END;
}

/** `%X`: `X` is a connection that was aborted before the response was complete. */
export function apacheEnding(status: number | null, read: ReadText): Ending {
  return read('aborted') === 'X' ? ending('client-aborted', 'X') : statusEnding(status);
}

/**
 * The termination state (HAProxy configuration manual, 8.5). First character: who or what ended the session; second: in which
 * phase. `sD` on a quiet stream can also be a client that left unseen; HAProxy itself calls it a time-out.
 */
export function haproxyEnding(status: number | null, read: ReadText): Ending {
  const word = read('termination');
  if (word === null || word.length < 2) return statusEnding(status);
  // option logasap writes the line when the headers are through: what came after is not known.
  if (read('durationMs')?.startsWith('+')) return ending('unknown', word);
  return ending(haproxyState(word.charAt(0), word.charAt(1)), word);
}

function haproxyState(cause: string, phase: string): EndState {
  switch (cause) {
    case '-':
      return 'complete';
    case 'C':
      return 'client-aborted';
    case 'c':
    case 's':
      return 'timed-out';
    case 'S':
      // Never connected: HAProxy answered in full by itself.
      return phase === 'C' || phase === 'Q' ? 'complete' : 'truncated';
    case 'L':
    case 'P':
    case 'R':
    case 'I':
    case 'D':
    case 'U':
    case 'K':
      // Cut while data flowed, otherwise an answer of HAProxy's own.
      return phase === 'D' || phase === 'L' || (cause === 'P' && phase === 'H') ? 'truncated' : 'complete';
    default:
      return 'unknown';
  }
}

const ENVOY_FLAGS: Readonly<Record<string, EndState>> = {
  DC: 'client-aborted',
  DownstreamConnectionTermination: 'client-aborted',
  DR: 'client-aborted',
  DownstreamRemoteReset: 'client-aborted',
  DPE: 'client-aborted',
  DownstreamProtocolError: 'client-aborted',
  UC: 'truncated',
  UpstreamConnectionTermination: 'truncated',
  UR: 'truncated',
  UpstreamRemoteReset: 'truncated',
  LR: 'truncated',
  LocalReset: 'truncated',
  UPE: 'truncated',
  UpstreamProtocolError: 'truncated',
  UT: 'timed-out',
  UpstreamRequestTimeout: 'timed-out',
  SI: 'timed-out',
  StreamIdleTimeout: 'timed-out',
  UMSDR: 'timed-out',
  UpstreamMaxStreamDurationReached: 'timed-out',
  DT: 'timed-out',
  DurationTimeout: 'timed-out',
};

const ENVOY_DETAILS: readonly (readonly [RegExp, EndState])[] = [
  [/^downstream_remote_(?:disconnect|reset)|^downstream_local_disconnect|remote_reset/, 'client-aborted'],
  [/timeout|^max_duration/, 'timed-out'],
  [/^upstream_reset|^upstream_response_|^filter_chain_not_found|_reset_after_response_started/, 'truncated'],
];

/**
 * Response flags, short or long, one or several; where they say nothing, the response code details.
 * Flags without an upstream (`UF`, `UH`, `NR`, …) go with an answer that Envoy wrote itself and in full.
 */
export function envoyEnding(status: number | null, read: ReadText): Ending {
  const flags = read('flags');
  const details = read('details');
  const word = flags !== null && flags !== '' && flags !== '-' ? flags : null;
  if (word !== null) {
    for (const flag of word.split(',')) {
      const state = ENVOY_FLAGS[flag.trim()];
      if (state !== undefined && Object.hasOwn(ENVOY_FLAGS, flag.trim())) return ending(state, word);
    }
    return ending((status ?? 0) >= 400 ? 'complete' : 'unknown', word);
  }
  if (details !== null && details !== '-') {
    const rule = ENVOY_DETAILS.find(([pattern]) => pattern.test(details));
    if (rule !== undefined)
      return ending((status ?? 0) >= 400 && rule[1] === 'truncated' ? 'complete' : rule[1], details);
  }
  if (flags !== null || (details !== null && details !== '-')) return ending('complete', details ?? '-');
  return statusEnding(status);
}

const ALB_CLIENT_LEFT = 460;

/** 460: the client closed the connection before the load balancer's idle time-out. */
export function albEnding(status: number | null): Ending {
  return status === ALB_CLIENT_LEFT ? ending('client-aborted', '460') : statusEnding(status);
}

const CLOUDFRONT: readonly (readonly [RegExp, EndState])[] = [
  [/^Client(?:CommError|HungUpRequest)/, 'client-aborted'],
  [/^Origin(?:CommError|ContentRangeLengthError)|^AbortedOrigin|^OriginConnectError/, 'truncated'],
  [/Timeout|TimeOut/, 'timed-out'],
];

/** `x-edge-detailed-result-type`; `sc-status` 000 is a viewer that left before the answer. */
export function cloudfrontEnding(status: number | null, read: ReadText): Ending {
  const word = read('details') ?? '';
  const rule = CLOUDFRONT.find(([pattern]) => pattern.test(word));
  if (rule !== undefined) return ending(rule[1], word);
  return status === null ? ending('client-aborted', '000') : statusEnding(status);
}

const GCP: readonly (readonly [RegExp, EndState])[] = [
  [/^response_sent_by_backend$|^response_from_cache/, 'complete'],
  [/^client_disconnected|^client_cancelled/, 'client-aborted'],
  [/^client_timed_out|timeout/, 'timed-out'],
  [
    /after_partial_response_sent|^backend_early_response|^error_uncompressing|^invalid_http2|^internal_error/,
    'truncated',
  ],
  [/^backend_connection_closed_before_data_sent/, 'truncated'],
];

/** `jsonPayload.statusDetails` names the truncation. */
export function gcpEnding(status: number | null, read: ReadText): Ending {
  const word = read('details');
  if (word === null || word === '') return statusEnding(status);
  const rule = GCP.find(([pattern]) => pattern.test(word));
  return ending(rule?.[1] ?? 'unknown', word);
}

const AZURE: readonly (readonly [RegExp, EndState])[] = [
  [/CLIENT_CLOSED|CLIENT_(?:PREMATURELY|ABORT)/, 'client-aborted'],
  [/TIMED_OUT|TIMEOUT/, 'timed-out'],
  [/UPSTREAM_CLOSED|UPSTREAM_PREMATURE/, 'truncated'],
];

/** `error_info` of the application gateway. */
export function azureEnding(status: number | null, read: ReadText): Ending {
  const word = read('details');
  if (word === null || word === '') return statusEnding(status);
  const rule = AZURE.find(([pattern]) => pattern.test(word));
  return rule === undefined ? statusEnding(status) : ending(rule[1], word);
}

/** Cloudflare's own statuses: 522 and 524 are time-outs of the origin. */
export function cloudflareEnding(status: number | null): Ending {
  if (status === 522 || status === 524) return ending('timed-out', String(status));
  return statusEnding(status);
}
