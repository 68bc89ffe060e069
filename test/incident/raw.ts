import type { Finding, Severity } from '../../src/incident/finding.js';
import type { RawFinding } from '../../src/incident/findings.js';
import type { View } from '../../src/incident/views.js';

export const SECOND_NS = 1_000_000_000n;

/** A finding as the grouping sees it. Times are seconds. */
export function raw(
  detector: string,
  at: number,
  sessions: readonly string[],
  more: {
    readonly until?: number;
    readonly severity?: Severity;
    readonly confidence?: Finding['confidence'];
    readonly facts?: Record<string, string | number>;
    readonly exchanges?: readonly string[];
    readonly views?: readonly View[];
  } = {},
): RawFinding {
  const { until = at, severity = 'high', confidence = 'definite', facts = {}, exchanges = [], views = [] } = more;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    finding: {
      id: `${detector}@${at}/${sessions.join('+')}`,
      detector,
      severity,
      confidence,
      title: detector,
      explanation: detector,
      sessions,
      at: iso(at),
      until: iso(until),
      evidence: [],
      facts,
      incident: null,
      state: 'new',
    },
    row: {
      session: sessions[0] ?? null,
      otherSession: sessions[1] ?? null,
      atNs: BigInt(at) * SECOND_NS,
      untilNs: BigInt(until) * SECOND_NS,
      severity,
      confidence,
      exchanges,
      facts,
    },
    views,
  };
}
