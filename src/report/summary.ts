import type { Finding, Incident, Severity } from '../incident/finding.js';
import { SEVERITIES } from '../incident/finding.js';
import { severityRank } from './options.js';
import type { DetectorReport, DetectorStatus, ResultDocument } from './result-document.js';
import { formatCount, plural } from './text.js';

/** What a reader wants to know first; every report for people starts with it. */
export interface Summary {
  /** `clean` only when every detector could judge everything. */
  readonly level: Severity | 'clean' | 'unjudged';
  /** One sentence: is it bad. */
  readonly headline: string;
  /** First moment of what is new and bad; null when nothing is, or no time is known. */
  readonly since: string | null;
  /** What to do, most urgent first. */
  readonly actions: readonly string[];
  /** What keeps "nothing found" from meaning "nothing happened", in sentences. */
  readonly gaps: readonly string[];
  readonly findings: Readonly<Record<Severity, number>>;
  readonly known: number;
  readonly statuses: Readonly<Record<DetectorStatus, number>>;
}

const MAX_ACTIONS = 5;

/** Reads the answer off a result document. */
export function summarise(document: ResultDocument): Summary {
  const statuses = countStatuses(document.detectors);
  const findings = countSeverities(document.findings);
  const known = document.findings.filter((finding) => finding.state === 'known').length;
  const gaps = listGaps(document, statuses);
  const worst = worstSeverity(document.findings);
  const level = worst ?? (gaps.length + document.notJudged.length === 0 ? 'clean' : 'unjudged');
  return {
    level,
    headline: headline(document, level, findings),
    since: firstMoment(document),
    actions: listActions(document),
    gaps,
    findings,
    known,
    statuses,
  };
}

/** Findings in the order in which they deserve attention: severity, then time, then id. */
export function rankFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) => severityRank(b.severity) - severityRank(a.severity) || compareTime(a.at, b.at) || compareText(a.id, b.id),
  );
}

/** Incidents in the order in which they deserve attention: new before known before resolved, severity, time. */
export function rankIncidents(incidents: readonly Incident[]): readonly Incident[] {
  const order = { new: 0, known: 1, resolved: 2 } as const;
  return [...incidents].sort(
    (a, b) =>
      order[a.state] - order[b.state] ||
      severityRank(b.severity) - severityRank(a.severity) ||
      compareTime(a.at, b.at) ||
      compareText(a.id, b.id),
  );
}

/** Highest severity, or null when there is no finding. */
export function worstSeverity(findings: readonly Finding[]): Severity | null {
  let worst: Severity | null = null;
  for (const { severity } of findings) {
    if (worst === null || severityRank(severity) > severityRank(worst)) worst = severity;
  }
  return worst;
}

/** Detectors that could not judge everything, those that failed first. */
export function detectorsWithGaps(detectors: readonly DetectorReport[]): readonly DetectorReport[] {
  const order: readonly DetectorStatus[] = ['error', 'not-applicable', 'partial'];
  return order.flatMap((status) => detectors.filter((detector) => detector.status === status));
}

function headline(
  document: ResultDocument,
  level: Summary['level'],
  findings: Readonly<Record<Severity, number>>,
): string {
  if (level === 'clean') {
    return `0 findings: ${plural(document.detectors.length, 'detector')} judged everything and found nothing.`;
  }
  if (level === 'unjudged') {
    const clean = document.detectors.filter(({ status }) => status === 'clean').length;
    const judged = `${formatCount(clean)} of ${plural(document.detectors.length, 'detector')} judged everything`;
    return `0 findings, but not everything could be judged (${judged}): this is no clean bill.`;
  }
  const counts = SEVERITIES.toReversed()
    .filter((severity) => findings[severity] > 0)
    .map((severity) => `${formatCount(findings[severity])} ${severity}`);
  const known = document.findings.filter(({ state }) => state === 'known').length;
  const total = `${plural(document.findings.length, 'finding')}${known === 0 ? '' : ` (${formatCount(known)} known)`}`;
  const open = document.incidents.filter((incident) => incident.state !== 'resolved').length;
  return open === 0
    ? `${total}: ${counts.join(', ')}.`
    : `${plural(open, 'incident')}, ${total}: ${counts.join(', ')}.`;
}

function firstMoment(document: ResultDocument): string | null {
  const open = document.incidents.filter((incident) => incident.state !== 'resolved');
  const moments = (open.length > 0 ? open : document.findings).flatMap(({ at }) => (at === null ? [] : [at]));
  return moments.reduce<string | null>((first, at) => (first === null || at < first ? at : first), null);
}

function listActions(document: ResultDocument): readonly string[] {
  const actions: string[] = [];
  const open = rankIncidents(document.incidents).filter((incident) => incident.state !== 'resolved');
  const toReconcile = open.reduce((count, incident) => count + incident.reconcile.length, 0);
  if (toReconcile > 0) {
    actions.push(`Reconcile ${plural(toReconcile, 'call')} by hand before anything is repeated: see the checklist.`);
  }
  for (const incident of open) {
    for (const step of incident.remediation) {
      if (actions.length >= MAX_ACTIONS) return actions;
      if (!actions.includes(step)) actions.push(step);
    }
  }
  return actions;
}

function listGaps(document: ResultDocument, statuses: Readonly<Record<DetectorStatus, number>>): readonly string[] {
  const gaps: string[] = [];
  if (document.totals.exchanges === 0) gaps.push('No MCP traffic was found in what was read.');
  const unreadable = document.sources.filter((source) => source.error !== null).length;
  if (unreadable > 0) gaps.push(`${plural(unreadable, 'source')} could not be read.`);
  if (statuses.error > 0) gaps.push(`${plural(statuses.error, 'detector')} failed.`);
  if (statuses['not-applicable'] > 0) {
    gaps.push(`${plural(statuses['not-applicable'], 'detector')} could not judge: the sources lack what is needed.`);
  }
  if (statuses.partial > 0) gaps.push(`${plural(statuses.partial, 'detector')} could judge some of the sources only.`);
  if (document.totals.rejected > 0) gaps.push(`${plural(document.totals.rejected, 'record')} could not be read.`);
  return gaps;
}

function countStatuses(detectors: readonly DetectorReport[]): Record<DetectorStatus, number> {
  const counts = { findings: 0, clean: 0, partial: 0, 'not-applicable': 0, error: 0 };
  for (const { status } of detectors) counts[status] += 1;
  return counts;
}

function countSeverities(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

function compareTime(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** Order of code units: the same in every locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
