import { createHash } from 'node:crypto';
import type { DetectorRow } from '../detect/detector-row.js';
import type { DetectorOutcome } from '../detect/runner.js';
import type { SqlValue } from '../store/store.js';
import type { FactValue, Finding } from './finding.js';
import type { IdText } from './id-text.js';
import { phraseOf } from './phrases.js';
import { isoTime } from './time.js';
import { evidenceOf, type View } from './views.js';

/** A finding with what the incident needs beyond the document. */
export interface RawFinding {
  readonly finding: Finding;
  readonly row: DetectorRow;
  readonly views: readonly View[];
}

/** Columns of this ending are words for the explanation alone. */
const TEXT_COLUMN = /_text$/;

/** Columns of this ending hold request ids: numbers of one run, shown as evidence and named in ids by what they stand for. */
const REQUEST_COLUMN = /_request$/;

/** Facts that quote session ids or event ids as the tables hold them. */
const EVENT_ID_FACTS = new Set(['last_event_id', 'first_event_id', 'example']);
/** Facts that list sessions, in SQL joined by commas. */
export const SESSION_LIST_FACTS: ReadonlySet<string> = new Set(['examples']);

/** Findings of one detector, in the order of its rows. */
export function findingsOf(
  outcome: DetectorOutcome,
  viewsOf: ReadonlyMap<string, readonly View[]>,
  idText: IdText,
): RawFinding[] {
  const taken = new Map<string, number>();
  return outcome.rows.map((row) => {
    const views = row.exchanges.flatMap((id) => viewsOf.get(id) ?? []);
    const facts = factsOf(row, idText);
    const { meta } = outcome.detector;
    const base = identityOf(outcome, row, viewsOf);
    // two rows of one identity (a detector with too small a key) must not become one finding
    const nth = taken.get(base) ?? 0;
    taken.set(base, nth + 1);
    const sessions = sessionsOf(row).map((tag) => idText.session(tag));
    const finding: Finding = {
      id: digest(nth === 0 ? base : `${base}\0${nth}`),
      detector: meta.id,
      severity: row.severity,
      confidence: row.confidence,
      title: meta.title,
      explanation: explain(meta.explanation, { ...wordsOf(row, idText), ...facts, ...named(row, idText) }),
      sessions,
      at: isoTime(row.atNs),
      until: isoTime(row.untilNs),
      evidence: unique(views.map((view) => evidenceOf(view, idText))),
      facts,
      incident: null,
      state: 'new',
    };
    return { finding, row, views };
  });
}

export function sessionsOf(row: DetectorRow): string[] {
  return [row.session, row.otherSession].filter((tag): tag is string => tag !== null);
}

function named(row: DetectorRow, idText: IdText): Record<string, FactValue> {
  return {
    session: row.session === null ? null : idText.session(row.session),
    other_session: row.otherSession === null ? null : idText.session(row.otherSession),
  };
}

/** Words that the SQL chose; a session's tag in them is printed like any other. */
function wordsOf(row: DetectorRow, idText: IdText): Record<string, FactValue> {
  return Object.fromEntries(
    Object.entries(row.facts)
      .filter(([name]) => TEXT_COLUMN.test(name))
      .map(([name, value]) => {
        const text = String(value ?? '');
        return [name, row.session === null ? text : text.replaceAll(row.session, idText.session(row.session))];
      }),
  );
}

/** Whether a column beyond the required ones is told as a fact. */
export function isFact(column: string): boolean {
  return !REQUEST_COLUMN.test(column) && !TEXT_COLUMN.test(column);
}

function factsOf(row: DetectorRow, idText: IdText): Record<string, FactValue> {
  return Object.fromEntries(
    Object.entries(row.facts)
      .filter(([name]) => isFact(name))
      .map(([name, value]) => [name, factOf(name, value, idText)]),
  );
}

function factOf(name: string, value: SqlValue, idText: IdText): FactValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string') {
    if (EVENT_ID_FACTS.has(name)) return idText.eventId(value);
    if (name === 'endpoint') return endpointOf(value);
    if (SESSION_LIST_FACTS.has(name)) return value.split(', ').map((tag) => idText.session(tag));
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'bigint' ? Number(item) : String(item)));
  return value as FactValue;
}

/** A hop is vantage and endpoint; people know the endpoint. */
export function endpointOf(hop: string): string {
  const endpoint = hop.slice(hop.indexOf(' ') + 1);
  return endpoint === '' ? 'unknown' : endpoint;
}

/** What stays the same in every run over the same facts: the key's values, requests by what was on the wire. */
function identityOf(
  { detector }: DetectorOutcome,
  row: DetectorRow,
  viewsOf: ReadonlyMap<string, readonly View[]>,
): string {
  const parts = detector.meta.key.map((column) => {
    if (column === 'session') return row.session ?? '';
    if (column === 'other_session') return row.otherSession ?? '';
    const value = row.facts[column] ?? null;
    if (REQUEST_COLUMN.test(column)) return wireName(viewsOf.get(String(value))?.[0]) ?? String(value);
    return String(value);
  });
  return [detector.meta.id, ...parts].join('\0');
}

function wireName(view: View | undefined): string | null {
  if (view === undefined) return null;
  const startedMs = view.at_ns === null ? '' : String(view.at_ns / 1_000_000n);
  return [startedMs, view.http_method, view.request_session, view.response_session, view.last_event_id, view.rpc_id]
    .map((part) => part ?? '')
    .join('\u0001');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function explain(template: string, facts: Readonly<Record<string, FactValue>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => phraseOf(name, facts[name]));
}

function unique<T extends { readonly source: string; readonly locator: string }>(items: readonly T[]): T[] {
  const seen = new Set<string>();
  return items.filter(({ source, locator }) => {
    const key = `${source}\0${locator}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
