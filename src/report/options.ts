import type { Severity } from '../incident/finding.js';

/** What a detector's metadata and its Markdown page say; the HTML and SARIF reports show it beside the findings. */
export interface DetectorPage {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity | null;
  readonly remedy: string | null;
  readonly needs: readonly string[];
  readonly falsePositives: readonly string[];
  readonly references: readonly string[];
  /** The page's Markdown; empty when the detector has none. */
  readonly markdown: string;
}

/** What a reporter may be told beyond the document. Nothing here changes what is reported, only how. */
export interface RenderOptions {
  /** ANSI colours; the caller decides (a terminal, no `NO_COLOR`, no `--no-color`). Default: none. */
  readonly color?: boolean;
  /** Columns of the terminal. Default: 100. */
  readonly width?: number;
  /** Show every finding in full in the table. Default: the first ones. */
  readonly wide?: boolean;
  readonly pages?: ReadonlyMap<string, DetectorPage>;
  /** The severity from which a finding fails the run (JUnit, SARIF's verdict). Default: `high`. */
  readonly failOn?: Severity | 'never';
}

/** Rank of a severity: 0 `info` to 4 `critical`. */
export function severityRank(severity: Severity): number {
  return RANK[severity];
}

const RANK: Readonly<Record<Severity, number>> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 };

/** Whether a severity is at or above the threshold that fails a run. */
export function failsRun(severity: Severity, failOn: Severity | 'never' = 'high'): boolean {
  return failOn !== 'never' && RANK[severity] >= RANK[failOn];
}
