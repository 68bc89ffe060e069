import { PostmortemError } from '../error.js';
import type { Store } from '../store/store.js';
import { boundParameters } from './parameters.js';
import { type Detector, type Registry, relationsInOrder } from './registry.js';
import { deriveRelations } from './runner.js';
import { samplesOf } from './samples.js';
import { assertReadOnlyQuery } from './sandbox.js';
import { sqlTokens } from './sql-tokens.js';

export interface LintProblem {
  readonly path: string;
  readonly problem: string;
}

const REQUIRED_COLUMNS = ['session', 'at_ns', 'until_ns', 'severity', 'confidence', 'exchanges'];
/** What only one of the two engines knows; see `queries/dialect`. */
const ONE_ENGINE_ONLY = /^(try_cast|quantile_cont|asof|interval|list_transform|list_filter|json_.*|map)$/i;
const MAX_LINES = 80;

/**
 * Checks detectors against their metadata, on an empty store.
 * @param samplesFolder where `ID/positive-…` and `ID/negative-…` lie
 */
export async function lintDetectors(
  store: Store,
  registry: Registry,
  detectors: readonly Detector[],
  samplesFolder: string,
): Promise<LintProblem[]> {
  const problems: LintProblem[] = [];
  const broken = await deriveRelations(
    store,
    registry,
    detectors.flatMap(({ reads }) => reads),
  );
  for (const [name, problem] of broken) problems.push({ path: registry.relations.get(name)?.path ?? name, problem });
  for (const detector of detectors) {
    const found = [
      ...textProblems(registry, detector),
      ...(await sampleProblems(detector, samplesFolder)),
      ...(await columnProblems(store, detector)),
    ];
    for (const problem of found) problems.push({ path: detector.path, problem });
  }
  return problems;
}

/** Relations: circles, unknown names, and files that nothing reads. */
export function lintRelations(registry: Registry): LintProblem[] {
  const problems: LintProblem[] = [];
  const readers = [...registry.relations.values(), ...registry.reports.values(), ...registry.detectors];
  const read = new Set(readers.flatMap(({ reads }) => reads));
  for (const { name, path, reads } of [...registry.relations.values(), ...registry.reports.values()]) {
    for (const unknown of reads.filter((table) => !isKnown(registry, table))) {
      problems.push({ path, problem: `reads ${unknown}, which is neither a table nor a relation` });
    }
    if (registry.relations.has(name) && !read.has(name))
      problems.push({ path, problem: 'nothing reads this relation' });
  }
  try {
    relationsInOrder(registry, registry.relations.keys());
  } catch (error) {
    if (!(error instanceof PostmortemError)) throw error;
    problems.push({ path: 'queries/model', problem: error.message });
  }
  return problems;
}

function isKnown(registry: Registry, table: string): boolean {
  return registry.tables.has(table) || registry.relations.has(table);
}

function textProblems(registry: Registry, { sql, meta, reads, page }: Detector): string[] {
  const problems: string[] = [];
  const tokens = sqlTokens(sql);
  const used = new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ text }) => text.slice(1)));
  if (page === null) problems.push('has no documentation: a file of the same name that ends in .md');
  for (const name of reads) {
    if (!isKnown(registry, name)) problems.push(`reads ${name}, which is neither a table nor a relation`);
  }
  for (const name of Object.keys(meta.params)) if (!used.has(name)) problems.push(`the parameter ${name} is not used`);
  for (const name of used) if (!Object.hasOwn(meta.params, name)) problems.push(`$${name} is not among its params`);
  if (tokens.some(({ kind, text }) => kind === 'word' && /^limit$/i.test(text))) problems.push('has a LIMIT');
  if (sql.split('\n').length > MAX_LINES) problems.push(`is longer than ${MAX_LINES} lines: a relation hides in it`);
  for (const [index, { kind, text, line }] of tokens.entries()) {
    const isDivision = kind === 'symbol' && text === '/' && tokens[index + 1]?.text === '/';
    if (isDivision || (kind === 'word' && ONE_ENGINE_ONLY.test(text))) {
      problems.push(`line ${line}: ${isDivision ? '//' : text} is not in the SQL that both engines share`);
    }
  }
  return problems;
}

async function sampleProblems({ meta }: Detector, samplesFolder: string): Promise<string[]> {
  const samples = await samplesOf(samplesFolder, meta.id);
  return (['positive', 'negative'] as const)
    .filter((kind) => !samples.some((sample) => sample.kind === kind))
    .map((kind) => `has no ${kind} sample (${meta.id}/${kind}-NAME/)`);
}

async function columnProblems(store: Store, { sql, meta, origin }: Detector): Promise<string[]> {
  let columns: string[];
  try {
    if (origin === 'user') await assertReadOnlyQuery(store, sql);
    columns = await store.columnsOf(sql, boundParameters(meta, {}));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const known = new Set(columns);
  const placeholders = [...meta.explanation.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  return [
    ...REQUIRED_COLUMNS.filter((column) => !known.has(column)).map((column) => `the column ${column} is missing`),
    ...meta.key.filter((column) => !known.has(column)).map((column) => `key: there is no column ${column}`),
    ...placeholders
      .filter((name) => !known.has(name) && !FROM_TIMES.has(name))
      .map((name) => `explanation: there is no column ${name}`),
  ];
}

/** Written into explanations from `at_ns` and `until_ns`. */
const FROM_TIMES = new Set(['at', 'until']);
