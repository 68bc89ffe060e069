import { createHash } from 'node:crypto';
import type { FindingEvidence } from '../../incident/finding.js';

/** Where a record or span belongs, as OpenTelemetry says it: lower-case hex ids. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const SAMPLED = 1;

/** The span of an incident, and a trace of its own around it: the same ids whenever the incident is told again. */
export function incidentContext(incidentId: string): TraceContext {
  return {
    traceId: digest(`trace\0${incidentId}`).slice(0, 32),
    spanId: digest(`span\0${incidentId}`).slice(0, 16),
    traceFlags: SAMPLED,
  };
}

/** The spans that a finding's evidence was read from, without repetition. */
export function offendingSpans(evidence: readonly FindingEvidence[]): readonly TraceContext[] {
  const spans = new Map<string, TraceContext>();
  for (const { traceId, spanId } of evidence) {
    if (!isId(traceId, 32) || !isId(spanId, 16)) continue;
    spans.set(`${traceId} ${spanId}`, { traceId, spanId, traceFlags: SAMPLED });
  }
  return [...spans.values()];
}

function isId(id: string | null | undefined, digits: number): id is string {
  return typeof id === 'string' && id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
