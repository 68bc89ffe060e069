import { createHash } from 'node:crypto';
import type { DetectorOutcome } from '../detect/runner.js';
import type { Finding } from '../incident/finding.js';
import type { Evidence, Vantage } from '../readers/record.js';
import { RESULT_SCHEMA, type ResultDocument, type SourceReport } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import type { IdText } from './id-text.js';
import type { LoadFailure } from './load.js';

export interface ResultContext {
  readonly version: string;
  readonly command: string;
  readonly idText: IdText;
  readonly timing: boolean;
  readonly failures: readonly LoadFailure[];
}

/** The result document of what the store holds and the detectors answered. */
export async function buildResult(
  store: Store,
  outcomes: readonly DetectorOutcome[],
  context: ResultContext,
): Promise<ResultDocument> {
  const findings = outcomes.flatMap((outcome) => outcome.rows.map((row) => findingOf(outcome, row, context)));
  const sources = await sourceReports(store, context.failures);
  return {
    schema: RESULT_SCHEMA,
    tool: { name: 'mcp-postmortem', version: context.version },
    command: context.command,
    window: await windowOf(store),
    sources,
    totals: await totalsOf(store),
    verdicts: {},
    enforcement: { loud: 0, silent: 0, rows: [] },
    detectors: outcomes.map(({ detector, status, reason, rows, ms }) => ({
      id: detector.meta.id,
      title: detector.meta.title,
      status,
      findings: rows.length,
      reason,
      ms: context.timing ? ms : null,
    })),
    findings,
    incidents: [],
    load: { bucketMs: 0, buckets: [], backends: [], windows: [], idle: [] },
    notJudged: [],
  };
}

function findingOf(outcome: DetectorOutcome, row: DetectorOutcome['rows'][number], context: ResultContext): Finding {
  const { meta } = outcome.detector;
  const tags = [row.session, row.otherSession].filter((tag): tag is string => tag !== null);
  const keys = meta.key.map((column) => String(column === 'session' ? row.session : (row.facts[column] ?? '')));
  const facts = Object.fromEntries(
    Object.entries(row.facts).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : (value as string | number | boolean | null),
    ]),
  );
  return {
    id: createHash('sha256')
      .update([meta.id, ...keys].join('\0'))
      .digest('hex')
      .slice(0, 16),
    detector: meta.id,
    severity: row.severity,
    confidence: row.confidence,
    title: meta.title,
    explanation: meta.explanation.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? row.session ?? '')),
    sessions: tags.map(context.idText.session),
    at: isoTime(row.atNs),
    until: isoTime(row.untilNs),
    evidence: [],
    facts,
    incident: null,
    state: 'new',
  };
}

export function isoTime(ns: bigint | null): string | null {
  if (ns === null) return null;
  const ms = ns / 1_000_000n - (ns % 1_000_000n < 0n ? 1n : 0n);
  return new Date(Number(ms)).toISOString();
}

async function windowOf(store: Store): Promise<ResultDocument['window']> {
  const rows = await store.rows<{ first: bigint | null; last: bigint | null }>(
    `select min(coalesce(started_ns, ended_ns)) as "first", max(coalesce(ended_ns, started_ns)) as "last" from exchange`,
  );
  return { from: isoTime(rows[0]?.first ?? null), to: isoTime(rows[0]?.last ?? null) };
}

async function sourceReports(store: Store, failures: readonly LoadFailure[]): Promise<SourceReport[]> {
  interface SourceRow {
    source_id: number;
    path: string;
    format: string;
    producer: string | null;
    vantage: Vantage | 'mixed';
    sha256: string;
    bytes: bigint;
    records: bigint;
    skipped: bigint;
    rejected: bigint;
    duplicates: bigint;
    evidence: string;
    warnings: string;
  }
  const rows = await store.rows<SourceRow>('select * from source order by source_id');
  const rejects = await store.rows<{ source_id: number; locator: string; reason: string }>(
    'select source_id, locator, reason from reject',
  );
  const read = rows.map((row) => ({
    path: row.path,
    format: row.format,
    producer: row.producer,
    vantage: row.vantage,
    sha256: row.sha256,
    bytes: Number(row.bytes),
    records: Number(row.records),
    skipped: Number(row.skipped),
    rejected: Number(row.rejected),
    duplicates: Number(row.duplicates),
    evidence: row.evidence.split(',').filter((word) => word !== '') as Evidence[],
    rejects: rejects
      .filter((reject) => reject.source_id === row.source_id)
      .map(({ locator, reason }) => ({ locator, reason })),
    warnings: row.warnings.split('\n').filter((line) => line !== ''),
    error: null,
  }));
  const unread = failures.map(({ path, error }) => ({
    path,
    format: 'unknown',
    producer: null,
    vantage: 'unknown' as const,
    sha256: '',
    bytes: 0,
    records: 0,
    skipped: 0,
    rejected: 0,
    duplicates: 0,
    evidence: [],
    rejects: [],
    warnings: [],
    error: error.message,
  }));
  return [...read, ...unread].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

async function totalsOf(store: Store): Promise<ResultDocument['totals']> {
  const rows = await store.rows<Record<string, bigint>>(`
    select
      (select count(*) from exchange) as exchanges,
      (select count(*) from session) as sessions,
      (select count(*) from event where complete) as events,
      (select count(*) from message) as messages,
      (select count(*) from message where sender = 'client' and kind = 'request' and rpc_method = 'tools/call') as calls,
      (select count(*) from exchange where last_event_id is not null) as resumes,
      (select coalesce(sum(rejected), 0) from source) as rejected`);
  const totals = rows[0] ?? {};
  const count = (name: string) => Number(totals[name] ?? 0);
  return {
    exchanges: count('exchanges'),
    sessions: count('sessions'),
    epochs: 0,
    streams: 0,
    events: count('events'),
    messages: count('messages'),
    toolCalls: count('calls'),
    resumes: count('resumes'),
    rejected: count('rejected'),
  };
}
