import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Console } from '../../src/cli/console.js';
import { findInputs, inputBytes, loadInputs } from '../../src/cli/load.js';
import { withStoreFor } from '../../src/cli/store-session.js';
import { parseEventId } from '../../src/contract/event-id.js';
import { decideFamily } from '../../src/contract/event-id-order.js';
import { validateResume } from '../../src/contract/validate-resume.js';
import { loadRegistry } from '../../src/detect/registry.js';
import { deriveRelations } from '../../src/detect/runner.js';
import { withFolder } from '../support/history/folder.js';
import { type IdFamily, idsOf } from '../support/history/ids.js';
import { Random } from '../support/history/random.js';
import { failure, notification, request, result, Script } from '../support/history/script.js';
import { pathOf } from '../support/history/wire.js';
import { writeHar } from '../support/history/write-har.js';

const RESUMES = Number(process.env.VERDICTS ?? 3_000);
const BATCH = 1_000;
const FAMILIES: readonly IdFamily[] = [
  'go',
  'rmcp',
  'csharp',
  'typescript',
  'counter',
  'opaque',
  'ulid',
  'uuid7',
  'java',
];

interface Case {
  script: Script;
  verdict: string;
  reason: string;
}

/** Steps of one are seen often enough, and no other: then a counter has no holes. */
function observedContiguous(streams: readonly (readonly string[])[]): boolean {
  const steps = streams.flatMap((ids) => {
    const last = new Map<string, bigint>();
    return ids.flatMap((id) => {
      const { family, stream, seq } = parseEventId(id);
      if (seq === null || (family !== 'counter' && family !== 'csharp')) return [];
      const before = last.get(stream ?? '');
      last.set(stream ?? '', seq);
      return before === undefined ? [] : [seq - before];
    });
  });
  return steps.filter((one) => one === 1n).length >= 5 && steps.every((one) => one === 1n);
}

function makeCase(seed: number): Case {
  const random = new Random(seed);
  const family = random.pick(FAMILIES);
  const script = new Script({ echoes: false });
  const { session } = script;
  const stranger = `${session}-stranger`;
  const [own = [], other = [], foreign = []] = idsOf(random, family, [session, session, stranger]);
  const cut = random.int(1, own.length - 1);
  const delivered = own.slice(0, cut);
  const noise = random.chance(0.1) ? 'prime' : null;
  const beside = random.chance(0.5) ? other : [];
  const elsewhere = random.chance(0.5) ? foreign : [];
  const lastId = own[cut - 1] ?? '';
  const note = (id: string) => ({ id, data: notification('notifications/message', { data: `${seed} ${id}` }) });
  script.open(session).open(stranger, undefined, 'b');
  const started = [...(noise === null ? [] : [noise]), ...delivered];
  script.post(request(1, 'tools/call', { name: 'a', arguments: {} }), {
    events: started.map(note),
    end: 'truncated',
    session: null,
  });
  if (beside.length > 0)
    script.post(request(2, 'ping'), { events: [...beside.map(note), { data: result(2, {}) }], session: null });
  if (elsewhere.length > 0)
    script.post(
      request(3, 'ping'),
      { events: [...elsewhere.map(note), { data: result(3, {}) }], session: null },
      { session: stranger },
    );
  const firstId =
    random.pick([
      own[cut],
      own[cut],
      own[cut - 1],
      own[cut + 1] ?? own[cut],
      own[0],
      other[0],
      other.at(-1),
      foreign[0],
      null,
    ]) ?? null;
  const status = random.pick([200, 200, 200, 200, 200, 202, 400, 404, 409, 500]);
  const named = random.pick([session, session, session, session, stranger, null]);
  const methodUnknown = random.chance(0.3);
  const accepted = status < 300;
  const next = firstId === null ? [] : [firstId];
  script.get(lastId, {
    status,
    session: accepted ? named : null,
    ...(accepted
      ? { events: next.map(note) }
      : { json: failure(null, methodUnknown ? -32601 : -32000, methodUnknown ? 'Method not found' : 'no') }),
  });
  const arrived = [started, beside, elsewhere, accepted ? next : []];
  const wanted = validateResume(
    { sessionId: session, lastEventId: lastId },
    {
      status,
      sessionId: named,
      firstEventId: firstId,
      body: methodUnknown ? failure(null, -32601, 'Method not found') : undefined,
    },
    {
      delivered: started,
      other: beside,
      otherSessions: elsewhere,
      family: decideFamily(arrived.flat().map(parseEventId)),
      contiguous:
        ['go', 'rmcp'].includes(decideFamily(arrived.flat().map(parseEventId))) || observedContiguous(arrived),
    },
  );
  return { script, verdict: wanted.verdict, reason: `${family}: ${wanted.reason}` };
}

/** Every case has an endpoint of its own; one recording holds them all. */
async function verdictsBySql(cases: readonly Case[]): Promise<Map<string, string>> {
  return withFolder(async (root) => {
    const logs = cases.map(({ script }) => JSON.parse(writeHar(script.history())) as { log: { entries: object[] } });
    const path = join(root, 'capture.har');
    writeFileSync(path, JSON.stringify({ log: { ...logs[0]?.log, entries: logs.flatMap(({ log }) => log.entries) } }));
    const console = new Console(true, () => undefined);
    const inputs = await findInputs([path], {});
    return withStoreFor({}, inputBytes(inputs), async (store) => {
      await loadInputs(store, inputs, {}, 'by-path', console);
      const broken = await deriveRelations(store, await loadRegistry(null), ['resume']);
      expect([...broken]).toEqual([]);
      const rows = await store.rows<{ hop: string; verdict: string }>('select hop, verdict from resume');
      return new Map(rows.map(({ hop, verdict }) => [hop, verdict]));
    });
  });
}

describe('the verdict of a resume in SQL', () => {
  it(`is that of the library, for ${RESUMES} random resumes`, { timeout: 600_000 }, async () => {
    const told = new Map<string, number>();
    for (let from = 1; from <= RESUMES; from += BATCH) {
      const cases = Array.from({ length: Math.min(BATCH, RESUMES - from + 1) }, (_, n) => makeCase(from + n));
      const given = await verdictsBySql(cases);
      for (const [at, { script, verdict, reason }] of cases.entries()) {
        told.set(verdict, (told.get(verdict) ?? 0) + 1);
        expect(given.get(`client https://mcp.example.test${pathOf(script.seed)}`), `seed ${from + at}: ${reason}`).toBe(
          verdict,
        );
      }
    }
    expect([...told.keys()].sort()).toEqual([
      'epoch-merge',
      'foreign',
      'gap',
      'refused',
      'replayed-earlier',
      'replayed-last',
      'resumed',
      'session-gone',
      'unacknowledged',
      'unorderable',
      'unproven',
    ]);
  });
});
