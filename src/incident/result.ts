import type { Registry } from '../detect/registry.js';
import type { DetectorOutcome } from '../detect/runner.js';
import type { Store } from '../store/store.js';
import { enforcementOf } from './enforcement.js';
import type { Finding } from './finding.js';
import { findingsOf, type RawFinding } from './findings.js';
import type { IdText } from './id-text.js';
import { incidentsOf } from './incidents.js';
import { loadChartOf } from './load-chart.js';
import { notJudgedOf } from './not-judged.js';
import { reportRows } from './report-rows.js';
import { RESULT_SCHEMA, type ResultDocument } from './result-document.js';
import { sourceReports, type UnreadSource } from './sources.js';
import { isoTime } from './time.js';
import { loadViews } from './views.js';

export interface ResultContext {
  readonly version: string;
  /** The command that made the document, paths as given. */
  readonly command: string;
  readonly idText: IdText;
  /** Milliseconds of each detector: with them two runs differ. */
  readonly timing: boolean;
  readonly unread: readonly UnreadSource[];
  /** Suppressions, baseline, window of time and least severity: which findings are told, and as what. */
  readonly select?: (findings: readonly Finding[]) => readonly Finding[];
}

/**
 * The result document of what the store holds and the detectors answered.
 * What `relationsOfResult` names must have been derived.
 */
export async function buildResult(
  store: Store,
  registry: Registry,
  outcomes: readonly DetectorOutcome[],
  context: ResultContext,
): Promise<ResultDocument> {
  const views = await loadViews(store, registry, outcomes);
  const all = outcomes.flatMap((outcome) => findingsOf(outcome, views, context.idText));
  const told = selected(all, context);
  const { incidents, incidentOf } = await incidentsOf(store, registry, told, context.idText);
  const findings = told.map(({ finding }) => ({ ...finding, incident: incidentOf.get(finding.id) ?? null }));
  const sources = await sourceReports(store, context.unread);
  const { window, counts } = await totalsOf(store, registry);
  return {
    schema: RESULT_SCHEMA,
    tool: { name: 'mcp-postmortem', version: context.version },
    command: context.command,
    window,
    sources,
    totals: { ...counts, rejected: sources.reduce((sum, { rejected }) => sum + rejected, 0) },
    verdicts: await verdictsOf(store, registry),
    enforcement: await enforcementOf(store, registry, told),
    detectors: outcomes.map(({ detector, status, reason, ms }) => {
      const count = findings.filter((finding) => finding.detector === detector.meta.id).length;
      return {
        id: detector.meta.id,
        title: detector.meta.title,
        // all of its findings suppressed or out of the window: it judged and nothing is left to tell
        status: status === 'findings' && count === 0 ? (reason === null ? 'clean' : 'partial') : status,
        findings: count,
        reason,
        ms: context.timing ? ms : null,
      };
    }),
    findings: findings.sort(bySeverityAndTime),
    incidents,
    load: await loadChartOf(store, registry, told),
    notJudged: await notJudgedOf(store, registry, outcomes, sources),
  };
}

function selected(all: readonly RawFinding[], context: ResultContext): RawFinding[] {
  if (context.select === undefined) return [...all];
  const kept = new Map(context.select(all.map(({ finding }) => finding)).map((finding) => [finding.id, finding]));
  return all.flatMap((item) => {
    const finding = kept.get(item.finding.id);
    return finding === undefined ? [] : [{ ...item, finding }];
  });
}

async function totalsOf(store: Store, registry: Registry) {
  const row = (await reportRows<Record<string, bigint | null>>(store, registry, 'totals'))[0] ?? {};
  const count = (name: string) => Number(row[name] ?? 0);
  return {
    window: { from: isoTime(row.first_ns ?? null), to: isoTime(row.last_ns ?? null) },
    counts: {
      exchanges: count('exchanges'),
      sessions: count('sessions'),
      epochs: count('epochs'),
      streams: count('streams'),
      events: count('events'),
      messages: count('messages'),
      toolCalls: count('tool_calls'),
      resumes: count('resumes'),
    },
  };
}

async function verdictsOf(store: Store, registry: Registry): Promise<Record<string, number>> {
  const rows = await reportRows<{ verdict: string; resumes: bigint }>(store, registry, 'verdicts');
  return Object.fromEntries(rows.map(({ verdict, resumes }) => [verdict, Number(resumes)]));
}

const RANK: Readonly<Record<Finding['severity'], number>> = { critical: 0, high: 1, medium: 2, low: 3, info: 4 };

/** Gravest first, then in order of time: what a person reads first stands first. */
function bySeverityAndTime(a: Finding, b: Finding): number {
  const severity = RANK[a.severity] - RANK[b.severity];
  if (severity !== 0) return severity;
  if (a.at !== b.at) return (a.at ?? '') < (b.at ?? '') ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
