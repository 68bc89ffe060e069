import { existsSync } from 'node:fs';
import { PostmortemError } from '../error.js';
import { compactDatabase } from '../store/compact.js';
import type { JobConfig } from './config.js';
import type { JobHost } from './host.js';
import { takeLock } from './lock.js';
import { pruneRecords } from './retention.js';
import { withState } from './state.js';

/**
 * Takes records before a time out of the state, and gives the room back. Sessions that were seen since are kept whole.
 * @returns how many exchanges went
 * @throws PostmortemError `store-broken` when there is no state, `store-locked`, `output-failed`
 */
export async function pruneState(config: JobConfig, beforeNs: bigint, waitMs: number, host: JobHost): Promise<number> {
  if (!existsSync(config.state)) {
    throw new PostmortemError('store-broken', `${config.state}: no such file`, '`mcp-postmortem run` makes it.');
  }
  const pruned = await withState(config, waitMs, host, (store) => pruneRecords(store, beforeNs, 'whole-sessions'));
  const lock = takeLock(config.state);
  try {
    await compactDatabase(config.state);
  } finally {
    lock.release();
  }
  return pruned;
}
