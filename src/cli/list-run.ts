import { loadRegistry, type Registry } from '../detect/registry.js';
import { PostmortemError } from '../error.js';
import type { SqlValue, Store } from '../store/store.js';
import { Console } from './console.js';
import { EXIT } from './exit-code.js';
import { type IdText, revealed, SHORTENED } from './id-text.js';
import type { ListOptions } from './list-command.js';
import { findInputs, inputBytes, loadInputs } from './load.js';
import { type RowList, reportRows, rowFormats, writeRows } from './row-report.js';
import { withStore, withStoreFor } from './store-session.js';
import { type TimeWindow, timeWindow, touches } from './window.js';

export type SqlRow = Readonly<Record<string, SqlValue>>;

/** What a list makes of the rows of its report. */
export interface ListShape {
  /** A file of `queries/reports`. */
  readonly report: string;
  /** Column that says when a row happened, nanoseconds. */
  readonly timeColumn: string;
  shape(rows: readonly SqlRow[], idText: IdText): RowList;
}

/** Runs a list over captures or a database. @returns the exit code */
export async function runList(paths: readonly string[], options: ListOptions, list: ListShape): Promise<number> {
  rowFormats(options);
  return withFilledStore(paths, options, async ({ store, registry, idText, window, console }) => {
    const rows = await reportRows<SqlRow>(store, registry, list.report, {}, console);
    const inside = rows.filter((row) => touches(window, timeOf(row, list.timeColumn), null));
    console.clearProgress();
    await writeRows(list.shape(inside, idText), options);
  });
}

export interface Filled {
  readonly store: Store;
  readonly registry: Registry;
  readonly idText: IdText;
  readonly window: TimeWindow;
  readonly console: Console;
}

/** Opens the database, or reads captures into one in memory. @returns 2 when an input could not be read */
export async function withFilledStore(
  paths: readonly string[],
  options: ListOptions,
  work: (filled: Filled) => Promise<void>,
): Promise<number> {
  if (paths.length === 0 && options.db === undefined) {
    throw new PostmortemError(
      'usage',
      'neither a PATH nor --db FILE is given',
      'Give captures, or a database that holds some.',
    );
  }
  const console = new Console(options.quiet ?? false);
  const inputs = await findInputs(paths, options);
  const fill = async (store: Store): Promise<number> => {
    const { failures } = await loadInputs(store, inputs, options, 'as-given', console);
    const registry = await loadRegistry();
    const idText = options.reveal === true ? revealed(store) : SHORTENED;
    const newest = await store.rows<{ at: bigint | null }>(
      'select max(coalesce(ended_ns, started_ns)) as at from exchange',
    );
    const window = timeWindow(options, newest[0]?.at ?? null);
    await work({ store, registry, idText, window, console });
    return failures.length > 0 ? EXIT.notJudged : EXIT.judged;
  };
  return paths.length === 0 ? withStore(options, true, fill) : withStoreFor(options, inputBytes(inputs), fill);
}

function timeOf(row: SqlRow, column: string): bigint | null {
  const value = row[column];
  return typeof value === 'bigint' ? value : null;
}

/** A tag column as it is printed. */
export function sessionCell(value: SqlValue | undefined, idText: IdText): string | null {
  return typeof value === 'string' ? idText.session(value) : null;
}

/** An event id as it is printed. */
export function eventIdCell(value: SqlValue | undefined, idText: IdText): string | null {
  return typeof value === 'string' ? idText.eventId(value) : null;
}
