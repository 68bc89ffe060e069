import type { ResultDocument } from '../../src/report/result-document.js';
import { RECORDINGS, type RecordingName } from './recordings.js';
import type { Happening } from './scenario.js';
import type { Truth } from './truth.js';

type Finding = ResultDocument['findings'][number];

export const EVERY: readonly RecordingName[] = RECORDINGS;
/** Witnesses that know the tool and its arguments. */
export const KNOWS_CALLS: readonly RecordingName[] = ['HAR', 'OTLP/JSON', 'OTLP/protobuf', 'all'];
/** Witnesses that know which instance answered, of all clients. */
export const KNOWS_FLEET: readonly RecordingName[] = ['access log', 'proxy logs', 'OTLP/JSON', 'OTLP/protobuf', 'all'];

/** What a finding claims, without how it says it. */
export function claimOf({ detector, sessions, facts }: Finding): string {
  const who = arrow(sessions);
  if (detector === 'duplicate-tool-call') return `${detector} ${String(facts.tool)} ${who}`;
  if (detector === 'load-correlated-failure') return `${detector} ${String(facts.cause)}`;
  if (detector === 'stream-cutoff') return detector;
  return `${detector} ${who}`;
}

export function mergesOf(truth: Truth, shownBy = EVERY): Happening[] {
  return truth.merges.map(({ from, to }) => happening('epoch-merge', arrow([from, to]), shownBy));
}

/** Every call that took effect again, once for each time too many. */
export function ranTwiceOf(truth: Truth, shownBy = KNOWS_CALLS): Happening[] {
  return truth.ranTwice.flatMap(({ tool, sessions }) =>
    sessions.slice(1).map((session, index) => {
      const both = [...new Set([sessions[index]!, session])];
      return happening('duplicate-tool-call', `${tool} ${arrow(both)}`, shownBy);
    }),
  );
}

/** The same where the spans of the first run are lost, or where they cannot tell which of many clients came back. */
export function ranTwiceUnseenBySpans(truth: Truth): Happening[] {
  return ranTwiceOf(truth, ['HAR', 'all']).map((one) => ({ ...one, goneFrom: ['OTLP/JSON', 'OTLP/protobuf'] }));
}

/** The answers that never came: of each call that ran again, the first is one. */
export function lostAnswersOf(truth: Truth, shownBy: readonly RecordingName[] = ['HAR', 'all']): Happening[] {
  return truth.ranTwice.map(({ sessions }) => happening('lost-response', arrow(sessions.slice(0, 1)), shownBy));
}

export function causeOf(cause: string, shownBy = KNOWS_FLEET): Happening {
  return happening('load-correlated-failure', cause, shownBy);
}

export function happening(detector: string, what: string, shownBy = EVERY): Happening {
  return { detector, claim: `${detector} ${what}`.trim(), shownBy, goneFrom: [], certain: true };
}

/** Something that may have happened: it may be found, and need not be. */
export function perhaps(detector: string, what: string): Happening {
  return { ...happening(detector, what), certain: false };
}

/** Sessions that a client went on to use after the first refusal: whether it had heard of that by then only it knows. */
export function reusedOf(truth: Truth): Happening[] {
  const refusals = truth.entries.filter(({ what }) => what === 'refused').map(({ session }) => session);
  const often = new Set(refusals.filter((session) => refusals.filter((one) => one === session).length >= 3));
  return [...often].map((session) => perhaps('stale-session-reuse', session.slice(0, 8)));
}

export function arrow(sessions: readonly string[]): string {
  return sessions.map((session) => session.slice(0, 8)).join('→');
}
