import type { Severity } from '../incident/finding.js';
import { failsRun } from '../report/options.js';
import type { ResultDocument } from '../report/result-document.js';

export const EXIT = { judged: 0, findings: 1, notJudged: 2, interrupted: 130 } as const;

/**
 * 0 judged, nothing new at or above `failOn` · 1 findings · 2 could not judge: an input or a detector failed, there was
 * no MCP traffic, or with `strict` a record was rejected.
 */
export function exitCodeOf(
  document: ResultDocument,
  failOn: Severity | 'never',
  strict: boolean,
  failures: number,
): number {
  const failed =
    failures > 0 ||
    document.totals.exchanges === 0 ||
    document.detectors.some(({ status }) => status === 'error') ||
    (strict && document.totals.rejected > 0);
  if (failed) return EXIT.notJudged;
  const fails = document.findings.some(({ severity, state }) => state === 'new' && failsRun(severity, failOn));
  return fails ? EXIT.findings : EXIT.judged;
}
