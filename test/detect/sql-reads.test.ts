import { describe, expect, test } from 'vitest';
import { relationsRead } from '../../src/detect/sql-reads.js';
import { sqlTokens } from '../../src/detect/sql-tokens.js';

describe('the relations that a query reads', () => {
  test.each([
    ['select * from epoch', ['epoch']],
    ['select 1 from epoch e join lineage as l on true left join stream using (x)', ['epoch', 'lineage', 'stream']],
    ['select 1 from epoch, lineage l, stream as s, (select 1 from resume) r', ['epoch', 'lineage', 'stream', 'resume']],
    ['with a as (select * from epoch), b(x) as (select 1 from a) select * from b', ['epoch']],
    [
      'with recursive walk as (select 1 from epoch union all select 1 from walk join stream on true) select * from walk',
      ['epoch', 'stream'],
    ],
    ['with a as not materialized (select 1) select * from a', []],
    ['select "from" from "epoch"', ['epoch']],
    [
      "select ' from nowhere ', $$ from nowhere $$ from epoch -- from nowhere\n/* from /* from */ nowhere */",
      ['epoch'],
    ],
    ['select a is distinct from b, a is not distinct from c from epoch', ['epoch']],
    ['select * from range(3), epoch', []],
    ['select 1 where exists (select 1 from resume r where r.x = 1)', ['resume']],
    ['SELECT 1 FROM epoch WHERE x QUALIFY 1', ['epoch']],
  ])('%s', (sql, names) => {
    expect(relationsRead(sql)).toEqual(names);
  });
});

test('text in literals, comments and quoted names is never taken for a keyword', () => {
  const words = sqlTokens(`select 'it''s; drop', e'a\\'; drop', "drop" /* drop */, $q$ drop $q$, $name -- drop`)
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text);
  expect(words).toEqual(['select']);
});

test('SQL that ends in the middle of a literal or a comment is taken apart to its end', () => {
  for (const sql of ["select 'open", 'select "open', 'select /* open', 'select $$ open', "select e'open\\"]) {
    expect(sqlTokens(sql)[0]?.text).toBe('select');
  }
});
