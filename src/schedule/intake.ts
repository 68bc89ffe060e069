import { PostmortemError } from '../error.js';
import { findSources } from '../readers/registry.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import { examine } from './examine.js';
import type { JobHost } from './host.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { FoundFile, Scan } from './scan.js';
import { Taker } from './taker.js';

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
  const taker = new Taker(store, ledger, host);
  const isAnyGone = [...ledger.entries.keys()].some((path) => !scan.files.has(path));
  if (changed.length > 0 || isAnyGone) await ledger.loadContents(store);
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

function isChanged(file: FoundFile, entry: LedgerEntry | undefined, isQuiet: boolean): boolean {
  if (entry === undefined || entry.bytes !== file.bytes || entry.mtimeNs !== file.mtimeNs) return true;
  return entry.state === 'partial' && isQuiet;
}

/**
 * @returns why the file is left for a later run; null: it has been dealt with
 * @throws PostmortemError what could not be read
 */
async function takeFile(
  file: FoundFile,
  quietMs: number,
  ledger: Ledger,
  taker: Taker,
  config: JobConfig,
  host: JobHost,
): Promise<string | null> {
  const entry = (state: LedgerEntry['state'], reason: string | null = null): LedgerEntry => {
    return { path: file.path, bytes: file.bytes, mtimeNs: file.mtimeNs, state, reason };
  };
  const { sources, problems } = await findSources([file.path], file.input.options);
  const [problem] = problems;
  if (sources.length === 0 && problem !== undefined) {
    if (isVanished(problem.error)) return 'is gone again';
    // An archive has its directory at the end: it cannot be opened before it is complete.
    if (!isForbidden(problem.error) && quietMs < config.patienceMs) return problem.error.message;
    throw problem.error;
  }
  const members: string[] = [];
  let unfinished: string | null = null;
  let state: LedgerEntry['state'] = 'foreign';
  let reason: string | null = null;
  for (const source of sources) {
    try {
      const quiet = { quietMs, settleMs: config.settleMs, patienceMs: config.patienceMs };
      const examined = await examine(source, file.input, ledger, quiet);
      if ('unfinished' in examined) {
        unfinished = examined.unfinished;
        continue;
      }
      members.push(source.path);
      state = examined.isPartial ? 'partial' : 'read';
      // A file of one source is done with in the transaction of the source.
      await taker.take(file, examined, sources.length === 1 ? entry(state) : null);
    } catch (error) {
      if (!(error instanceof PostmortemError) || error.code !== 'input-unknown-format') throw error;
      if (file.path === file.input.path) throw error;
      reason ??= error.message;
      if (sources.length === 1) host.warning(`${source.path}: no capture, not read`);
    }
  }
  if (unfinished !== null) return unfinished;
  if (sources.length !== 1 || members.length === 0) await taker.finish(entry(state, reason), members);
  return null;
}

function systemCode(error: PostmortemError): string {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function isVanished(error: PostmortemError): boolean {
  return systemCode(error) === 'ENOENT';
}

function isForbidden(error: PostmortemError): boolean {
  return ['EACCES', 'EPERM'].includes(systemCode(error));
}
