import { loadRegistry } from '../../../src/detect/registry.js';
import type { Finding } from '../../../src/incident/finding.js';
import { withJudgedRecords } from '../../../src/schedule/judged-records.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';

/** Longer than any test's records. */
const FOREVER_NS = 10n ** 18n;

/** Everything that a state holds, with nothing in it that depends on the order in which files came. */
export async function dumpState(path: string): Promise<Record<string, string[]>> {
  const store = await openStore({ path });
  try {
    const registry = await loadRegistry();
    const dump: Record<string, string[]> = {};
    await withJudgedRecords(store, registry, FOREVER_NS, async () => {
      for (const table of registry.tables) dump[table] = await rowsOf(store, `select * from "${table}"`);
    });
    dump.ledger = await rowsOf(store, 'select path, bytes, state from ledger');
    dump.holding = await rowsOf(store, 'select path, member, bytes, sha256, is_whole from holding');
    dump.content = await rowsOf(
      store,
      `select h.member, c.read_bytes, c.read_lines, c.sha256, c.by_line, c.places, c.oldest_ns, c.newest_ns
       from content c left join holding h on h.source_id = c.source_id`,
    );
    const findings = await store.rows<{ document: string }>('select document from kept_finding');
    dump.findings = findings
      .map(({ document }) => {
        const { state: _state, incident: _incident, ...facts } = JSON.parse(document) as Finding;
        return JSON.stringify(facts);
      })
      .sort();
    const incidents = await store.rows<{ document: string }>(
      "select document from kept_incident where state not in ('merged', 'withdrawn')",
    );
    dump.incidents = incidents
      .map(({ document }) => (JSON.parse(document) as { findings: string[] }).findings.sort().join(' '))
      .sort();
    return dump;
  } finally {
    store.close();
  }
}

async function rowsOf(store: Store, sql: string): Promise<string[]> {
  const rows = await store.rows(sql);
  return rows
    .map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
    .sort();
}

/** What is kept of the past. */
export async function dumpKept(path: string) {
  const store = await openStore({ path });
  try {
    const [findings] = await store.rows<{ n: bigint }>('select count(*) as n from kept_finding');
    const [oldest] = await store.rows<{ ns: bigint | null }>('select min(started_ns) as ns from exchange');
    return {
      incidents: await store.rows<{ incident: string; state: string }>(
        'select incident, state from kept_incident order by at_ns',
      ),
      findings: Number(findings?.n ?? 0n),
      oldestRecord: Number((oldest?.ns ?? 0n) / 1_000_000n),
    };
  } finally {
    store.close();
  }
}
