import { loadRegistry, type Registry } from '../../src/detect/registry.js';
import { deriveRelations, runDetectors } from '../../src/detect/runner.js';
import { openStore } from '../../src/store/open.js';
import type { Row, Store } from '../../src/store/store.js';

/** One exchange of made-up traffic; times in seconds since the start of the capture. */
export interface Hit {
  readonly at: number;
  readonly took?: number;
  readonly method?: string;
  readonly status: number;
  readonly session?: string | null;
  readonly answered?: string | null;
  readonly backend?: string | null;
  readonly lastEventId?: string | null;
  readonly endpoint?: string;
}

const START_NS = 1_790_000_000_000_000_000n;
const COLUMNS = `exchange_id, source_id, locator, vantage, endpoint, started_ns, ended_ns, precision_ns, http_method, path, status,
  request_session, response_session, last_event_id, end_state, backend, tries, event_count, message_count,
  saw_request_headers, saw_response_headers, saw_request_body, saw_response_body, saw_events, loss_in_body, stream_held, incomplete`;

/** One line a hit, fields parted by tabs: SQL takes it apart faster than it parses VALUES. */
function lineOf(hit: Hit): string {
  const micros = (seconds: number) => Math.round(seconds * 1e6);
  const fields = [
    micros(hit.at),
    micros(hit.at + (hit.took ?? 0.02)),
    hit.method ?? 'POST',
    hit.status,
    hit.session ?? '',
    hit.answered ?? '',
  ];
  return [...fields, hit.backend ?? '', hit.lastEventId ?? '', hit.endpoint ?? '/mcp'].join('\t');
}

const INSERT = `insert into exchange (${COLUMNS})
  select 4294967296 + nth, 1, 'line ' || nth, 'proxy', split_part(line, chr(9), 9),
    ${START_NS} + split_part(line, chr(9), 1)::bigint * 1000, ${START_NS} + split_part(line, chr(9), 2)::bigint * 1000, 1000000,
    split_part(line, chr(9), 3), '/mcp', split_part(line, chr(9), 4)::integer, nullif(split_part(line, chr(9), 5), ''),
    nullif(split_part(line, chr(9), 6), ''), nullif(split_part(line, chr(9), 8), ''), 'complete', nullif(split_part(line, chr(9), 7), ''),
    1, 0, 0, true, true, false, false, false, false, false, false
  from (select unnest(string_split($lines, chr(10))) as line, unnest(range($count)) as nth) l`;

/** A database of these exchanges, as a proxy's log would fill it. */
export async function storeOf(hits: readonly Hit[]): Promise<Store> {
  const store = await openStore({ path: ':memory:' });
  await store.run(`insert into source values (1, 'access.log', 'access-log/nginx', null, 'proxy', 'x', 1, 1, 0, 0, 0,
    'request-headers,response-headers,status,backend', '')`);
  if (hits.length > 0) await store.rows(INSERT, { lines: hits.map(lineOf).join('\n'), count: hits.length });
  return store;
}

let loaded: Promise<Registry> | null = null;

export function registry(): Promise<Registry> {
  loaded ??= loadRegistry();
  return loaded;
}

export interface Claim {
  readonly cause: string;
  readonly severity: string;
  readonly confidence: string;
  readonly exchanges: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What load-correlated-failure says about these exchanges. */
export async function claimsOf(hits: readonly Hit[]): Promise<Claim[]> {
  const store = await storeOf(hits);
  try {
    const [outcome] = await runDetectors(store, await registry(), { only: ['load-correlated-failure'] });
    if (outcome === undefined || outcome.status === 'error') throw new Error(outcome?.reason ?? 'no outcome');
    return outcome.rows.map(({ severity, confidence, exchanges, facts }) => ({
      cause: String(facts.cause),
      severity,
      confidence,
      exchanges,
      facts,
    }));
  } finally {
    store.close();
  }
}

export async function relation(hits: readonly Hit[], name: string, sql: string): Promise<Row[]> {
  const store = await storeOf(hits);
  try {
    const broken = await deriveRelations(store, await registry(), [name]);
    if (broken.size > 0) throw new Error([...broken.values()][0]);
    return await store.rows(sql);
  } finally {
    store.close();
  }
}
