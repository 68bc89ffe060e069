import type { Registry } from '../detect/registry.js';
import type { DetectorOutcome } from '../detect/runner.js';
import type { Store } from '../store/store.js';
import { LOAD_DETECTOR } from './groups.js';
import { reportRows } from './report-rows.js';
import type { SourceReport } from './result-document.js';

/**
 * What the run could not judge beyond what each detector says of itself, in sentences: records and files that could not
 * be read, and how much evidence is missing for a cause.
 */
export async function notJudgedOf(
  store: Store,
  registry: Registry,
  outcomes: readonly DetectorOutcome[],
  sources: readonly SourceReport[],
): Promise<string[]> {
  const sentences: string[] = [];
  const rejected = sources.filter((source) => source.rejected > 0);
  for (const { path, rejected: count, rejects } of rejected) {
    const first = rejects[0] === undefined ? '' : `, the first at ${rejects[0].locator}: ${rejects[0].reason}`;
    sentences.push(`${path}: ${count} of its records could not be read${first}`);
  }
  for (const { path, error } of sources) if (error !== null) sentences.push(`${path}: not read: ${error}`);
  const asked = outcomes.some(({ detector, status }) => detector.meta.id === LOAD_DETECTOR && status !== 'error');
  return asked ? [...sentences, ...(await shortfalls(store, registry))] : sentences;
}

/** Where losses were seen and no common cause is claimed: how much more would be needed. */
async function shortfalls(store: Store, registry: Registry): Promise<string[]> {
  const rows = await reportRows<{ sentence: string }>(store, registry, 'load_shortfall');
  return rows.map(({ sentence }) => sentence);
}
