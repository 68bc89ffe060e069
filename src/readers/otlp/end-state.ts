import type { EndState } from '../record.js';
import { ALIASES } from './attributes.js';
import { textOf } from './lookup.js';
import type { Span } from './span.js';

export interface SpanEnd {
  readonly state: EndState;
  /** The span's own words. */
  readonly reason: string | null;
}

const TIMED_OUT = /time[-_ ]?d?[-_ ]?out|deadline[-_ ]?exceeded/i;
const CANCELLED = /cancel|abort|client[-_ ]?disconnect|^499 /i;
const BROKEN =
  /econnreset|connection[-_ ]?(was )?(reset|closed|lost|aborted)|broken pipe|epipe|premature|incomplete ?(read|chunk)|unexpected[-_ ]?(eof|end of)|socket hang up|remoteprotocolerror|server ?disconnected/i;

/** Envoy's response flags on its spans, as far as they tell how the response ended (its access log documentation). */
const ENVOY_FLAGS: ReadonlyMap<string, EndState> = new Map([
  ['DC', 'client-aborted'],
  ['DT', 'timed-out'],
  ['UT', 'timed-out'],
  ['SI', 'timed-out'],
  ['UC', 'truncated'],
  ['UR', 'truncated'],
  ['LR', 'truncated'],
  ['UPE', 'truncated'],
]);

/**
 * How the exchange of a span ended. A span without end was not finished when it was written. One that ended without an
 * error is complete: the operation returned. An error that came as an answer (an HTTP status, a JSON-RPC code, a tool's
 * own error) is complete too; else the error's type and message say whether it was a time-out, a cancellation or a
 * broken connection.
 */
export function endOf(span: Span, answered: boolean): SpanEnd {
  const flags = textOf(span.attributes, ALIASES.responseFlags);
  if (flags !== null && flags !== '-') {
    for (const flag of flags.split(',')) {
      const state = ENVOY_FLAGS.get(flag.trim());
      if (state !== undefined) return { state, reason: flags };
    }
  }
  if (span.endedNs === null && !span.isLog)
    return { state: span.startedNs === null ? 'unknown' : 'open', reason: null };
  const type = errorTypeOf(span);
  if (!span.failed && type === null) return { state: 'complete', reason: null };

  const words = `${type ?? ''} ${answered ? '' : (errorMessageOf(span) ?? '')}`.slice(0, MAX_MESSAGE);
  for (const [pattern, state] of PATTERNS) {
    const match = pattern.exec(words);
    if (match !== null) return { state, reason: nameOf(type) ?? match[0].trim() };
  }
  return { state: answered ? 'complete' : 'unknown', reason: nameOf(type) };
}

const PATTERNS: readonly (readonly [RegExp, EndState])[] = [
  [TIMED_OUT, 'timed-out'],
  [CANCELLED, 'client-aborted'],
  [BROKEN, 'truncated'],
];
const MAX_MESSAGE = 1000;

/** Types are names and are kept; messages quote what they like and are only looked at. */
function nameOf(type: string | null): string | null {
  return type !== null && /^[\w.:$/-]{1,80}$/.test(type) ? type : null;
}

/** `error.type`, or the type of the exception that the span recorded. */
export function errorTypeOf(span: Span): string | null {
  return textOf(span.attributes, ALIASES.errorType) ?? fromException(span, ALIASES.errorType);
}

/** The error's message: attribute, recorded exception, or status message. */
export function errorMessageOf(span: Span): string | null {
  return (
    textOf(span.attributes, ALIASES.errorMessage) ??
    fromException(span, ALIASES.errorMessage) ??
    (span.statusMessage === '' ? null : span.statusMessage)
  );
}

function fromException(span: Span, keys: readonly string[]): string | null {
  if (!span.failed) return null;
  for (const event of span.events) {
    if (event.name === 'exception') return textOf(event.attributes, keys);
  }
  return null;
}
