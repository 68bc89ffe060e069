import type { Store } from '../store/store.js';
import type { SourceReport } from './result-document.js';

/**
 * What the run could not judge beyond what each detector says of itself, in sentences: records and files that could not
 * be read, and how much evidence is missing for a cause.
 */
export async function notJudgedOf(store: Store, sources: readonly SourceReport[]): Promise<string[]> {
  const sentences: string[] = [];
  const rejected = sources.filter((source) => source.rejected > 0);
  for (const { path, rejected: count, rejects } of rejected) {
    const first = rejects[0] === undefined ? '' : `, the first at ${rejects[0].locator}: ${rejects[0].reason}`;
    sentences.push(`${path}: ${count} of its records could not be read${first}`);
  }
  for (const { path, error } of sources) if (error !== null) sentences.push(`${path}: not read: ${error}`);
  return [...sentences, ...(await shortfalls(store))];
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
