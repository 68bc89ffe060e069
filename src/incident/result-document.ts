import type { Evidence, Vantage } from '../readers/record.js';
import type { Finding, Incident } from './finding.js';

export const RESULT_SCHEMA = 'mcp-postmortem/result@1';

export interface SourceReport {
  readonly path: string;
  readonly format: string;
  readonly producer: string | null;
  readonly vantage: Vantage | 'mixed';
  readonly sha256: string;
  readonly bytes: number;
  readonly records: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly duplicates: number;
  readonly evidence: readonly Evidence[];
  /** The first records that could not be read. */
  readonly rejects: readonly { readonly locator: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  /** Why the whole source could not be read; null when it could. */
  readonly error: string | null;
}

export type DetectorStatus = 'findings' | 'clean' | 'partial' | 'not-applicable' | 'error';

export interface DetectorReport {
  readonly id: string;
  readonly title: string;
  readonly status: DetectorStatus;
  readonly findings: number;
  /** Why partial, not applicable or in error, and how to capture what is missing. */
  readonly reason: string | null;
  /** Only with --timing: otherwise the document would differ from run to run. */
  readonly ms: number | null;
}

/** Resumes and losses that failed loudly against those that diverged silently. */
export interface EnforcementRow {
  readonly endpoint: string;
  readonly server: string | null;
  readonly client: string | null;
  /** `2026-11-12`, UTC. */
  readonly day: string | null;
  readonly loud: number;
  readonly silent: number;
}

/** Counts per time bucket, for the load chart. */
export interface LoadChart {
  readonly bucketMs: number;
  readonly buckets: readonly {
    readonly at: string;
    readonly requests: number;
    readonly losses: number;
    readonly resumes: Readonly<Record<string, number>>;
  }[];
  readonly backends: readonly {
    readonly backend: string;
    readonly from: string;
    readonly to: string;
    readonly requests: number;
  }[];
  /** Windows with a proven cause. */
  readonly windows: readonly { readonly cause: string; readonly from: string; readonly to: string }[];
  /** Pauses before a session was kept or lost, for the histogram of idle-eviction; ms. */
  readonly idle: readonly { readonly idleMs: number; readonly lost: boolean }[];
}

export interface ResultDocument {
  readonly schema: typeof RESULT_SCHEMA;
  readonly tool: { readonly name: 'mcp-postmortem'; readonly version: string };
  /** The command that made it, paths as given. */
  readonly command: string;
  readonly window: { readonly from: string | null; readonly to: string | null };
  readonly sources: readonly SourceReport[];
  readonly totals: {
    readonly exchanges: number;
    readonly sessions: number;
    readonly epochs: number;
    readonly streams: number;
    readonly events: number;
    readonly messages: number;
    readonly toolCalls: number;
    readonly resumes: number;
    readonly rejected: number;
  };
  /** Resumes by verdict. */
  readonly verdicts: Readonly<Record<string, number>>;
  readonly enforcement: { readonly loud: number; readonly silent: number; readonly rows: readonly EnforcementRow[] };
  readonly detectors: readonly DetectorReport[];
  readonly findings: readonly Finding[];
  readonly incidents: readonly Incident[];
  readonly load: LoadChart;
  /** What the run could not judge, in sentences. */
  readonly notJudged: readonly string[];
}
