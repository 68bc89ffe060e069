import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { PostmortemError } from '../error.js';
import { ensureSchema } from './schema.js';
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
}

/**
 * Opens or creates a database and its tables. No SQL can reach files, the network or extensions from the start.
 * @throws PostmortemError `store-locked` when another process holds the file, `store-broken` when it is no database or
 * cannot be opened, `store-version` when its tables are others.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const spill = mkdtempSync(join(options.tempDirectory ?? tmpdir(), 'mcp-postmortem-'));
  const removeSpill = () => rmSync(spill, { recursive: true, force: true });
  const readOnly = options.readOnly ?? false;
  let instance: DuckDBInstance | null = null;
  try {
    instance = await DuckDBInstance.create(options.path, {
      access_mode: readOnly ? 'READ_ONLY' : 'AUTOMATIC',
      memory_limit: options.memoryLimit ?? '400MB',
      temp_directory: spill,
      enable_external_access: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const connection = await instance.connect();
    await ensureSchema(connection, options.path, readOnly);
    return new Store(instance, connection, readOnly, removeSpill);
  } catch (cause) {
    instance?.closeSync();
    removeSpill();
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
