import { createHash } from 'node:crypto';
import type { Registry } from '../detect/registry.js';
import type { Store } from '../store/store.js';
import type { Incident } from './finding.js';
import { type RawFinding, sessionsOf } from './findings.js';
import { type Group, groupFindings, type LostEpoch, periodOf, rankOf } from './groups.js';
import type { IdText } from './id-text.js';
import { reconcileOf } from './reconcile.js';
import { byParty } from './remediation.js';
import { reportRows } from './report-rows.js';
import { summaryOf, titleOf } from './story.js';
import { isoTime } from './time.js';
import { timelineOf } from './timeline.js';

export interface Incidents {
  readonly incidents: readonly Incident[];
  /** Finding id → incident id. */
  readonly incidentOf: ReadonlyMap<string, string>;
}

/** Groups findings into incidents, with the story, what to reconcile and whom to ask for what. */
export async function incidentsOf(
  store: Store,
  registry: Registry,
  findings: readonly RawFinding[],
  idText: IdText,
): Promise<Incidents> {
  const epochs = findings.length === 0 ? [] : await reportRows<LostEpoch>(store, registry, 'lost_epochs');
  const incidentOf = new Map<string, string>();
  const incidents: Incident[] = [];
  const taken = new Map<string, number>();
  for (const group of groupFindings(findings, epochs)) {
    const id = idOf(group, taken);
    for (const { finding } of group.members) incidentOf.set(finding.id, id);
    incidents.push({
      ...(await incidentOfGroup(store, registry, group, epochs, idText)),
      id,
      findings: group.members.map(({ finding }) => finding.id),
      state: 'new',
    });
  }
  return { incidents: incidents.sort(bySeverityAndTime), incidentOf };
}

async function incidentOfGroup(
  store: Store,
  registry: Registry,
  group: Group,
  epochs: readonly LostEpoch[],
  idText: IdText,
): Promise<Omit<Incident, 'id' | 'findings' | 'state'>> {
  const lead = leadOf(group);
  const reconcile = reconcileOf(group.members);
  const impact = impactOf(group, epochs);
  const period = periodOf(group);
  const at = isoTime(period?.firstNs ?? null);
  const until = isoTime(period?.lastNs ?? null);
  return {
    title: titleOf(group, lead, impact),
    severity: group.members.reduce<Incident['severity']>(
      (worst, { finding }) => (rankOf(finding.severity) > rankOf(worst) ? finding.severity : worst),
      'info',
    ),
    cause: group.cause === null ? lead.finding.detector : String(group.cause.row.facts.cause),
    at,
    until,
    summary: summaryOf(group, lead, impact, at, until),
    impact,
    timeline: await timelineOf(store, registry, group, idText),
    reconcile,
    remediation: remediationOf(registry, group),
  };
}

/** The cause where one is proven, else the gravest finding, the earliest of these. */
function leadOf(group: Group): RawFinding {
  if (group.cause !== null) return group.cause;
  return group.members.reduce((lead, item) =>
    rankOf(item.finding.severity) > rankOf(lead.finding.severity) ? item : lead,
  );
}

function impactOf(group: Group, epochs: readonly LostEpoch[]): Incident['impact'] {
  const sessions = new Set(group.members.flatMap(({ row }) => sessionsOf(row)));
  if (group.cause !== null) {
    const { atNs, untilNs } = group.cause.row;
    for (const { session, lost_ns } of epochs) {
      if (lost_ns !== null && atNs !== null && lost_ns >= atNs && lost_ns <= (untilNs ?? atNs)) sessions.add(session);
    }
  }
  const count = (detector: string) =>
    group.members.filter(({ finding }) => finding.detector === detector && finding.severity !== 'info');
  return {
    sessions: sessions.size,
    duplicateCalls: count('duplicate-tool-call').length,
    unknownOutcomes: count('lost-response').filter(({ finding }) => finding.facts.outcome === 'unknown').length,
  };
}

/** What each party has to change, once each, in the order of the findings' severity. */
function remediationOf(registry: Registry, group: Group): string[] {
  const remedies = new Map(registry.detectors.map(({ meta }) => [meta.id, meta.remedy]));
  const ordered = [...group.members].sort((a, b) => rankOf(b.finding.severity) - rankOf(a.finding.severity));
  return byParty(ordered.map(({ finding }) => remedies.get(finding.detector) ?? '').filter((text) => text !== ''));
}

/** Named by what leads it, so that an incident that goes on keeps its id. */
function idOf(group: Group, taken: Map<string, number>): string {
  const first = group.cause ?? group.members[0]!;
  const base = `incident\0${first.finding.id}`;
  const nth = taken.get(base) ?? 0;
  taken.set(base, nth + 1);
  return createHash('sha256')
    .update(nth === 0 ? base : `${base}\0${nth}`)
    .digest('hex')
    .slice(0, 16);
}

function bySeverityAndTime(a: Incident, b: Incident): number {
  return (
    rankOf(b.severity) - rankOf(a.severity) ||
    (a.at ?? '').localeCompare(b.at ?? '', 'en') ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
