import type { Column } from '../report/rows.js';
import { Console } from './console.js';
import { EXIT } from './exit-code.js';
import { findInputs, loadInputs } from './load.js';
import type { InputOptions, OutputOptions, StoreOptions } from './options.js';
import { cellOf, rowFormats, writeRows } from './row-report.js';
import { requiredDatabase, withStore } from './store-session.js';

const COLUMNS: readonly Column[] = [
  { key: 'path', title: 'Path' },
  { key: 'format', title: 'Format' },
  { key: 'vantage', title: 'Seen from' },
  { key: 'exchanges', title: 'Exchanges', align: 'right' },
  { key: 'records', title: 'Records', align: 'right' },
  { key: 'skipped', title: 'Skipped', align: 'right' },
  { key: 'rejected', title: 'Rejected', align: 'right' },
  { key: 'duplicates', title: 'Doubled', align: 'right' },
];

/** `ingest`: readers into the database. @returns the exit code */
export async function ingest(
  paths: readonly string[],
  options: InputOptions & StoreOptions & OutputOptions & { readonly strict?: boolean },
): Promise<number> {
  requiredDatabase('ingest', options);
  rowFormats(options);
  const console = new Console(options.quiet ?? false);
  const inputs = await findInputs(paths, options);
  return withStore(options, false, async (store) => {
    const { failures } = await loadInputs(store, inputs, options, 'by-path', console);
    const sources = await store.rows(
      `select s.path, s.format, s.vantage, count(e.exchange_id) as exchanges, s.records, s.skipped, s.rejected, s.duplicates
       from source s left join exchange e on e.source_id = s.source_id
       group by all order by s.path`,
    );
    const rows = sources.map((row) => Object.fromEntries(COLUMNS.map(({ key }) => [key, cellOf(row[key])])));
    await writeRows({ rows, columns: COLUMNS, noun: 'source' }, options);
    const rejected = options.strict === true && sources.some((row) => row.rejected !== 0n);
    return failures.length > 0 || rejected ? EXIT.notJudged : EXIT.judged;
  });
}
