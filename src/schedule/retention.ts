import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';

/** How full the database may be after it was cut to its size. */
const ROOM = 0.8;

/**
 * Lets go of what is older than the configuration keeps, and of more when the database is too large.
 * @param present paths of the files that are there now
 */
export async function retain(store: Store, config: JobConfig, present: ReadonlySet<string>): Promise<void> {
  const [job] = await store.rows<{ watermark_ns: bigint | null }>('select watermark_ns from job');
  const watermarkNs = job?.watermark_ns ?? null;
  if (watermarkNs === null) return;
  await pruneRecords(store, watermarkNs - config.keepRecordsNs, 'whole-sessions');
  await forgetFiles(store, present, watermarkNs - config.keepRecordsNs);
  await pruneFindings(store, watermarkNs - config.keepFindingsNs, config);
  const bytes = await usedBytes(store);
  if (bytes <= config.maxBytes) return;
  const share = 1 - (ROOM * config.maxBytes) / bytes;
  const [cut] = await store.rows<{ ns: bigint | null }>(
    'select quantile_disc(coalesce(ended_ns, started_ns), $share) as ns from exchange',
    { share },
  );
  if (cut?.ns != null) await pruneRecords(store, cut.ns, 'every-session');
}

/** Bytes of the database that hold something. */
async function usedBytes(store: Store): Promise<number> {
  await store.run('checkpoint');
  const [size] = await store.rows<{ used: bigint }>(
    'select used_blocks * block_size as used from pragma_database_size()',
  );
  return Number(size?.used ?? 0n);
}

/**
 * Takes records out that are older than a time. Findings stay, with their facts.
 * @param reach `whole-sessions` spares the histories of sessions that were seen since
 * @returns how many exchanges went
 */
export async function pruneRecords(
  store: Store,
  cutNs: bigint,
  reach: 'whole-sessions' | 'every-session',
): Promise<number> {
  const spared =
    reach === 'every-session'
      ? ''
      : `and not exists (select 1 from active a where a.session = e.request_session)
         and not exists (select 1 from active a where a.session = e.response_session)`;
  await store.run(
    `create or replace temp table outdated as
     with active as (
       select request_session as session from exchange
       where coalesce(ended_ns, started_ns) >= ${cutNs} and request_session <> ''
       union
       select response_session from exchange
       where coalesce(ended_ns, started_ns) >= ${cutNs} and response_session <> ''
     )
     select exchange_id from exchange e
     where coalesce(ended_ns, started_ns) < ${cutNs} ${spared}`,
  );
  const [count] = await store.rows<{ n: bigint }>('select count(*) as n from outdated');
  const pruned = Number(count?.n ?? 0n);
  const [old] = await store.rows<{ n: bigint }>(`select count(*) as n from companion where at_ns < ${cutNs}`);
  if (pruned > 0 || (old?.n ?? 0n) > 0n) {
    await store.transaction(async () => {
      for (const table of ['event', 'message', 'tool', 'exchange']) {
        await store.run(`delete from ${table} where exchange_id in (select exchange_id from outdated)`);
      }
      await store.run(`delete from companion where at_ns < ${cutNs}`);
      await store.run(
        `delete from session where session not in (
           select request_session from exchange where request_session is not null
           union select response_session from exchange where response_session is not null
           union select cursor_session from exchange where cursor_session is not null
           union select id_session from event where id_session is not null)`,
      );
      await store.run(`update job set cut_ns = greatest(cut_ns, ${cutNs})`);
    });
  }
  await store.run('drop table outdated');
  return pruned;
}

/** Files that are gone need not be recognised any more once their records are gone as well. */
async function forgetFiles(store: Store, present: ReadonlySet<string>, cutNs: bigint): Promise<void> {
  const files = await store.rows<{ path: string }>('select path from ledger');
  const gone = files.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  if (gone.length === 0) return;
  await store.run('create or replace temp table gone (path varchar)');
  for (let at = 0; at < gone.length; at += 500) {
    const some = gone.slice(at, at + 500);
    const values = some.map((_, index) => `($p${index})`).join(', ');
    await store.rows(
      `insert into gone values ${values}`,
      Object.fromEntries(some.map((path, index) => [`p${index}`, path])),
    );
  }
  await store.transaction(async () => {
    await store.run(
      `create or replace temp table forgotten as
       select c.source_id from content c
       where coalesce(c.newest_ns, 0) < ${cutNs}
         and not exists (select 1 from holding h where h.source_id = c.source_id and h.path not in (select path from gone))
         and not exists (select 1 from exchange e where e.source_id = c.source_id)`,
    );
    for (const table of ['companion', 'reject', 'source', 'content', 'holding']) {
      await store.run(`delete from ${table} where source_id in (select source_id from forgotten)`);
    }
    await store.run(
      'delete from ledger where path in (select path from gone) and path not in (select path from holding)',
    );
    await store.run('drop table forgotten');
  });
  await store.run('drop table gone');
}

async function pruneFindings(store: Store, cutNs: bigint, config: JobConfig): Promise<void> {
  const old = await store.rows<{ incident: string }>(`select incident from kept_incident where until_ns < ${cutNs}`);
  await store.transaction(async () => {
    await store.run(`delete from kept_finding where until_ns < ${cutNs}`);
    await store.run(`delete from kept_incident where until_ns < ${cutNs}`);
    await store.run('delete from notice where incident not in (select incident from kept_incident)');
  });
  for (const { incident } of old) rmSync(join(config.folder, 'incidents', `${incident}.html`), { force: true });
}
