import type { ResultDocument } from '../../src/report/result-document.js';
import { claimOf } from './claims.js';
import type { RecordingName } from './recordings.js';
import type { Happening } from './scenario.js';

export interface Judgement {
  readonly expected: number;
  readonly found: number;
  /** Happened, could be seen, was not found. */
  readonly missing: readonly string[];
  /** Found, and did not happen. */
  readonly wrong: readonly string[];
  /** Happened, could not be seen, and yet the detector reads as clean. */
  readonly readsAsClean: readonly string[];
}

/** Holds what was found in a recording against what happened. A finding that could not be expected may be there if it is true. */
export function judge(
  document: ResultDocument,
  recording: RecordingName,
  happenings: readonly Happening[],
  remarks: readonly string[],
): Judgement {
  const claims = document.findings.filter(({ detector }) => !remarks.includes(detector)).map(claimOf);
  const certain = happenings.filter((happening) => happening.certain);
  const visible = certain.filter(({ shownBy }) => shownBy.includes(recording));
  const hidden = certain.filter(
    ({ shownBy, goneFrom }) => !shownBy.includes(recording) && !goneFrom.includes(recording),
  );
  const clean = new Set(document.detectors.filter(({ status }) => status === 'clean').map(({ id }) => id));
  // Too few failures for a cause are said apart.
  if (document.notJudged.length > 0) clean.delete('load-correlated-failure');
  const expected = visible.map(({ claim }) => claim);
  const happened = happenings.map(({ claim }) => claim);
  return {
    expected: expected.length,
    found: expected.length - without(expected, claims).length,
    missing: without(expected, claims),
    wrong: without(claims, happened),
    readsAsClean: hidden.filter(({ detector }) => clean.has(detector)).map(({ claim }) => claim),
  };
}

/** `these` without `those`, each counted as often as it stands there. */
function without(these: readonly string[], those: readonly string[]): string[] {
  const left = [...those];
  return these.filter((one) => {
    const at = left.indexOf(one);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

export function isRight({ missing, wrong, readsAsClean }: Judgement): boolean {
  return missing.length + wrong.length + readsAsClean.length === 0;
}
