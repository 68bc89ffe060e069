import type { Registry } from '../detect/registry.js';
import { PACKAGE_ROOT, readSqlFolder } from '../store/package-files.js';
import type { Store } from '../store/store.js';

/** Selections that others read, in this order. */
const STEPS = ['judged_range', 'judged_session', 'judged_source', 'judged_exchange'] as const;

/**
 * Does `work` with the records that are to be judged in place of the tables: what has not been judged, as far before it
 * as records may come late, and the whole histories of the sessions in it. They lie in a database in memory, in the order
 * in which `analyze` would have read the files; derived relations are made there, and the state stays small.
 */
export async function withJudgedRecords<T>(
  store: Store,
  registry: Registry,
  latenessNs: bigint,
  work: (fromNs: bigint | null, keptName: string) => Promise<T>,
): Promise<T> {
  const [kept] = await store.rows<{ name: string }>('select current_database() as name');
  const keptName = quoted(kept?.name ?? 'main');
  const files = new Map((await readSqlFolder(`${PACKAGE_ROOT}queries/judged`)).map(({ name, text }) => [name, text]));
  await store.run(`create or replace temp table lateness as select cast(${latenessNs} as bigint) as lateness_ns`);
  for (const step of STEPS) await store.run(`create or replace temp table ${step} as ${files.get(step) ?? ''}`);
  const [range] = await store.rows<{ from_ns: bigint | null }>('select from_ns from judged_range');
  await store.run("attach ':memory:' as judged");
  try {
    for (const table of registry.tables) {
      // `select *` of none keeps the columns of a table that has no selection of its own.
      const select = files.get(table) ?? `select * from ${table} limit 0`;
      await store.run(`create table judged.main.${table} as ${select}`);
    }
    for (const step of STEPS) await store.run(`drop table temp.${step}`);
    await store.run('use judged');
    return await work(range?.from_ns ?? null, keptName);
  } finally {
    await store.run(`use ${keptName}`);
    await store.run('detach judged');
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
