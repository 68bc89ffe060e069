import { PostmortemError } from '../error.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import type { JobHost } from './host.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { FoundFile, Scan } from './scan.js';

/** What a run read. */
export interface Intake {
  /** Sources that are new, or of which there was more. */
  readonly read: number;
  /** Files that are left for a later run, with the reason. */
  readonly waiting: readonly { readonly path: string; readonly reason: string }[];
  /** What makes the run end with 2. */
  readonly failures: readonly PostmortemError[];
  /** Records that could not be read. */
  readonly rejected: number;
}

/**
 * Reads what is new in the inputs. Each source is one transaction, and the rows that say that it was read are part of it.
 * @throws PostmortemError `interrupted`
 */
export async function takeIn(store: Store, scan: Scan, config: JobConfig, host: JobHost): Promise<Intake> {
  const ledger = await Ledger.load(store);
  const quietMs = (file: FoundFile) => host.now() - Number(file.mtimeNs / 1_000_000n);
  const changed = [...scan.files.values()]
    .filter((file) => isChanged(file, ledger.entries.get(file.path), quietMs(file) >= config.patienceMs))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const failures = [...scan.problems];
  const waiting: { path: string; reason: string }[] = [];
  const isAnyGone = [...ledger.entries.keys()].some((path) => !scan.files.has(path));
  if (changed.length === 0 && !isAnyGone && !(await isAnyReplaced(store))) {
    return { read: 0, waiting, failures, rejected: 0 };
  }
  // The readers are loaded when there is something to read.
  const [{ Taker }, { takeFile }] = await Promise.all([import('./taker.js'), import('./take-file.js')]);
  const taker = new Taker(store, ledger, host);
  await ledger.loadContents(store);
  for (const file of changed) {
    host.throwIfInterrupted();
    host.progress(file.path);
    const reason = await takeFile(file, quietMs(file), ledger, taker, config, host).catch((error: unknown) => {
      if (!(error instanceof PostmortemError) || error.code === 'interrupted') throw error;
      failures.push(error);
      return null;
    });
    if (reason !== null) waiting.push({ path: file.path, reason });
  }
  if (isAnyGone) await taker.releaseRenamed(new Set(scan.files.keys()));
  await taker.removeReplaced();
  return { read: taker.read, waiting, failures, rejected: taker.rejected };
}

/** A run that was killed may have left documents that were written anew. */
async function isAnyReplaced(store: Store): Promise<boolean> {
  const rows = await store.rows(
    'select 1 from content where not by_line and source_id not in (select source_id from holding) limit 1',
  );
  return rows.length > 0;
}

function isChanged(file: FoundFile, entry: LedgerEntry | undefined, isQuiet: boolean): boolean {
  if (entry === undefined || entry.bytes !== file.bytes || entry.mtimeNs !== file.mtimeNs) return true;
  return entry.state === 'partial' && isQuiet;
}
