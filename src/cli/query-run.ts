import { deriveRelations } from '../detect/runner.js';
import { assertReadOnlyQuery, DEFAULT_TIME_LIMIT_MS } from '../detect/sandbox.js';
import { relationsRead } from '../detect/sql-reads.js';
import { PostmortemError } from '../error.js';
import { withFilledStore } from './list-run.js';
import type { QueryOptions } from './query.js';
import { cellOf, rowFormats, writeRows } from './row-report.js';

/** `query`: derives the relations that the SQL names, locks the database, runs it. @returns the exit code */
export async function runQuery(sql: string, paths: readonly string[], options: QueryOptions): Promise<number> {
  rowFormats(options);
  return withFilledStore(paths, options, async ({ store, registry, console }) => {
    const broken = await deriveRelations(store, registry, relationsRead(sql), (what) => console.progress(what));
    const [failure] = broken.values();
    if (failure !== undefined) throw new PostmortemError('query-failed', failure, 'This is a fault of mcp-postmortem.');
    await store.lock();
    await assertReadOnlyQuery(store, sql);
    const limitMs = options.timeLimit === undefined ? DEFAULT_TIME_LIMIT_MS : options.timeLimit * 1000;
    const { columns, rows } = await store.withTimeLimit(limitMs, () => store.table(sql));
    console.clearProgress();
    const cells = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, cellOf(row[index])])));
    await writeRows({ rows: cells, columns: columns.map((key) => ({ key, title: key })), noun: 'row' }, options);
  });
}
