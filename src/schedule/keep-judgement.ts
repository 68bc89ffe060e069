import { createHash } from 'node:crypto';
import { type Incident, SEVERITIES, type Severity, type TimelineEntry } from '../incident/finding.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import { carryOver } from './carry-over.js';
import type { JobConfig, Receiver } from './config.js';
import { dropFindings, type IncidentState, isLive, type Kept, keepFindings, keepIncident, timeNs } from './kept.js';
import { predecessors } from './predecessors.js';

/** Entries of a timeline that is continued over many runs. */
const MAX_TIMELINE = 1000;

/** A judgement: the document of the range that was looked at. */
export interface Judgement {
  readonly document: ResultDocument;
  /** By finding id. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** What lies before has been judged before, or is gone; null: nothing has. */
  readonly liveFromNs: bigint | null;
  readonly baseline: ReadonlySet<string>;
}

/**
 * Puts a judgement beside what is kept: findings and incidents under their lasting ids, what is no longer found taken
 * back, messages about new incidents noted. One transaction, together with the note that this intake is judged.
 * @returns the document with lasting ids and states
 */
export async function keepJudgement(
  store: Store,
  kept: Kept,
  judgement: Judgement,
  config: JobConfig,
  rules: string,
  intake: bigint,
): Promise<ResultDocument> {
  const { document, endpoints, liveFromNs, baseline } = judgement;
  const [job] = await store.rows<{ watermark_ns: bigint | null }>('select watermark_ns from job');
  const quietFromNs = (job?.watermark_ns ?? 0n) - config.latenessNs;
  const found = new Set(document.findings.map(({ id }) => id));
  const gone = [...kept.findings.values()].filter(
    ({ finding }) => !found.has(finding.id) && isLive(finding, liveFromNs),
  );
  const earlierIds = predecessors(
    document.findings.filter(({ id }) => !kept.findings.has(id)),
    gone,
    ({ id }) => endpoints.get(id) ?? '',
  );
  const { idOf, news, mergedIn } = carryOver(
    document.incidents,
    kept.known(),
    ({ findings }) => new Set(findings.map((id) => endpoints.get(id) ?? '')),
    earlierIds,
  );
  const findings = document.findings.map((finding) => ({
    ...finding,
    state: earlierIds.has(finding.id) ? ('known' as const) : finding.state,
    incident: finding.incident === null ? null : (idOf.get(finding.incident) ?? finding.incident),
  }));
  const incidents = document.incidents.map((incident) => {
    const before = kept.incidents.get(idOf.get(incident.id) ?? '')?.incident ?? null;
    const isKnown = !news.has(incident.id) || incident.findings.every((id) => baseline.has(id));
    const whole = continued({ ...incident, id: idOf.get(incident.id) ?? incident.id }, before, liveFromNs);
    const state: Incident['state'] = !isKnown ? 'new' : isOver(whole, quietFromNs) ? 'resolved' : 'known';
    return { ...whole, state };
  });
  const result: ResultDocument = { ...document, findings, incidents };
  await store.transaction(async () => {
    await dropFindings(
      store,
      gone.map(({ finding }) => finding.id),
    );
    // What lies before the range is seen with less around it than when it was judged.
    const current = findings.filter((finding) => !kept.findings.has(finding.id) || isLive(finding, liveFromNs));
    await keepFindings(
      store,
      current.map((finding) => ({ finding, endpoint: endpoints.get(finding.id) ?? '' })),
    );
    await keepIncidents(store, kept, incidents, mergedIn, liveFromNs, quietFromNs);
    for (const receiver of config.receivers) await noteMessages(store, kept, incidents, receiver);
    await store.run('create or replace table result_document (document varchar not null)');
    await store.rows('insert into result_document values ($document)', { document: JSON.stringify(result) });
    await store.rows('update job set judged = $intake, rules = $rules, unjudged_ns = null', { intake, rules });
  });
  return result;
}

async function keepIncidents(
  store: Store,
  kept: Kept,
  incidents: readonly Incident[],
  mergedIn: ReadonlyMap<string, string>,
  liveFromNs: bigint | null,
  quietFromNs: bigint,
): Promise<void> {
  const current = new Set(incidents.map(({ id }) => id));
  for (const incident of incidents) await keepIncident(store, { incident, state: incident.state, mergedIn: null });
  for (const { incident, state } of kept.incidents.values()) {
    if (current.has(incident.id) || state === 'merged' || state === 'withdrawn') continue;
    const heir = mergedIn.get(incident.id) ?? null;
    let next: IncidentState = isOver(incident, quietFromNs) ? 'resolved' : 'known';
    if (heir !== null) next = 'merged';
    else if (isLive({ at: incident.at, until: incident.at }, liveFromNs)) next = 'withdrawn';
    if (next === state) continue;
    await keepIncident(store, { incident, state: next, mergedIn: heir });
  }
}

/** A message to each receiver for each incident, once: when it is new, or when it has become grave enough. */
async function noteMessages(
  store: Store,
  kept: Kept,
  incidents: readonly Incident[],
  receiver: Receiver,
): Promise<void> {
  const rank = (severity: Severity) => SEVERITIES.indexOf(severity);
  for (const incident of incidents) {
    if (rank(incident.severity) < rank(receiver.minSeverity)) continue;
    const before = kept.incidents.get(incident.id)?.incident;
    const isRaised = before !== undefined && rank(before.severity) < rank(receiver.minSeverity);
    if (incident.state !== 'new' && !isRaised) continue;
    const notice = createHash('sha256').update(`${receiver.name}\0${incident.id}`).digest('hex').slice(0, 32);
    await store.rows(
      `insert into notice select $notice, $receiver, $incident, false
       where not exists (select 1 from notice where notice = $notice)`,
      { notice, receiver: receiver.name, incident: incident.id },
    );
  }
}

function isOver({ at, until }: Pick<Incident, 'at' | 'until'>, quietFromNs: bigint): boolean {
  const endNs = timeNs(until ?? at);
  return endNs !== null && endNs < quietFromNs;
}

/** An incident with what earlier runs know of it, where that lies before the range that is judged. */
function continued(fresh: Incident, before: Incident | null, liveFromNs: bigint | null): Incident {
  if (before === null || isLive({ at: before.at, until: before.at }, liveFromNs)) return fresh;
  const isGraver = SEVERITIES.indexOf(before.severity) > SEVERITIES.indexOf(fresh.severity);
  const at = earlier(before.at, fresh.at);
  return {
    ...fresh,
    at,
    until: later(before.until, fresh.until),
    severity: isGraver ? before.severity : fresh.severity,
    findings: [...new Set([...before.findings, ...fresh.findings])],
    timeline: joined(before.timeline, fresh.timeline),
    reconcile: [
      ...new Map([...before.reconcile, ...fresh.reconcile].map((item) => [JSON.stringify(item), item])).values(),
    ],
    remediation: [...new Set([...before.remediation, ...fresh.remediation])],
    impact: {
      sessions: Math.max(before.impact.sessions, fresh.impact.sessions),
      duplicateCalls: Math.max(before.impact.duplicateCalls, fresh.impact.duplicateCalls),
      unknownOutcomes: Math.max(before.impact.unknownOutcomes, fresh.impact.unknownOutcomes),
    },
  };
}

function joined(before: readonly TimelineEntry[], fresh: readonly TimelineEntry[]): TimelineEntry[] {
  const entries = new Map(
    [...before, ...fresh].map((entry) => [`${entry.source}\0${entry.locator}\0${entry.what}`, entry]),
  );
  return [...entries.values()].sort((a, b) => compare(a.at, b.at)).slice(0, MAX_TIMELINE);
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;
}

function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}
