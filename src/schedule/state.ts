import { existsSync, renameSync } from 'node:fs';
import { PostmortemError } from '../error.js';
import { openStore } from '../store/open.js';
import { PACKAGE_ROOT, readSqlFolder } from '../store/package-files.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import type { JobHost } from './host.js';
import { type Lock, takeLock } from './lock.js';

const POLL_MS = 200;

/**
 * Does `work` on the state database, which no other run uses meanwhile.
 * A database that cannot be opened is kept aside and a new one begun: everything is read again.
 * @param waitMs how long to wait for another run
 * @throws PostmortemError `store-locked`, naming the holder
 */
export async function withState<T>(
  config: JobConfig,
  waitMs: number,
  host: JobHost,
  work: (store: Store, isAfresh: boolean) => Promise<T>,
): Promise<T> {
  const { lock, store, isAfresh } = await waited(waitMs, host, () => openState(config, host));
  try {
    return await work(store, isAfresh);
  } catch (cause) {
    throw isDiskProblem(cause) ? diskProblem(config.state, cause) : cause;
  } finally {
    store.close();
    lock.release();
  }
}

/** The database says so in words alone. */
function isDiskProblem(cause: unknown): cause is Error {
  return (
    cause instanceof Error &&
    /no space left|disk quota|read-only file system|could not write|failed to (?:write|sync)/i.test(cause.message)
  );
}

function diskProblem(path: string, cause: Error): PostmortemError {
  const reason = cause.message.split('\n')[0] ?? '';
  const hint = 'What was read so far is kept; the next run goes on from there.';
  return new PostmortemError('output-failed', `${path}: cannot be written: ${reason}`, hint, { cause });
}

interface OpenState {
  readonly lock: Lock;
  readonly store: Store;
  /** A broken database was put aside. */
  readonly isAfresh: boolean;
}

async function openState(config: JobConfig, host: JobHost): Promise<OpenState> {
  const lock = takeLock(config.state);
  try {
    try {
      return { lock, store: await openTables(config), isAfresh: false };
    } catch (error) {
      const isBroken = error instanceof PostmortemError && ['store-broken', 'store-version'].includes(error.code);
      if (!isBroken || !existsSync(config.state) || isForbidden(error)) throw error;
      host.warning(`${error.message}; kept aside as ${putAside(config.state)}, and everything is read again`);
      return { lock, store: await openTables(config), isAfresh: true };
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Nothing is wrong with a database that one may not read, or that a full disk cannot hold. */
function isForbidden(error: PostmortemError): boolean {
  return /permission denied|read-only|no space|cannot open file/i.test(error.message);
}

async function openTables(config: JobConfig): Promise<Store> {
  const store = await openStore({
    path: config.state,
    ...(config.memoryLimit === null ? {} : { memoryLimit: config.memoryLimit }),
    ...(config.threads === null ? {} : { threads: config.threads }),
  });
  try {
    const tables = await store.rows<{ table_name: string }>(
      "select table_name from information_schema.tables where table_schema = 'main' and table_catalog = current_database()",
    );
    const known = new Set(tables.map(({ table_name: name }) => name));
    const missing = (await readSqlFolder(`${PACKAGE_ROOT}queries/state`)).filter(({ name }) => !known.has(name));
    if (missing.length > 0) {
      await store.transaction(async () => {
        for (const { text } of missing) await store.run(text);
        if (!known.has('job')) await store.run("insert into job values (0, 0, 0, '', null, null, 0, null, null)");
      });
    }
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

function putAside(path: string): string {
  let n = 1;
  while (existsSync(`${path}.broken-${n}`)) n += 1;
  renameSync(path, `${path}.broken-${n}`);
  if (existsSync(`${path}.wal`)) renameSync(`${path}.wal`, `${path}.broken-${n}.wal`);
  return `${path}.broken-${n}`;
}

async function waited<T>(waitMs: number, host: JobHost, attempt: () => Promise<T>): Promise<T> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const isLocked = error instanceof PostmortemError && error.code === 'store-locked';
      if (!isLocked || performance.now() >= until) throw error;
      host.progress(error.message);
      host.throwIfInterrupted();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
