import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEventId } from '../../src/contract/event-id.js';
import { compareEventIds, decideFamily } from '../../src/contract/event-id-order.js';

const UUID4 = '1b242efe-abff-4de4-bb49-97338aefc2cc';
const GO = 'EQ72MMSM5F3EQBGSA3KY7ED7U5';

describe('the shape of one id', () => {
  test.each([
    ['_0', 'go', '', 0n],
    [`${GO}_17`, 'go', GO, 17n],
    ['0/1', 'rmcp', '1', 0n],
    ['12/0', 'rmcp', '0', 12n],
    ['7', 'counter', '', 7n],
    ['e140', 'counter', 'e', 140n],
    ['evt-12', 'counter', 'evt-', 12n],
    ['k1_0', 'counter', 'k1_', 0n],
    ['zz.2', 'counter', 'zz.', 2n],
    [`${UUID4}_5`, 'counter', `${UUID4}_`, 5n],
    ['_GET_stream_1794492000123_ab12', 'typescript', '_GET_stream', 1_794_492_000_123n],
    [`${UUID4}_1789546338753_yr7pknn4`, 'typescript', UUID4, 1_789_546_338_753n],
    [`387d4466-02b2-407c-b35c-b184cc5947c6_${UUID4}`, 'java', '387d4466-02b2-407c-b35c-b184cc5947c6', null],
    ['1541815603606036480', 'snowflake', '', 1_541_815_603_606_036_480n],
    ['1526919030474-55', 'snowflake', '', 1_526_919_030_474_000_055n],
    ['1794492000123', 'counter', '', 1_794_492_000_123n],
  ])('%s is %s', (id, family, stream, seq) => {
    expect(parseEventId(id)).toEqual({ family, stream, seq, session: null });
  });

  test.each([
    UUID4,
    '550e8400-e29b-41d4-a716-446655440000',
    '1b242efeabff4de4bb4997338aefc2cc',
    'a3f9c1d2e8b40917',
    'k8Zp0wX3vQ==',
    'prime',
    '',
    '99999999999999999999999',
    'x'.repeat(600),
    'évt',
  ])('%s says nothing about order', (id) => {
    expect(parseEventId(id).family).toBe('opaque');
  });

  test('C# ids name their session and their stream', () => {
    const id = `${btoa('sess-1')}:${btoa('stream-2')}:31`;
    expect(parseEventId(id)).toEqual({ family: 'csharp', session: 'sess-1', stream: 'stream-2', seq: 31n });
    expect(parseEventId('a:b:1').family).toBe('counter');
  });

  test('sortable ids carry their time in the upper bits', () => {
    const ulid = parseEventId('01HZX3V5Q8M7N6P5R4S3T2V1W0');
    expect(ulid.family).toBe('ulid');
    expect(new Date(Number((ulid.seq ?? 0n) >> 15n)).getUTCFullYear()).toBe(2024);
    const uuid7 = parseEventId('01890a5d-ac96-774b-bcce-b302099a8057');
    expect(uuid7.family).toBe('uuid7');
    expect(new Date(Number((uuid7.seq ?? 0n) >> 12n)).getUTCFullYear()).toBe(2023);
  });

  test('any text is taken apart without a throw, and its number fits 63 bits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (id) => {
        const { seq } = parseEventId(id);
        expect(seq === null || (seq >= 0n && seq < 2n ** 63n)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the family of an endpoint', () => {
  const family = (...ids: string[]) => decideFamily(ids.map(parseEventId));

  test('plain integers are a counter unless ids with a slash stand beside them', () => {
    expect(family('1', '2', '3')).toBe('counter');
    expect(family('0', '1', '0/1', '1/1')).toBe('rmcp');
  });

  test('named streams beside those of Go are Go, alone a counter', () => {
    expect(family('k1_0', 'k1_1')).toBe('counter');
    expect(family('_0', 'k1_0', 'k1_1')).toBe('go');
  });

  test('a stray id does not change the family, a mixture has none', () => {
    expect(family('prime', '1', '2', '3', '4', '5')).toBe('counter');
    expect(family(UUID4, '1', '2', 'e3')).toBe('opaque');
    expect(family()).toBe('opaque');
  });
});

describe('the order of two ids', () => {
  test.each([
    ['e9', 'e10', 'counter', 'before'],
    ['e10', 'e9', 'counter', 'after'],
    ['e9', 'f10', 'counter', 'unordered'],
    ['e9', 'e9', 'opaque', 'equal'],
    [`${GO}_2`, `${GO}_10`, 'go', 'before'],
    [`${GO}_2`, '_10', 'go', 'unordered'],
    ['3/1', '4/1', 'rmcp', 'before'],
    ['3/1', '4/2', 'rmcp', 'unordered'],
    ['3', '4', 'rmcp', 'before'],
    ['a_1794492000123_x', 'a_1794492000124_a', 'typescript', 'before'],
    ['a_1794492000123_x', 'a_1794492000123_y', 'typescript', 'unordered'],
    ['01HZX3V5Q8M7N6P5R4S3T2V1W0', '01HZX3V5Q8M7N6P5R4S3T2V1W1', 'ulid', 'before'],
    [UUID4, '550e8400-e29b-41d4-a716-446655440000', 'opaque', 'unordered'],
    ['1526919030474-9', '1526919030474-10', 'snowflake', 'before'],
    ['e9', '10', 'counter', 'unordered'],
  ] as const)('%s against %s in %s is %s', (a, b, family, order) => {
    expect(compareEventIds(a, b, family)).toBe(order);
  });

  test('is the reverse of the order of the two exchanged', () => {
    const id = fc.oneof(
      fc.nat(50).map((n) => `e${n}`),
      fc.nat(50).map(String),
      fc.tuple(fc.nat(9), fc.nat(2)).map(([n, m]) => `${n}/${m}`),
    );
    const reverse = { before: 'after', after: 'before', equal: 'equal', unordered: 'unordered' };
    fc.assert(
      fc.property(id, id, fc.constantFrom('counter', 'rmcp', 'opaque'), (a, b, family) => {
        expect(compareEventIds(b, a, family as 'counter')).toBe(reverse[compareEventIds(a, b, family as 'counter')]);
      }),
    );
  });
});
