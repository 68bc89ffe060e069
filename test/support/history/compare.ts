import type { Expected } from './seen.js';

/** The part of a finding that is compared. */
export interface Answer {
  detector: string;
  severity: string;
  confidence: string;
  sessions: readonly string[];
  facts: Readonly<Record<string, unknown>>;
}

/** Says nothing about a single history: judged by its own statistics. */
const EXCLUDED = new Set(['load-correlated-failure']);

const names = (want: Expected, answer: Answer): boolean =>
  want.detector === answer.detector && (want.sessions ?? []).every((session) => answer.sessions.includes(session));

const equals = (want: Expected, answer: Answer): boolean =>
  names(want, answer) &&
  (want.severity === null || want.severity === answer.severity) &&
  (want.confidence === null || want.confidence === answer.confidence) &&
  Object.entries(want.facts).every(([key, value]) => answer.facts[key] === value);

const say = (detector: string, sessions: readonly string[] | null, rest: string): string =>
  `${detector} [${(sessions ?? []).map((session) => session.slice(0, 8)).join(' ')}] ${rest}`;

/** What a product left out, and what it made up: two lists of lines, both empty when the two readings agree. */
export function differences(
  expected: readonly Expected[],
  answers: readonly Answer[],
): { missing: string[]; extra: string[] } {
  const given = answers.filter((answer) => !EXCLUDED.has(answer.detector));
  const missing = expected
    .filter(
      (want) => want.demand === 'must' && !EXCLUDED.has(want.detector) && !given.some((answer) => equals(want, answer)),
    )
    .map((want) => {
      const near = given.find((answer) => names(want, answer));
      const found =
        near === undefined ? 'not found' : `found as ${near.severity} ${near.confidence} ${JSON.stringify(near.facts)}`;
      return say(
        want.detector,
        want.sessions,
        `${want.severity} ${want.confidence} ${JSON.stringify(want.facts)} (${want.because}): ${found}`,
      );
    });
  const extra = given
    .filter((answer) => !expected.some((want) => equals(want, answer)))
    .map((answer) =>
      say(answer.detector, answer.sessions, `${answer.severity} ${answer.confidence} ${JSON.stringify(answer.facts)}`),
    );
  return { missing: [...new Set(missing)], extra: [...new Set(extra)] };
}
