import { existsSync } from 'node:fs';
import { PostmortemError } from '../error.js';
import type { Store } from '../store/store.js';
import type { StoreOptions } from './options.js';

/** Opens the database, does `work`, and closes it whatever happens: the folder for spilling is gone afterwards. */
export async function withStore<T>(
  options: StoreOptions,
  readOnly: boolean,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { openStore } = await import('../store/open.js');
  const store = await openStore({ path: options.db ?? ':memory:', readOnly, ...limits(options) });
  return closing(store, work);
}

/** As `withStore`, for inputs of this size; without `--db` the store is gone afterwards. */
export async function withStoreFor<T>(
  options: StoreOptions,
  inputBytes: number,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (options.db !== undefined) return withStore(options, false, work);
  const { openScratchStore } = await import('../store/open.js');
  return closing(await openScratchStore(inputBytes, limits(options)), work);
}

async function closing<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

function limits({ memoryLimit, threads }: StoreOptions) {
  return { ...(memoryLimit === undefined ? {} : { memoryLimit }), ...(threads === undefined ? {} : { threads }) };
}

/** @throws PostmortemError `usage` when `--db` is missing */
export function requiredDatabase(command: string, options: StoreOptions): void {
  if (options.db !== undefined) return;
  throw new PostmortemError(
    'usage',
    `${command} needs --db FILE`,
    `Example: mcp-postmortem ${command} --db mcp.duckdb`,
  );
}

/** A mistyped name makes no new database. @throws PostmortemError `store-broken` */
export function requireExisting(options: StoreOptions): void {
  if (options.db === undefined || options.db === ':memory:' || existsSync(options.db)) return;
  throw new PostmortemError('store-broken', `${options.db}: no such file`, 'mcp-postmortem ingest makes a database.');
}
