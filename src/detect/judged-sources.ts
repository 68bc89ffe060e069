import type { Evidence } from '../readers/record.js';
import type { Store } from '../store/store.js';
import { evidenceOf, missingSentence } from './evidence.js';
import type { Detector } from './registry.js';

/**
 * What can be judged of each source that has exchanges: its own evidence, and that of every source which shows all of the
 * same exchanges: the HAR knows the events, the proxy's log of the same traffic the instance. An error log is judged with
 * the access log beside it. Reads the relation `link`, where it is there.
 */
export async function judgedSources(store: Store): Promise<ReadonlySet<string>[]> {
  const sources = await store.rows<{ source_id: number; evidence: string; exchanges: bigint }>(
    `select s.source_id, s.evidence, count(*) as exchanges
     from source s join exchange e on e.source_id = s.source_id
     group by s.source_id, s.evidence order by s.source_id`,
  );
  const own = new Map(sources.map(({ source_id: id, evidence }) => [id, evidenceOf(evidence)]));
  const whole = new Map(sources.map(({ source_id: id, exchanges }) => [id, exchanges]));
  const joined = new Map([...own].map(([id, evidence]) => [id, new Set(evidence)]));
  for (const { source_id: id, other_id: other, exchanges } of await sharedExchanges(store)) {
    if (exchanges !== whole.get(id)) continue;
    for (const word of own.get(other) ?? []) joined.get(id)?.add(word);
  }
  return [...joined.values()];
}

/** How many exchanges of one source another one shows as well. */
async function sharedExchanges(store: Store) {
  const there = await store.rows("select 1 from information_schema.tables where table_name = 'link'");
  if (there.length === 0) return [];
  return store.rows<{ source_id: number; other_id: number; exchanges: bigint }>(
    `select a.source_id, b.source_id as other_id, count(distinct a.exchange_id) as exchanges
     from link l join link m on m.request_id = l.request_id
     join exchange a on a.exchange_id = l.exchange_id
     join exchange b on b.exchange_id = m.exchange_id
     where a.source_id <> b.source_id
     group by a.source_id, b.source_id order by a.source_id, b.source_id`,
  );
}

/** Whether a detector's needs are met by all sources (`clean`), some (`partial`) or none (`not-applicable`). */
export function judgeEvidence(
  detector: Detector,
  sources: readonly ReadonlySet<string>[],
): { status: 'clean' | 'partial' | 'not-applicable'; reason: string | null } {
  if (sources.length === 0) return { status: 'not-applicable', reason: 'no source holds MCP traffic' };
  const { needs } = detector.meta;
  const lacks = sources.map((evidence) => needs.filter((need) => !evidence.has(need)));
  const able = lacks.filter((lacking) => lacking.length === 0).length;
  if (able === 0) {
    return { status: 'not-applicable', reason: missingSentence(leastOf(lacks)) };
  }
  const wanted = detector.meta.wants.filter((want) => !sources.every((evidence) => evidence.has(want)));
  if (able === sources.length) {
    if (wanted.length === 0) return { status: 'clean', reason: null };
    return {
      status: 'partial',
      reason: `sees only some of what it looks for: to see all it ${missingSentence(wanted)}`,
    };
  }
  const lacking = needs.filter((need) => !sources.every((evidence) => evidence.has(need)));
  return {
    status: 'partial',
    reason: `judged from ${able} of ${sources.length} sources; elsewhere it ${missingSentence(lacking)}`,
  };
}

/** What the source that comes nearest lacks: the shortest way to a judgement. */
function leastOf(lacks: readonly (readonly Evidence[])[]): readonly Evidence[] {
  return lacks.reduce((least, lacking) => (lacking.length < least.length ? lacking : least));
}
