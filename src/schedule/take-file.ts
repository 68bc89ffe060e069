import { PostmortemError } from '../error.js';
import { findSources } from '../readers/registry.js';
import type { JobConfig } from './config.js';
import { examine } from './examine.js';
import type { JobHost } from './host.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import type { FoundFile } from './scan.js';
import type { Taker } from './taker.js';

/**
 * Takes in what is new of one file.
 * @returns why the file is left for a later run; null: it has been dealt with
 * @throws PostmortemError what could not be read
 */
export async function takeFile(
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
