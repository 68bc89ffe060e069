import { readFile } from 'node:fs/promises';
import { PostmortemError } from '../error.js';
import { PACKAGE_ROOT, readSqlFolder, type SqlFile } from '../store/package-files.js';
import { type DetectorMeta, parseFrontMatter } from './front-matter.js';
import { relationsRead } from './sql-reads.js';

/** A derived relation: one SELECT, named after its file. */
export interface Relation {
  readonly name: string;
  readonly path: string;
  readonly sql: string;
  readonly reads: readonly string[];
}

export interface Detector {
  readonly meta: DetectorMeta;
  readonly path: string;
  readonly sql: string;
  readonly reads: readonly string[];
  /** A user's own run locked, with a time limit. */
  readonly origin: 'built-in' | 'user';
  /** Its documentation in Markdown; null when the file is missing. */
  readonly page: string | null;
}

export interface Registry {
  /** Tables that the readers fill. */
  readonly tables: ReadonlySet<string>;
  readonly relations: ReadonlyMap<string, Relation>;
  /** Sorted by id, a user's own behind the built-in ones. */
  readonly detectors: readonly Detector[];
  /** The SELECTs behind commands and charts, by name. */
  readonly reports: ReadonlyMap<string, Relation>;
}

/** What comes with the package is read once. */
let shipped: ReturnType<typeof loadShipped> | null = null;

async function loadShipped() {
  const queries = `${PACKAGE_ROOT}queries`;
  const [schema, model, reports, builtIn] = await Promise.all([
    readSqlFolder(`${queries}/schema`),
    readSqlFolder(`${queries}/model`),
    readSqlFolder(`${queries}/reports`),
    detectorsIn(`${queries}/detectors`, 'built-in'),
  ]);
  return { schema, model: byName(model), reports: byName(reports), builtIn };
}

/**
 * Loads everything under `queries/`, and a user's own detectors.
 * @param queriesFolder `--queries DIR`, or null
 * @throws PostmortemError `detector-invalid`, naming file and line
 */
export async function loadRegistry(queriesFolder: string | null = null): Promise<Registry> {
  shipped ??= loadShipped();
  const { schema, model, reports, builtIn } = await shipped;
  const own = queriesFolder === null ? [] : await detectorsIn(queriesFolder, 'user');
  if (queriesFolder !== null && own.length === 0) {
    throw new PostmortemError(
      'detector-invalid',
      `${queriesFolder}: holds no .sql file`,
      'Give the folder of your detectors; `mcp-postmortem detectors new ID` makes one.',
    );
  }
  const detectors = [...builtIn, ...own];
  const seen = new Map<string, string>();
  for (const { meta, path } of detectors) {
    const other = seen.get(meta.id);
    if (other !== undefined) {
      throw new PostmortemError('detector-invalid', `${path}: the id "${meta.id}" is that of ${other}`, 'Rename one.');
    }
    seen.set(meta.id, path);
  }
  return {
    tables: new Set(schema.map((file) => file.name)),
    relations: model,
    reports,
    detectors,
  };
}

function byName(files: readonly SqlFile[]): Map<string, Relation> {
  return new Map(
    files.map((file) => [
      file.name,
      { name: file.name, path: file.path, sql: file.text, reads: relationsRead(file.text) },
    ]),
  );
}

async function detectorsIn(folder: string, origin: Detector['origin']): Promise<Detector[]> {
  const files = await readSqlFolder(folder);
  return Promise.all(
    files.map(async (file) => {
      const meta = parseFrontMatter(file.path, file.text);
      if (meta.id !== file.name) {
        throw new PostmortemError(
          'detector-invalid',
          `${file.path}: the id "${meta.id}" is not the name of the file`,
          `Name the file ${meta.id}.sql.`,
        );
      }
      const page = await readFile(file.path.replace(/\.sql$/, '.md'), 'utf8').catch(() => null);
      return { meta, path: file.path, sql: file.text, reads: relationsRead(file.text), origin, page };
    }),
  );
}

/**
 * The relations that queries need, each after those it reads itself.
 * @param reads names that queries read: relations and tables
 * @throws PostmortemError `detector-invalid` when relations read each other in a circle
 */
export function relationsInOrder(registry: Registry, reads: Iterable<string>): Relation[] {
  const ordered: Relation[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string, trail: readonly string[]): void => {
    const relation = registry.relations.get(name);
    if (relation === undefined || state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      const circle = [...trail.slice(trail.indexOf(name)), name].join(' → ');
      throw new PostmortemError('detector-invalid', `${relation.path}: reads itself (${circle})`, 'Break the circle.');
    }
    state.set(name, 'open');
    for (const read of relation.reads) visit(read, [...trail, name]);
    state.set(name, 'done');
    ordered.push(relation);
  };
  for (const name of [...reads].sort()) visit(name, []);
  return ordered;
}
