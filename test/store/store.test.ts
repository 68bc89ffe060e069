import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReadSummary, RecordSink } from '../../src/readers/reader.js';
import { type Capture, emptyExchange } from '../../src/readers/record.js';
import { openScratchStore, openStore } from '../../src/store/open.js';

const SUMMARY: ReadSummary = {
  format: 'har',
  producer: null,
  vantage: 'client',
  records: 1,
  evidence: ['status'],
  warnings: ['first', 'second'],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function capture(locator: string, session: string | null): Capture {
  return {
    exchange: { ...emptyExchange(locator, 'client'), requestSession: session },
    events: [],
    messages: [],
    tools: [],
  };
}

const meta = (name: string) => ({ path: name, sha256: `sha of ${name}`, bytes: 10 });

const reading =
  (...captures: Capture[]) =>
  async (sink: RecordSink) => {
    for (const one of captures) sink.capture(one);
    return SUMMARY;
  };

describe('a source', () => {
  test('is there with all of its exchanges, numbered in the order of reading', async () => {
    const store = await openStore({ path: ':memory:' });
    await store.source(meta('a'), reading(capture('entry 0', 'S1'), capture('entry 1', 'S1')));
    await store.source(meta('b'), reading(capture('entry 0', 'S2')));
    expect(await store.rows('select exchange_id, locator from exchange order by 1')).toEqual([
      { exchange_id: 2n ** 32n, locator: 'entry 0' },
      { exchange_id: 2n ** 32n + 1n, locator: 'entry 1' },
      { exchange_id: 2n ** 33n, locator: 'entry 0' },
    ]);
    expect(await store.rows('select session from session order by 1')).toEqual([{ session: 'S1' }, { session: 'S2' }]);
    expect(await store.rows('select warnings, evidence from source where source_id = 1')).toEqual([
      { warnings: 'first\nsecond', evidence: 'status' },
    ]);
    store.close();
  });

  test('that fails half-way leaves nothing, and the next one is whole', async () => {
    const store = await openStore({ path: ':memory:' });
    const failing = store.source(meta('a'), async (sink) => {
      for (let index = 0; index < 5000; index++) sink.capture(capture(`entry ${index}`, 'S1'));
      throw new Error('cut');
    });
    await expect(failing).rejects.toThrow('cut');
    expect(await store.rows('select * from exchange')).toEqual([]);
    await store.source(meta('a'), reading(capture('entry 0', 'S1')));
    expect(await store.rows('select count(*) as n from exchange')).toEqual([{ n: 1n }]);
    expect(await store.rows('select session from session')).toEqual([{ session: 'S1' }]);
    store.close();
  });

  test('with the same bytes as another is not read again, in a later run neither', async () => {
    const path = join(folder, 'kept.duckdb');
    const first = await openStore({ path });
    await first.source(meta('a'), reading(capture('entry 0', 'S1')));
    first.close();
    const second = await openStore({ path });
    const again = await second.source({ ...meta('a'), path: 'copy' }, () => Promise.reject(new Error('was read')));
    expect(again).toEqual({ kind: 'duplicate', of: 'a' });
    expect((await second.source(meta('b'), reading(capture('entry 0', 'S1')))).kind).toBe('read');
    expect(await second.rows('select count(*) as n from session')).toEqual([{ n: 1n }]);
    second.close();
  });

  test('keeps the first hundred rejected records and counts all', async () => {
    const store = await openStore({ path: ':memory:' });
    await store.source(meta('a'), async (sink) => {
      for (let index = 0; index < 250; index++) sink.reject(`line ${index}`, 'broken');
      return SUMMARY;
    });
    expect(await store.rows('select rejected from source')).toEqual([{ rejected: 250n }]);
    expect(await store.rows('select count(*) as n, max(locator) as last from reject')).toEqual([
      { n: 100n, last: 'line 99' },
    ]);
    store.close();
  });

  test('never brings a session id of more than twelve characters into the database', async () => {
    const path = join(folder, 'kept.duckdb');
    const secret = '3f2a91c0-5d1e-4c3b-9f00-aabbccddeeff';
    const store = await openStore({ path });
    await store.source(meta('a'), reading(capture('entry 0', secret)));
    const [row] = await store.rows<{ tag: string }>('select request_session as tag from exchange');
    expect(row?.tag).toMatch(/^3f2a91c0…#[0-9a-f]{16}$/);
    expect(store.reveal(row?.tag ?? '')).toBe(secret);
    store.close();
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(path).includes(secret)).toBe(false);
  });
});

describe('opening', () => {
  test('refuses a file that is no database, naming it', async () => {
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'not a database '.repeat(1000));
    await expect(openStore({ path })).rejects.toMatchObject({
      code: 'store-broken',
      message: expect.stringContaining(path),
    });
  });

  test('refuses a database of another program', async () => {
    const path = join(folder, 'other.duckdb');
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('create table payroll (name varchar)');
    connection.closeSync();
    instance.closeSync();
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'store-version' });
  });

  test('refuses a database of another version', async () => {
    const path = join(folder, 'old.duckdb');
    const store = await openStore({ path });
    await store.run("update store_version set version = 'older'");
    store.close();
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'store-version' });
  });

  test('says that another process holds the database', async () => {
    const path = join(folder, 'held.duckdb');
    const store = await openStore({ path });
    store.close();
    const script = `
      const { DuckDBInstance } = require('@duckdb/node-api');
      DuckDBInstance.create(${JSON.stringify(path)}).then(() => { console.log('held'); setTimeout(() => {}, 60000); });`;
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await new Promise((resolve) => holder.stdout.once('data', resolve));
      await expect(openStore({ path })).rejects.toMatchObject({
        code: 'store-locked',
        message: expect.stringContaining(String(holder.pid)),
      });
    } finally {
      holder.kill('SIGKILL');
    }
  });

  test('makes a folder for spilling and takes it away again', async () => {
    const store = await openStore({ path: ':memory:', tempDirectory: folder, memoryLimit: '60MB' });
    expect(readdirSync(folder)).toHaveLength(1);
    await store.materialise('big', 'select range as n, hash(range) as h from range(6000000) order by h');
    expect(await store.rows('select count(*) as n from big')).toEqual([{ n: 6_000_000n }]);
    store.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('SQL in the store', () => {
  test.each([
    "select * from read_csv('/etc/hostname')",
    "select * from read_text('/etc/hostname')",
    "copy (select 1) to 'leak.csv'",
    "attach 'other.duckdb'",
    'install httpfs',
    'load httpfs',
    'set enable_external_access = true',
  ])('cannot reach files, network or extensions: %s', async (sql) => {
    const store = await openStore({ path: ':memory:' });
    await expect(store.run(sql)).rejects.toMatchObject({ code: 'query-failed' });
    store.close();
    expect(existsSync('leak.csv')).toBe(false);
  });

  test('cannot change a setting once the store is locked, and relations can still be derived', async () => {
    const store = await openStore({ path: ':memory:' });
    await store.lock();
    await expect(store.run('set threads = 1')).rejects.toThrow(/locked/);
    await store.materialise('two', 'select 2 as n');
    expect(await store.rows('select n from two')).toEqual([{ n: 2 }]);
    store.close();
  });

  test('stops at its time limit', async () => {
    const store = await openStore({ path: ':memory:' });
    const endless = store.withTimeLimit(200, () =>
      store.rows('select count(*) from range(1000000000) a, range(1000) b'),
    );
    await expect(endless).rejects.toThrow('longer than 0.2 s');
    expect(await store.rows('select 1 as n')).toEqual([{ n: 1 }]);
    store.close();
  });

  test('binds parameters as values: a quote in one is no SQL', async () => {
    const store = await openStore({ path: ':memory:' });
    const hostile = "'; drop table exchange; --";
    expect(await store.rows('select $a as a, $b as b', { a: hostile, b: 5n, unused: 1 })).toEqual([
      { a: hostile, b: 5n },
    ]);
    await expect(store.rows('select $missing', {})).rejects.toThrow('$missing is not given');
    store.close();
  });

  test('derives into temporary tables where the file is open for reading alone', async () => {
    const path = join(folder, 'kept.duckdb');
    (await openStore({ path })).close();
    const store = await openStore({ path, readOnly: true });
    await store.materialise('epoch', 'select 1 as epoch_id');
    expect(await store.rows('select epoch_id from epoch')).toEqual([{ epoch_id: 1 }]);
    await expect(store.run('create table more (n integer)')).rejects.toThrow();
    store.close();
  });
});

test('queries asked for at the same time all get all of their rows', async () => {
  const store = await openStore({ path: ':memory:' });
  const counts = await Promise.all([5000, 7000, 9000].map((n) => store.rows(`select range from range(${n})`)));
  expect(counts.map((rows) => rows.length)).toEqual([5000, 7000, 9000]);
  store.close();
});

describe('a store for one run', () => {
  test('lies in memory for small inputs, in a file for large ones, and leaves nothing behind', async () => {
    const small = await openScratchStore(1000, { tempDirectory: folder });
    expect(readdirSync(folder)).toHaveLength(1);
    small.close();
    const large = await openScratchStore(2 ** 30, { tempDirectory: folder });
    await large.source(meta('a'), reading(capture('entry 0', 'S1')));
    const files = readdirSync(folder, { recursive: true }).map(String);
    expect(files.some((file) => file.endsWith('scratch.duckdb'))).toBe(true);
    large.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('takes away what a killed run has left, and nothing else', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.once('exit', resolve));
    const stays = [`mcp-postmortem-${process.pid}-aaaaaa`, 'mcp-postmortem-notes', `other-${gone.pid}-aaaaaa`];
    for (const name of [...stays, `mcp-postmortem-${gone.pid}-aaaaaa`]) mkdirSync(join(folder, name));
    const store = await openScratchStore(0, { tempDirectory: folder });
    store.close();
    expect(readdirSync(folder).sort()).toEqual(stays.sort());
  });
});

test('a span that an earlier source has brought is counted as a duplicate and stored once', async () => {
  const span = (id: string, vantage: 'client' | 'server'): Capture => {
    const exchange = { ...emptyExchange(`span ${id}`, vantage), traceId: 'ab'.repeat(16), spanId: id };
    return { ...capture('', null), exchange };
  };
  const store = await openStore({ path: ':memory:' });
  await store.source(meta('a'), reading(span('0000000000000001', 'server'), span('0000000000000002', 'server')));
  await store.source(meta('b'), reading(span('0000000000000002', 'server'), span('0000000000000002', 'client')));
  expect(await store.rows('select path, duplicates from source order by path')).toEqual([
    { path: 'a', duplicates: 0n },
    { path: 'b', duplicates: 1n },
  ]);
  expect(await store.rows('select count(*) as n from exchange')).toEqual([{ n: 3n }]);
  store.close();
});
