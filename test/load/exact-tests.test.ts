import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { Random } from '../support/history/random.js';

type Table = readonly [number, number, number, number];
let store: Store;

const model = (name: string) => readFileSync(new URL(`../../queries/model/${name}.sql`, import.meta.url), 'utf8');

beforeAll(async () => {
  store = await openStore({ path: ':memory:' });
  await store.materialise('load_digit', model('load_digit'));
});
afterAll(() => store.close());

async function pValues(rows: readonly string[]): Promise<number[]> {
  await store.materialise(
    'load_hypothesis',
    `select * from (values ${rows.join(', ')}) as t(hypothesis_id, failed_inside, kept_inside, failed_outside, kept_outside, tries, trials, hits, share, cells)`,
  );
  await store.materialise('load_test', model('load_test'));
  const found = await store.rows<{ p: number }>('select p_single as p from load_test order by hypothesis_id');
  return found.map(({ p }) => p);
}

const fisher = (tables: readonly Table[]) =>
  pValues(
    tables.map((t, index) => `(${index}, ${t.join(', ')}, 1, null::bigint, null::bigint, null::double, null::bigint)`),
  );

/** The tail by whole numbers, without rounding until the last step. */
function fisherByCounting([a, b, c, d]: Table): number {
  const choose = (n: number, k: number): bigint => {
    let result = 1n;
    for (let i = 1; i <= k; i++) result = (result * BigInt(n - k + i)) / BigInt(i);
    return k < 0 || k > n ? 0n : result;
  };
  let ways = 0n;
  for (let x = a; x <= Math.min(a + b, a + c); x++) ways += choose(a + b, x) * choose(c + d, a + c - x);
  return Number((ways * 10n ** 18n) / choose(a + b + c + d, a + c)) / 1e18;
}

test('Fisher’s lady tasting tea: three cups of four right has p = 17/70', async () => {
  const [p] = await fisher([[3, 1, 1, 3]]);
  expect(p).toBeCloseTo(17 / 70, 12);
});

test('Fisher’s convicted twins: 10 of 13 against 2 of 17 has p = 619/1330665', async () => {
  const [p] = await fisher([[10, 3, 2, 15]]);
  expect(p).toBeCloseTo(619 / 1_330_665, 12);
});

test('complete separation of n against n has p = 1 / C(2n, n)', async () => {
  const found = await fisher([
    [5, 0, 0, 5],
    [8, 0, 0, 8],
  ]);
  expect(found[0]).toBeCloseTo(1 / 252, 12);
  expect(found[1]).toBeCloseTo(1 / 12_870, 12);
});

test('the tail of any table is the one that counting gives', async () => {
  const random = new Random(4);
  const tables = Array.from(
    { length: 300 },
    (): Table => [random.int(0, 30), random.int(0, 30), random.int(0, 60), random.int(0, 60)],
  );
  const found = await fisher(tables);
  for (const [index, table] of tables.entries()) {
    const exact = fisherByCounting(table);
    expect(Math.abs(found[index]! - exact)).toBeLessThanOrEqual(1e-9 * exact + 1e-17);
  }
});

test('large tables keep their precision and do not overflow', async () => {
  const [p] = await fisher([[400, 600, 9_000, 90_000]]);
  expect(p).toBeGreaterThan(0);
  expect(p).toBeLessThan(1e-100);
});

test('nine heads of ten have the binomial p = 11/1024, and ten of ten 1/1024', async () => {
  const found = await pValues([
    '(0, 9, 0, 1, 0, 1, 10, 9, 0.5::double, null::bigint)',
    '(1, 10, 0, 0, 0, 1, 10, 10, 0.5::double, null::bigint)',
  ]);
  expect(found[0]).toBeCloseTo(11 / 1024, 12);
  expect(found[1]).toBeCloseTo(1 / 1024, 12);
});

test('three nights of three at one hour of equal traffic have p = 1 / C(72, 3)', async () => {
  const [p] = await pValues([`(0, 9, 90, 0, 2000, 24, 3, 3, ${1 / 24}::double, 3)`]);
  expect(p).toBeCloseTo(1 / 59_640, 12);
});

test('p is corrected for what was tried and for the nine causes', async () => {
  await fisher([[8, 0, 0, 8]]);
  await store.run('update load_hypothesis set tries = 8');
  await store.materialise('load_test', model('load_test'));
  const [row] = await store.rows<{ p_value: number }>('select p_value from load_test');
  expect(row?.p_value).toBeCloseTo((8 * 9) / 12_870, 12);
});
