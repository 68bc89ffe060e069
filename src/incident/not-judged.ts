import type { DetectorOutcome } from '../detect/runner.js';
import type { Store } from '../store/store.js';
import type { SourceReport } from './result-document.js';

/** What the run could not judge, in sentences: nothing of this may read as clean. */
export async function notJudgedOf(
  store: Store,
  outcomes: readonly DetectorOutcome[],
  sources: readonly SourceReport[],
): Promise<string[]> {
  const sentences: string[] = [];
  for (const [reason, ids] of byReason(outcomes)) sentences.push(`${ids.join(', ')}: ${reason}`);
  const partial = outcomes.filter(
    ({ status, reason }) => reason !== null && status !== 'not-applicable' && status !== 'error',
  );
  if (partial.length > 0) {
    sentences.push(
      `${partial.length} detectors judged only the sources that carry what they need: see the list of detectors`,
    );
  }
  const rejected = sources.filter((source) => source.rejected > 0);
  for (const { path, rejected: count, rejects } of rejected) {
    const first = rejects[0] === undefined ? '' : `, the first at ${rejects[0].locator}: ${rejects[0].reason}`;
    sentences.push(`${path}: ${count} of its records could not be read${first}`);
  }
  for (const { path, error } of sources) if (error !== null) sentences.push(`${path}: not read: ${error}`);
  return [...sentences, ...(await shortfalls(store))];
}

/** One sentence for all detectors that lack the same. */
function byReason(outcomes: readonly DetectorOutcome[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { detector, status, reason } of outcomes) {
    if (status !== 'not-applicable' && status !== 'error') continue;
    const key = `${status === 'error' ? 'failed: ' : ''}${reason ?? status}`;
    reasons.set(key, [...(reasons.get(key) ?? []), detector.meta.id]);
  }
  return reasons;
}

/** Where losses were seen and no common cause is claimed: how much more would be needed. */
async function shortfalls(store: Store): Promise<string[]> {
  const there = await store.rows<{ n: bigint }>(
    "select count(*) as n from information_schema.tables where table_name = 'load_shortfall'",
  );
  if (Number(there[0]?.n ?? 0) === 0) return [];
  const rows = await store.rows<{ sentence: string }>('select distinct sentence from load_shortfall order by sentence');
  return rows.map(({ sentence }) => sentence);
}
