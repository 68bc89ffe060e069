import type { Registry } from '../detect/registry.js';
import type { Store } from '../store/store.js';
import { endpointOf, type RawFinding } from './findings.js';
import { reportRows } from './report-rows.js';
import type { EnforcementRow, ResultDocument } from './result-document.js';

/** What diverged without an error message. */
const SILENT = new Set([
  'epoch-merge',
  'foreign-replay',
  'duplicate-tool-call',
  'misattributed-result',
  'cross-epoch-cursor',
]);
const DAY_NS = 86_400_000_000_000n;

interface Party {
  readonly endpoint: string;
  readonly server: string | null;
  readonly client: string | null;
}

/** Loud against silent, per endpoint, server, client and day (UTC). */
export async function enforcementOf(
  store: Store,
  registry: Registry,
  findings: readonly RawFinding[],
): Promise<ResultDocument['enforcement']> {
  const rows = new Map<string, { -readonly [K in keyof EnforcementRow]: EnforcementRow[K] }>();
  const add = (party: Party, dayNs: bigint | null, kind: 'loud' | 'silent', count: number) => {
    const day = dayNs === null ? null : new Date(Number(dayNs / 1_000_000n)).toISOString().slice(0, 10);
    const key = JSON.stringify([party.endpoint, party.server, party.client, day]);
    const row = rows.get(key) ?? { ...party, day, loud: 0, silent: 0 };
    row[kind] += count;
    rows.set(key, row);
  };
  interface Loud {
    readonly hop: string;
    readonly server_info: string | null;
    readonly client_info: string | null;
    readonly day_ns: bigint | null;
    readonly loud: bigint;
  }
  for (const row of await reportRows<Loud>(store, registry, 'enforcement')) {
    const party = { endpoint: endpointOf(row.hop), server: row.server_info, client: row.client_info };
    add(party, row.day_ns, 'loud', Number(row.loud));
  }
  const silent = findings.filter(({ finding }) => SILENT.has(finding.detector) && finding.severity !== 'info');
  const parties = silent.length === 0 ? new Map<string, Party>() : await partiesOf(store);
  for (const { row } of silent) {
    const party = parties.get(row.session ?? '') ?? { endpoint: 'unknown', server: null, client: null };
    add(party, row.atNs === null ? null : row.atNs - (row.atNs % DAY_NS), 'silent', 1);
  }
  const ordered = [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, row]) => row);
  return {
    loud: ordered.reduce((sum, { loud }) => sum + loud, 0),
    silent: ordered.reduce((sum, row) => sum + row.silent, 0),
    rows: ordered,
  };
}

async function partiesOf(store: Store): Promise<Map<string, Party>> {
  const rows = await store.rows<{
    session: string;
    hop: string;
    server_info: string | null;
    client_info: string | null;
  }>(
    'select session, min(hop) as hop, max(server_info) as server_info, max(client_info) as client_info from epoch group by session',
  );
  return new Map(
    rows.map((row) => [
      row.session,
      { endpoint: endpointOf(row.hop), server: row.server_info, client: row.client_info },
    ]),
  );
}
