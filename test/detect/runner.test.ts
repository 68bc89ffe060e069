import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadRegistry, relationsInOrder } from '../../src/detect/registry.js';
import { type DetectorOutcome, type RunOptions, runDetectors } from '../../src/detect/runner.js';
import type { Evidence } from '../../src/readers/record.js';
import { emptyExchange } from '../../src/readers/record.js';
import { openStore } from '../../src/store/open.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'runner-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ROW =
  "'S1' as session, 1::bigint as at_ns, 2::bigint as until_ns, 'high' as severity, 'definite' as confidence, '1,2' as exchanges";

function detector(id: string, sql: string, more: readonly string[] = []): void {
  const meta = [
    `id: ${id}`,
    'title: T',
    'explanation: E',
    'severity: high',
    'needs: [status]',
    'key: [session]',
    'remedy: R',
  ];
  const lines = [...meta.filter((line) => !more.some((own) => own.split(':')[0] === line.split(':')[0])), ...more];
  writeFileSync(join(folder, `${id}.sql`), ['-- ---', ...lines.map((line) => `-- ${line}`), '-- ---', sql].join('\n'));
}

/** Runs the detectors of the folder over sources that carry this evidence. */
async function run(
  sources: readonly (readonly Evidence[])[],
  options: RunOptions = {},
): Promise<Map<string, DetectorOutcome>> {
  const store = await openStore({ path: ':memory:' });
  try {
    for (const [index, evidence] of sources.entries()) {
      await store.source({ path: `${index}`, sha256: `${index}`, bytes: 1 }, async (sink) => {
        sink.capture({ exchange: emptyExchange('entry 0', 'client'), events: [], messages: [], tools: [] });
        return { format: 'har', producer: null, vantage: 'client', records: 1, evidence, warnings: [] };
      });
    }
    const registry = await loadRegistry(folder);
    const own = registry.detectors.filter(({ origin }) => origin === 'user').map(({ meta }) => meta.id);
    const outcomes = await runDetectors(store, registry, { only: own, ...options });
    return new Map(outcomes.map((outcome) => [outcome.detector.meta.id, outcome]));
  } finally {
    store.close();
  }
}

describe('a detector', () => {
  test('answers with its rows: known columns apart, every further one a fact', async () => {
    detector('finds', `select ${ROW}, 'S2' as other_session, 5 as uses, null as nothing`);
    const outcome = (await run([['status']])).get('finds');
    expect(outcome).toMatchObject({ status: 'findings', reason: null });
    expect(outcome?.rows).toEqual([
      {
        session: 'S1',
        otherSession: 'S2',
        atNs: 1n,
        untilNs: 2n,
        severity: 'high',
        confidence: 'definite',
        exchanges: ['1', '2'],
        facts: { uses: 5, nothing: null },
      },
    ]);
  });

  test('is clean only when every source carries what it needs', async () => {
    detector('quiet', `select ${ROW} where false`);
    expect((await run([['status'], ['status', 'bodies']])).get('quiet')).toMatchObject({
      status: 'clean',
      reason: null,
    });
  });

  test('is partial when some sources lack what it needs, and says how to capture it', async () => {
    detector('quiet', `select ${ROW} where false`);
    const outcome = (await run([['status'], ['bodies']])).get('quiet');
    expect(outcome?.status).toBe('partial');
    expect(outcome?.reason).toMatch(/1 of 2 sources.*log the status/);
  });

  test('is not applicable, and not run, when no source carries what it needs', async () => {
    detector('quiet', 'select nonsense from nowhere', ['needs: [status, events]']);
    const outcome = (await run([['status']])).get('quiet');
    expect(outcome?.status).toBe('not-applicable');
    expect(outcome?.reason).toContain('events (capture');
    expect(outcome?.reason).not.toContain('status');
  });

  test('that fails stops no other', async () => {
    detector('aaa-fails', 'select nonsense from exchange');
    detector('bbb-wrong-severity', `select ${ROW.replace("'high'", "'dreadful'")}`);
    detector('ccc-no-columns', 'select 1 as session');
    detector('ddd-finds', `select ${ROW}`);
    const outcomes = await run([['status']]);
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(['error', 'error', 'error', 'findings']);
    expect(outcomes.get('bbb-wrong-severity')?.reason).toContain('dreadful');
    expect(outcomes.get('ccc-no-columns')?.reason).toContain('at_ns is missing');
  });

  test('takes its parameters as bound values, defaults first', async () => {
    const params = ['params: { many: { type: integer, default: 10, min: 2, max: 100 } }'];
    detector('counts', `select ${ROW}, $many as many`, params);
    expect((await run([['status']])).get('counts')?.rows[0]?.facts.many).toBe(10n);
    const given = await run([['status']], { params: { 'counts.many': 20 } });
    expect(given.get('counts')?.rows[0]?.facts.many).toBe(20n);
    const outside = await run([['status']], { params: { 'counts.many': 1000 } });
    expect(outside.get('counts')).toMatchObject({ status: 'error', reason: expect.stringContaining('from 2 to 100') });
  });

  test('gives its rows in order of time, whatever order its SQL has', async () => {
    const row = (at: string) => `select ${ROW.replace('1::bigint as at_ns', `${at} as at_ns`)}, '${at}' as label`;
    detector('shuffled', `${row('3::bigint')} union all ${row('null::bigint')} union all ${row('2::bigint')}`);
    const labels = (await run([['status']])).get('shuffled')?.rows.map(({ facts }) => facts.label);
    expect(labels).toEqual(['2::bigint', '3::bigint', 'null::bigint']);
  });
});

describe("a detector of a user's", () => {
  test.each([
    ['reads a file', `select ${ROW} from read_csv('/etc/hostname')`],
    ['reads a file by name', `select ${ROW} from '/etc/hostname'`],
    ['reads a file through another function', `select ${ROW} from query('select 1')`],
    ['attaches', "attach '/tmp/x.db'"],
    ['copies out', "copy exchange to '/tmp/x.csv'"],
    ['drops', 'drop table exchange'],
    ['changes a setting', 'set threads = 1'],
    ['uses a pragma', 'pragma database_list'],
    ['installs', 'install httpfs'],
    ['has two statements', `select ${ROW}; delete from exchange`],
    ['hides a second statement in a comment trick', `select ${ROW} /* ; */ ; drop table exchange --`],
    ['inserts through a CTE', `with x as (insert into exchange values (1)) select ${ROW}`],
  ])('is refused when it %s', async (_, sql) => {
    detector('hostile', sql);
    detector('later', `select ${ROW}, (select count(*) from exchange) as exchanges_left`);
    const outcomes = await run([['status']]);
    expect(outcomes.get('hostile')?.status).toBe('error');
    expect(outcomes.get('later')?.rows[0]?.facts.exchanges_left).toBe(1n);
  });

  test('is stopped at its time limit, and the next one runs', async () => {
    detector('endless', `select ${ROW} from range(1000000000) a, range(1000) b where a.range + b.range < 0`);
    detector('later', `select ${ROW}`);
    const outcomes = await run([['status']], { timeLimitMs: 200 });
    expect(outcomes.get('endless')).toMatchObject({ status: 'error', reason: expect.stringContaining('longer than') });
    expect(outcomes.get('later')?.status).toBe('findings');
  });

  test('must be named after its id, and the id be its own', async () => {
    detector('one', `select ${ROW}`, ['id: other']);
    await expect(loadRegistry(folder)).rejects.toMatchObject({ code: 'detector-invalid' });
  });
});

test('every relation comes after those that it reads', async () => {
  const registry = await loadRegistry();
  const order = relationsInOrder(registry, registry.relations.keys());
  const place = new Map(order.map(({ name }, index) => [name, index]));
  expect(order).toHaveLength(registry.relations.size);
  for (const relation of order) {
    for (const read of relation.reads.filter((name) => registry.relations.has(name))) {
      expect(place.get(read), `${relation.name} reads ${read}`).toBeLessThan(place.get(relation.name) ?? -1);
    }
  }
});

test('relations that read each other in a circle are refused, and the circle is named', () => {
  const relation = (name: string, reads: string[]) => [name, { name, path: `${name}.sql`, sql: '', reads }] as const;
  const relations = new Map([relation('a', ['b']), relation('b', ['c']), relation('c', ['a'])]);
  const registry = { tables: new Set<string>(), relations, reports: new Map(), detectors: [] };
  expect(() => relationsInOrder(registry, ['a'])).toThrow('a → b → c → a');
});
