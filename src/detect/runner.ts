import type { SqlValue, Store } from '../store/store.js';
import { type DetectorRow, detectorRow, inOrder } from './detector-row.js';
import { judgedSources, judgeEvidence } from './judged-sources.js';
import { boundParameters } from './parameters.js';
import { type Detector, type Registry, relationsInOrder } from './registry.js';
import { assertReadOnlyQuery, DEFAULT_TIME_LIMIT_MS } from './sandbox.js';

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

/** Findings of one detector of a user's. */
const MOST_ROWS = 100_000;

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
  const reads = new Set([...(options.alsoNeeded ?? []), 'link', ...selected.flatMap((detector) => detector.reads)]);
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
  const parameters = boundParameters(detector.meta, options.params ?? {});
  if (detector.origin === 'built-in') {
    return inOrder((await store.rows<Record<string, SqlValue>>(detector.sql, parameters)).map(detectorRow));
  }
  await assertReadOnlyQuery(store, detector.sql);
  const { columns, rows } = await store.withTimeLimit(options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS, () =>
    store.table(detector.sql, parameters),
  );
  if (rows.length > MOST_ROWS)
    throw new RangeError(`it has more than ${MOST_ROWS} rows: nobody reads so many findings`);
  const named = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])));
  return inOrder(named.map(detectorRow));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
