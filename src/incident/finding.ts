/** Findings and incidents as every later stage sees them; the shapes are those of the result document. */

export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CONFIDENCES = ['possible', 'probable', 'definite'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export type FactValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

export interface FindingEvidence {
  readonly source: string;
  readonly locator: string;
  /** ISO 8601, UTC, milliseconds; null when the source carries no time. */
  readonly at: string | null;
  /** One line that names the bytes: `GET /mcp · Mcp-Session-Id S1 · Last-Event-ID e140 → 200 · Mcp-Session-Id S2 · first event e1`. */
  readonly what: string;
  /** The trace and span that it was read from, or that the log line names: lower-case hex; absent where there is none. */
  readonly traceId?: string;
  readonly spanId?: string;
}

export interface Finding {
  /** 16 hex digits, the same in every run over the same facts. */
  readonly id: string;
  readonly detector: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly title: string;
  readonly explanation: string;
  readonly sessions: readonly string[];
  readonly at: string | null;
  readonly until: string | null;
  readonly evidence: readonly FindingEvidence[];
  readonly facts: Readonly<Record<string, FactValue>>;
  /** Id of the incident it belongs to. */
  readonly incident: string | null;
  readonly state: 'new' | 'known';
}

export interface TimelineEntry {
  readonly at: string | null;
  readonly what: string;
  readonly source: string;
  readonly locator: string;
  /** Who acted, for pictures. */
  readonly lane: 'client' | 'proxy' | 'server';
  readonly session: string | null;
  /** What the entry is in the story: plain traffic, a cut, a loss, the seam, a repeated call. */
  readonly role: 'request' | 'fault' | 'loss' | 'seam' | 'duplicate' | 'lost';
  /** The session that the answer came from, where it is another one: the seam runs from `session` to this one. */
  readonly otherSession?: string | null;
  /** Instance that served it, for pictures; absent or null: not known. */
  readonly backend?: string | null;
}

export interface Reconciliation {
  readonly session: string;
  readonly tool: string | null;
  readonly requestId: string | null;
  /** `answer-lost`: a server's own record shows that it ran. */
  readonly outcome: 'unknown' | 'ran-twice' | 'may-have-run-twice' | 'answer-lost';
  /** What a person should do about it. */
  readonly do: string;
  readonly at: string | null;
  readonly source: string;
  readonly locator: string;
}

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /** `rolling-deploy`, `idle-eviction`, … or the leading detector's id when no cause is proven. */
  readonly cause: string;
  readonly at: string | null;
  readonly until: string | null;
  readonly summary: string;
  readonly impact: { readonly sessions: number; readonly duplicateCalls: number; readonly unknownOutcomes: number };
  readonly findings: readonly string[];
  readonly timeline: readonly TimelineEntry[];
  readonly reconcile: readonly Reconciliation[];
  readonly remediation: readonly string[];
  readonly state: 'new' | 'known' | 'resolved';
}
