import type { SqlValue } from '../store/store.js';
import { SEVERITY_WORDS, type SeverityWord } from './front-matter.js';

export type Confidence = 'possible' | 'probable' | 'definite';

/** One answer of a detector, as its SQL gave it. */
export interface DetectorRow {
  /** Tags; null where the answer concerns no single session. */
  readonly session: string | null;
  readonly otherSession: string | null;
  readonly atNs: bigint | null;
  readonly untilNs: bigint | null;
  readonly severity: SeverityWord;
  readonly confidence: Confidence;
  /** Ids of exchanges or requests: the evidence, in order. */
  readonly exchanges: readonly string[];
  /** Every further column, under its own name. */
  readonly facts: Readonly<Record<string, SqlValue>>;
}

const CONFIDENCES = ['possible', 'probable', 'definite'] as const;
/** What every detector returns (`other_session` where two are involved); every further column is a fact. */
export const COLUMNS = ['session', 'other_session', 'at_ns', 'until_ns', 'severity', 'confidence', 'exchanges'];
const REQUIRED_COLUMNS = COLUMNS.filter((column) => column !== 'other_session');

/** @throws TypeError naming the column that is missing or wrong */
export function detectorRow(row: Readonly<Record<string, SqlValue>>): DetectorRow {
  for (const column of REQUIRED_COLUMNS) {
    if (!Object.hasOwn(row, column)) throw new TypeError(`the column ${column} is missing`);
  }
  const severity = oneOf('severity', row.severity, SEVERITY_WORDS);
  const confidence = oneOf('confidence', row.confidence, CONFIDENCES);
  const facts = Object.entries(row).filter(([column]) => !COLUMNS.includes(column));
  return {
    session: textOf(row.session),
    otherSession: textOf(row.other_session),
    atNs: timeOf('at_ns', row.at_ns),
    untilNs: timeOf('until_ns', row.until_ns),
    severity,
    confidence,
    exchanges: idsOf(row.exchanges),
    facts: Object.fromEntries(facts),
  };
}

function oneOf<T extends string>(column: string, value: SqlValue | undefined, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw new TypeError(`${column} is ${String(value)}, not one of ${words.join(', ')}`);
  return word;
}

function textOf(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function timeOf(column: string, value: SqlValue | undefined): bigint | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new TypeError(`${column} is no whole number of nanoseconds`);
}

function idsOf(value: SqlValue | undefined): string[] {
  if (Array.isArray(value)) return value.map(String);
  return (textOf(value) ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/** In time; what happened at the same time in an order that is the same in every run. */
export function inOrder(rows: readonly DetectorRow[]): DetectorRow[] {
  const keyed = rows.map((row) => ({ row, key: sortKey(row) }));
  keyed.sort((a, b) => compareTimes(a.row.atNs, b.row.atNs) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}

function compareTimes(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function sortKey(row: DetectorRow): string {
  const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify([row.session, row.otherSession, row.exchanges, row.facts], plain);
}
