import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BulkAppender, type Cell } from '../../src/store/bulk-appender.js';

async function roundTrip(rows: readonly (readonly Cell[])[]): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    'create table t (place integer, b bigint, i integer, d double, f boolean, s varchar, u varchar)',
  );
  const appender = await BulkAppender.open(connection, 't');
  for (const row of rows) appender.append(row);
  appender.close();
  const result = await (await connection.run('select * from t order by place')).getRows();
  connection.closeSync();
  instance.closeSync();
  return result;
}

const text = fc.oneof(
  fc.constant(null),
  fc.constantFrom(
    '',
    'a',
    'exactly12byt',
    'thirteen byte',
    'S1',
    '3f2a91c0…#7d1e',
    'NUL \0 inside',
    '\0',
    '🙂'.repeat(9),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const row = fc.tuple(
  fc.oneof(fc.constant(null), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.oneof(fc.constant(null), fc.integer()),
  fc.oneof(fc.constant(null), fc.double({ noNaN: true })),
  fc.oneof(fc.constant(null), fc.boolean()),
  text,
  text,
);

describe('rows appended a vector at a time', () => {
  test('come back as they were given, whatever mix of texts, nulls and numbers they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 130 }),
        async (some, times) => {
          const rows = Array.from({ length: some.length * times }, (_, index) => [
            index,
            ...some[index % some.length]!,
          ]);
          expect(await roundTrip(rows)).toEqual(rows);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('keep a column apart that is uniform in one vector and mixed in the next', async () => {
    const rows = Array.from({ length: 6200 }, (_, index): Cell[] => {
      const changes = index >= 2048 && index < 4096;
      return [
        index,
        changes ? BigInt(index) : null,
        7,
        null,
        changes && index % 2 === 0,
        changes ? `text number ${index}` : 'same',
        null,
      ];
    });
    expect(await roundTrip(rows)).toEqual(rows);
  });

  test('take whole numbers for a BIGINT column, negative and large ones too', async () => {
    const numbers = [0, -1, 1, 2 ** 31, 2 ** 32, -(2 ** 32), 2 ** 53 - 1, -(2 ** 53 - 1), -(2 ** 33) - 5];
    const rows = numbers.map((number, place): Cell[] => [place, number, null, null, null, null, null]);
    expect((await roundTrip(rows)).map((cells) => cells[1])).toEqual(numbers.map(BigInt));
  });

  test('hold null, never a wrapped number, for what a column cannot hold', async () => {
    const rows: Cell[][] = [
      [0, 2n ** 63n, 2 ** 31, null, null, null, null],
      [1, -(2n ** 63n) - 1n, 1.5, null, null, null, null],
      [2, 2 ** 53, -(2 ** 40), null, null, null, null],
      [3, Number.NaN, Number.POSITIVE_INFINITY, null, null, null, null],
      [4, 5n, 5, null, null, null, null],
    ];
    const back = await roundTrip(rows);
    expect(back.map((cells) => cells.slice(1, 3))).toEqual([
      [null, null],
      [null, null],
      [null, null],
      [null, null],
      [5n, 5],
    ]);
  });

  test('replace half a surrogate pair and do not pair it with the next row', async () => {
    const rows: Cell[][] = [
      [0, null, null, null, null, 'high \ud83d', null],
      [1, null, null, null, null, '\ude42 low', null],
    ];
    expect((await roundTrip(rows)).map((cells) => cells[5])).toEqual(['high \ufffd', '\ufffd low']);
  });

  test('hold texts of megabytes beside short ones', async () => {
    const long = 'x'.repeat(5 * 2 ** 20);
    const rows = ['a', long, '…', null].map((value, place): Cell[] => [
      place,
      null,
      null,
      null,
      null,
      value,
      'é'.repeat(place),
    ]);
    expect(await roundTrip(rows)).toEqual(rows);
  });
});
