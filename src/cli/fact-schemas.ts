import { COLUMNS } from '../detect/detector-row.js';
import { boundParameters } from '../detect/parameters.js';
import { type Detector, loadRegistry } from '../detect/registry.js';
import { deriveRelations } from '../detect/runner.js';
import { isFact, SESSION_LIST_FACTS } from '../incident/findings.js';
import type { DetectorFacts } from '../report/result-schema.js';
import type { Store } from '../store/store.js';
import { withStore } from './store-session.js';

/** What the built-in detectors tell as facts, as their SQL declares it to the database. */
export async function factSchemas(): Promise<DetectorFacts[]> {
  const registry = await loadRegistry();
  const reads = registry.detectors.flatMap((detector) => detector.reads);
  return withStore({}, false, async (store) => {
    await deriveRelations(store, registry, reads);
    const facts: DetectorFacts[] = [];
    for (const detector of registry.detectors) facts.push(await factsOf(store, detector));
    return facts;
  });
}

async function factsOf(store: Store, { meta, sql }: Detector): Promise<DetectorFacts> {
  const columns = await store.rows<{ column_name: string; column_type: string }>(
    `describe ${sql}`,
    boundParameters(meta, {}),
  );
  const facts = columns
    .filter(({ column_name: name }) => !COLUMNS.includes(name) && isFact(name))
    .map(({ column_name: name, column_type: type }) => [
      name,
      SESSION_LIST_FACTS.has(name) ? orNull(listOf('string')) : schemaOf(type),
    ]);
  return { id: meta.id, facts: Object.fromEntries(facts) };
}

type Schema = Readonly<Record<string, unknown>>;

/** A type of DuckDB as the facts carry it. */
function schemaOf(type: string): Schema {
  const item = /^(.*)\[\]$/.exec(type)?.[1];
  if (item !== undefined) return orNull(listOf(wordOf(item)));
  return { type: [wordOf(type), 'null'] };
}

function listOf(word: string): Schema {
  return { type: 'array', items: { type: [word, 'null'] } };
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

function wordOf(type: string): string {
  if (/^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(type)) return 'integer';
  if (/^(?:DOUBLE|FLOAT|DECIMAL)/.test(type)) return 'number';
  return type === 'BOOLEAN' ? 'boolean' : 'string';
}
