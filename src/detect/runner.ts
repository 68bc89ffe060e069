import type { SqlValue, Store } from '../store/store.js';
import { evidenceOf, missingSentence } from './evidence.js';
import type { DetectorParam, SeverityWord } from './front-matter.js';
import { type Detector, type Registry, relationsInOrder } from './registry.js';
import { assertReadOnlyQuery, DEFAULT_TIME_LIMIT_MS } from './sandbox.js';

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

export interface DetectorOutcome {
  readonly detector: Detector;
  readonly status: 'findings' | 'clean' | 'partial' | 'not-applicable' | 'error';
  /** Why it could not judge, or not all, and how to capture what is missing. */
  readonly reason: string | null;
  readonly rows: readonly DetectorRow[];
  readonly ms: number;
}

export interface RunOptions {
  /** Ids; null: all. */
  readonly only?: readonly string[] | null;
  readonly skip?: readonly string[];
  /** `detector.param` → value, over the defaults. */
  readonly params?: Readonly<Record<string, number | string | boolean>>;
  /** For each detector of a user's. */
  readonly timeLimitMs?: number;
  /** Further relations and tables that the caller will read afterwards. */
  readonly alsoNeeded?: Iterable<string>;
  readonly onProgress?: (what: string) => void;
}

/** The detectors that `--only` and `--skip` leave. */
export function selectedDetectors(registry: Registry, options: RunOptions): Detector[] {
  const only = options.only ?? null;
  const skip = new Set(options.skip ?? []);
  return registry.detectors.filter(({ meta }) => (only === null || only.includes(meta.id)) && !skip.has(meta.id));
}

/**
 * Derives what the selected detectors read and runs them, each for itself: one that fails stops no other.
 * From here on the settings of the database are locked when a user's detector is among them.
 */
export async function runDetectors(
  store: Store,
  registry: Registry,
  options: RunOptions = {},
): Promise<DetectorOutcome[]> {
  const selected = selectedDetectors(registry, options);
  const reads = new Set([...(options.alsoNeeded ?? []), ...selected.flatMap((detector) => detector.reads)]);
  const broken = await deriveRelations(store, registry, reads, options.onProgress);
  const sources = await judgedSources(store);
  if (selected.some(({ origin }) => origin === 'user')) await store.lock();
  const outcomes: DetectorOutcome[] = [];
  for (const detector of selected) {
    options.onProgress?.(detector.meta.id);
    outcomes.push(await runDetector(store, registry, detector, sources, broken, options));
  }
  return outcomes;
}

/**
 * Makes tables of the relations that `reads` needs.
 * @returns what failed: relation → message. Relations that read one of these are in it as well.
 */
export async function deriveRelations(
  store: Store,
  registry: Registry,
  reads: Iterable<string>,
  onProgress?: (what: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const broken = new Map<string, string>();
  for (const relation of relationsInOrder(registry, reads)) {
    const cause = relation.reads.find((read) => broken.has(read));
    if (cause !== undefined) {
      broken.set(relation.name, broken.get(cause)!);
      continue;
    }
    onProgress?.(relation.name);
    try {
      await store.materialise(relation.name, relation.sql);
    } catch (error) {
      broken.set(relation.name, `relation ${relation.name}: ${messageOf(error)}`);
    }
  }
  return broken;
}

async function runDetector(
  store: Store,
  registry: Registry,
  detector: Detector,
  sources: readonly ReadonlySet<string>[],
  broken: ReadonlyMap<string, string>,
  options: RunOptions,
): Promise<DetectorOutcome> {
  const started = performance.now();
  const outcome = (part: Pick<DetectorOutcome, 'status' | 'reason'>, rows: readonly DetectorRow[] = []) => ({
    detector,
    ...part,
    rows,
    ms: Math.round(performance.now() - started),
  });
  const evidence = judgeEvidence(detector, sources);
  if (evidence.status === 'not-applicable') return outcome(evidence);
  const needed = [...detector.reads, ...relationsInOrder(registry, detector.reads).map(({ name }) => name)];
  const cause = needed.find((name) => broken.has(name));
  if (cause !== undefined) return outcome({ status: 'error', reason: broken.get(cause)! });
  try {
    const rows = await query(store, detector, options);
    if (rows.length > 0) return outcome({ status: 'findings', reason: evidence.reason }, rows);
    return outcome(evidence);
  } catch (error) {
    return outcome({ status: 'error', reason: messageOf(error) });
  }
}

async function query(store: Store, detector: Detector, options: RunOptions): Promise<DetectorRow[]> {
  const parameters = boundParameters(detector, options.params ?? {});
  const run = () => store.rows<Record<string, SqlValue>>(detector.sql, parameters);
  if (detector.origin === 'built-in') return sorted((await run()).map(detectorRow));
  await assertReadOnlyQuery(store, detector.sql);
  return sorted((await store.withTimeLimit(options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS, run)).map(detectorRow));
}

function boundParameters(detector: Detector, given: NonNullable<RunOptions['params']>) {
  return Object.fromEntries(
    Object.entries(detector.meta.params).map(([name, param]) => {
      const value = given[`${detector.meta.id}.${name}`] ?? param.default;
      return [name, checkedParameter(`${detector.meta.id}.${name}`, param, value)];
    }),
  );
}

function checkedParameter(name: string, param: DetectorParam, value: number | string | boolean) {
  const { type, min, max } = param;
  const wanted = type === 'integer' || type === 'number' ? 'number' : type === 'text' ? 'string' : 'boolean';
  const inside = typeof value !== 'number' || (value >= (min ?? value) && value <= (max ?? value));
  if (typeof value !== wanted || !inside || (type === 'integer' && !Number.isSafeInteger(value))) {
    throw new RangeError(`parameter ${name}: ${String(value)} is no ${type} from ${min ?? '-∞'} to ${max ?? '∞'}`);
  }
  return type === 'integer' ? BigInt(value as number) : value;
}

/** The evidence of each source that has exchanges: an error log beside its access log is judged with it. */
async function judgedSources(store: Store): Promise<ReadonlySet<string>[]> {
  const sources = await store.rows<{ evidence: string }>(
    `select evidence from source
     where source_id in (select source_id from exchange) order by source_id`,
  );
  return sources.map(({ evidence }) => evidenceOf(evidence));
}

function judgeEvidence(
  detector: Detector,
  sources: readonly ReadonlySet<string>[],
): { status: 'clean' | 'partial' | 'not-applicable'; reason: string | null } {
  const needs = detector.meta.needs;
  const together = new Set(sources.flatMap((evidence) => [...evidence]));
  const missing = needs.filter((need) => !together.has(need));
  if (sources.length === 0) return { status: 'not-applicable', reason: 'no source holds MCP traffic' };
  if (missing.length > 0) return { status: 'not-applicable', reason: missingSentence(missing) };
  const able = sources.filter((evidence) => needs.every((need) => evidence.has(need))).length;
  if (able === sources.length) return { status: 'clean', reason: null };
  const lacking = needs.filter((need) => !sources.every((evidence) => evidence.has(need)));
  return {
    status: 'partial',
    reason: `judged from ${able} of ${sources.length} sources; elsewhere it ${missingSentence(lacking)}`,
  };
}

const COLUMNS = ['session', 'other_session', 'at_ns', 'until_ns', 'severity', 'confidence', 'exchanges'];
const REQUIRED_COLUMNS = COLUMNS.filter((column) => column !== 'other_session');

function detectorRow(row: Readonly<Record<string, SqlValue>>): DetectorRow {
  for (const column of REQUIRED_COLUMNS) {
    if (!Object.hasOwn(row, column)) throw new TypeError(`the column ${column} is missing`);
  }
  const severity = oneOf('severity', row.severity, ['info', 'low', 'medium', 'high', 'critical'] as const);
  const confidence = oneOf('confidence', row.confidence, ['possible', 'probable', 'definite'] as const);
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
function sorted(rows: readonly DetectorRow[]): DetectorRow[] {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
