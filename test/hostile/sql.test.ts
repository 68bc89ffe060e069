import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertReadOnlyQuery } from '../../src/detect/sandbox.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-sql-'));
  writeFileSync(join(folder, 'secret.csv'), 'word\nplanted-secret\n');
  store = await openStore({ path: ':memory:' });
  await store.lock();
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** SQL that would reach beyond the tables; `$F` is a folder that holds `secret.csv`. */
const REACHING: readonly (readonly [what: string, sql: string])[] = [
  ['ATTACH', "attach '$F/other.duckdb' as other"],
  ['ATTACH of another kind', "attach 'host=db.test' as pg (type postgres)"],
  ['COPY to a file', "copy (select 1) to '$F/out.csv'"],
  ['COPY from a file', "copy exchange from '$F/secret.csv'"],
  ['EXPORT', "export database '$F/out'"],
  ['IMPORT', "import database '$F/out'"],
  ['INSTALL', 'install httpfs'],
  ['LOAD', 'load httpfs'],
  ['PRAGMA', 'pragma database_list'],
  ['PRAGMA that writes', "pragma enable_profiling = 'json'"],
  ['SET', "set temp_directory = '$F'"],
  ['RESET', 'reset enable_external_access'],
  ['CALL', 'call pragma_version()'],
  ['USE', 'use memory'],
  ['EXPLAIN ANALYZE', 'explain analyze select 1'],
  ['DESCRIBE of a file', "describe '$F/secret.csv'"],
  ['SUMMARIZE of a file', "summarize '$F/secret.csv'"],
  ['CREATE TABLE', 'create table x as select 1'],
  ['CREATE MACRO', 'create macro m() as 1'],
  ['CREATE SECRET', "create secret (type http, bearer_token 'x')"],
  ['INSERT', 'insert into exchange (exchange_id) values (1)'],
  ['UPDATE', 'update exchange set path = 1'],
  ['DELETE', 'delete from exchange'],
  ['DROP', 'drop table exchange'],
  ['TRUNCATE', 'truncate exchange'],
  ['ALTER', 'alter table exchange add column x int'],
  ['VACUUM', 'vacuum'],
  ['CHECKPOINT', 'checkpoint'],
  ['BEGIN', 'begin'],
  ['PREPARE', 'prepare p as select 1'],
  ['a second statement', 'select 1; drop table exchange'],
  ['a second statement after comments', 'select 1 /* ; */; -- x\n drop table exchange'],
  ['a second statement behind a quoted semicolon', "select ';'; select 2"],
  ['nothing', '  -- only a comment'],
  ['read_text', "select * from read_text('$F/secret.csv')"],
  ['read_text of any case, quoted', 'select * from "Read_Text"(\'$F/secret.csv\')'],
  ['read_text behind a comment', "select * from read_text/**/('$F/secret.csv')"],
  ['read_text of a schema', "select * from main.read_text('$F/secret.csv')"],
  ['read_blob', "select * from read_blob('$F/secret.csv')"],
  ['read_csv', "select * from read_csv('$F/secret.csv')"],
  ['read_csv_auto', "select * from read_csv_auto('$F/secret.csv')"],
  ['read_json', "select * from read_json('$F/secret.csv')"],
  ['read_ndjson_objects', "select * from read_ndjson_objects('$F/secret.csv')"],
  ['read_parquet', "select * from read_parquet('$F/secret.csv')"],
  ['parquet_scan', "select * from parquet_scan('$F/secret.csv')"],
  ['parquet_metadata', "select * from parquet_metadata('$F/secret.csv')"],
  ['parquet_schema', "select * from parquet_schema('$F/secret.csv')"],
  ['parquet_kv_metadata', "select * from parquet_kv_metadata('$F/secret.csv')"],
  ['sniff_csv', "select * from sniff_csv('$F/secret.csv')"],
  ['glob', "select * from glob('$F/*')"],
  ['a file name as a table', "select * from '$F/secret.csv'"],
  ['a file name as a quoted table', 'select * from "$F/secret.csv"'],
  ['a file name after a comma', "select * from exchange, '$F/secret.csv'"],
  ['a file name in a join', "select * from exchange join '$F/secret.csv' on true"],
  ['a file name in a FROM that comes first', "from '$F/secret.csv' select *"],
  ['a file name in a subquery', "select (select word from '$F/secret.csv')"],
  ['a URL as a table', "select * from 'https://evil.test/x.csv'"],
  ['query()', "select * from query('select 1')"],
  ['query_table()', "select * from query_table('$F/secret.csv')"],
  ['SQL in JSON', "select * from json_execute_serialized_sql('{}')"],
  ['the environment', "select getenv('HOME')"],
  ['a setting', "select current_setting('temp_directory')"],
  ['settings', 'select * from duckdb_settings()'],
  ['secrets', 'select * from duckdb_secrets()'],
  ['the file of the database', 'select * from pragma_database_list()'],
  ['a write in a CTE', 'with x as (delete from exchange returning *) select * from x'],
];

describe('SQL of a user may not reach beyond the tables', () => {
  test.each(REACHING)('by %s', async (_, text) => {
    const sql = text.replaceAll('$F', folder);
    await expect(assertReadOnlyQuery(store, sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^query-(refused|failed)$/),
    });
    expect(readdirSync(folder)).toEqual(['secret.csv']);
  });

  // The words of the first line of defence are not the only one: the database itself is locked.
  test.each(
    REACHING.filter(
      ([, sql]) => sql.includes('$F') && /^(select|from|describe|summarize|copy|attach|set|import|export)/.test(sql),
    ),
  )('by %s, in the database itself', async (_, text) => {
    const outcome = await store.rows(text.replaceAll('$F', folder)).then(JSON.stringify, () => 'refused');
    expect(outcome).not.toContain('planted-secret');
    expect(readdirSync(folder)).toEqual(['secret.csv']);
  });

  test('and ordinary questions pass', async () => {
    for (const sql of [
      'select count(*) from exchange',
      'with a as (select 1 as x) select x from a where x is distinct from 2;',
      "from exchange select path where path like '%read_text(%' -- read_text('x')",
      "(values ('attach'), ('copy'))",
      'select "set" from (select 1 as "set")',
    ]) {
      await expect(assertReadOnlyQuery(store, sql), sql).resolves.toBeUndefined();
    }
  });
});

describe('a runaway query', () => {
  const RECURSIVE = 'with recursive t as (select 1 as i union all select i + 1 from t) select * from t';

  test('that recurses for ever is stopped at its time limit', async () => {
    const started = performance.now();
    const counted = RECURSIVE.replace(/\*(?= from t$)/, 'max(i)');
    await expect(store.withTimeLimit(300, () => store.table(counted))).rejects.toThrow('longer than 0.3 s');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('that returns rows for ever ends when its result is larger than memory should hold', async () => {
    await expect(store.table("select range, 'x' || range from range(100000000000)")).rejects.toThrow('larger than');
    expect((await store.table('select 1 as still_there')).rows).toEqual([[1]]);
  });

  test('that asks for more memory than the database has is an error', async () => {
    await expect(store.table('select list(range) from range(1000000000)')).rejects.toMatchObject({
      code: 'query-failed',
    });
  });
});

const BIN = 'bin/mcp-postmortem.js';
test.skipIf(!existsSync('dist/cli/main.js'))(
  'a runaway query ends the command line with 2, and it can be interrupted',
  async () => {
    const sql = 'with recursive t as (select 1 as i union all select i + 1 from t) select max(i) from t';
    const run = (args: readonly string[]) => {
      const child = spawn(process.execPath, [BIN, 'query', sql, 'samples/rolling-deploy/capture.har', ...args]);
      const ended = new Promise<number | null>((done) => child.once('exit', done));
      return { child, ended };
    };
    expect(await run(['--time-limit', '1']).ended).toBe(2);
    const { child, ended } = run([]);
    setTimeout(() => child.kill('SIGINT'), 3000);
    expect(await ended).toBe(130);
  },
);
