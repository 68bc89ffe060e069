import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { PostmortemError } from '../error.js';
import { ensureSchema } from './schema.js';
import { makeSpillFolder } from './spill-folder.js';
import { Store } from './store.js';

export interface StoreOptions {
  /** `:memory:`, or the file that keeps the database. */
  readonly path: string;
  /** DuckDB's share of memory, as DuckDB writes it: `400MB`. */
  readonly memoryLimit?: string;
  readonly threads?: number;
  /** Where DuckDB spills; a folder of its own is made in it and removed on close. Default: the system's. */
  readonly tempDirectory?: string;
  /** Opens an existing file for reading alone: derived relations are then temporary. */
  readonly readOnly?: boolean;
  /**
   * Nobody reads the file afterwards: derived relations are temporary, which spares their compression, and the file takes
   * the newest storage format, which compresses text in a third less time.
   */
  readonly scratch?: boolean;
}

/** DuckDB's share; readers and what they hold take about as much again. */
const MEMORY_LIMIT = '300MB';
/** Inputs that together are larger than this on disk are not kept in memory. */
const MEMORY_UP_TO_BYTES = 64 * 2 ** 20;

/**
 * Opens a store for one run: in memory, or for large inputs in a file of its own that is removed on close. DuckDB
 * compresses only what lies in a file; 1 million log lines take 0.7 GB in memory and 0.13 GB there.
 * @param inputBytes size of what will be read
 */
export async function openScratchStore(
  inputBytes: number,
  options: Omit<StoreOptions, 'path' | 'scratch'> = {},
): Promise<Store> {
  if (inputBytes <= MEMORY_UP_TO_BYTES) return openStore({ ...options, path: ':memory:' });
  const folder = makeSpillFolder(options.tempDirectory);
  try {
    const store = await openStore({ ...options, path: join(folder.path, 'scratch.duckdb'), scratch: true });
    await store.run('pragma disable_checkpoint_on_shutdown');
    store.onClose(folder.remove);
    return store;
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/**
 * Opens or creates a database and its tables. No SQL can reach files, the network or extensions from the start.
 * @throws PostmortemError `store-locked` when another process holds the file, `store-broken` when it is no database or
 * cannot be opened, `store-version` when its tables are others.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const spill = makeSpillFolder(options.tempDirectory);
  const readOnly = options.readOnly ?? false;
  const scratch = options.scratch ?? false;
  let instance: DuckDBInstance | null = null;
  try {
    instance = await DuckDBInstance.create(options.path, {
      access_mode: readOnly ? 'READ_ONLY' : 'AUTOMATIC',
      memory_limit: options.memoryLimit ?? MEMORY_LIMIT,
      temp_directory: spill.path,
      enable_external_access: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      ...(scratch ? { storage_compatibility_version: 'latest' } : {}),
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const connection = await instance.connect();
    await ensureSchema(connection, options.path, readOnly);
    return new Store(instance, connection, readOnly || scratch, spill.remove);
  } catch (cause) {
    instance?.closeSync();
    spill.remove();
    throw cause instanceof PostmortemError ? cause : openError(options.path, cause);
  }
}

function openError(path: string, cause: unknown): PostmortemError {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/could not set lock|conflicting lock/i.test(text)) {
    const holder = /PID (\d+)/.exec(text)?.[1];
    return new PostmortemError(
      'store-locked',
      `${path}: another process uses this database${holder === undefined ? '' : ` (process ${holder})`}`,
      'Wait for it to end, or give another --db file.',
      { cause },
    );
  }
  const why = text.split('\n')[0] ?? text;
  return new PostmortemError(
    'store-broken',
    `${path}: cannot be opened as a database (${why})`,
    'Give another --db file.',
    {
      cause,
    },
  );
}
