import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { makePlace, type Place, quietHost, runOnce, takeOnce, writeAt } from './support/job.js';
import { healthySession, line } from './support/traffic.js';

const T0 = Date.parse('2026-11-12T14:00:00Z');
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const inbox = (name: string) => join(place.inbox, name);

async function query<T extends object>(sql: string): Promise<T[]> {
  const store = await openStore({ path: place.state });
  try {
    return await store.rows<T>(sql);
  } finally {
    store.close();
  }
}

async function locators(): Promise<string[]> {
  const rows = await query<{ locator: string }>('select locator from exchange order by exchange_id');
  return rows.map(({ locator }) => locator);
}

const bytesRead = async () => Number((await query<{ n: bigint }>('select bytes_read as n from job'))[0]!.n);

describe('a file that is known', () => {
  test('is not opened again while path, size and time are the same', async () => {
    const text = healthySession('S1', T0, 3, 1000).join('');
    writeAt(inbox('access.jsonl'), text, T0);
    expect((await runOnce(place)).read).toBe(1);
    // other bytes of the same length, and the old time: whoever opened it would notice
    writeAt(inbox('access.jsonl'), text.replaceAll('S1', 'S9'), T0);
    const again = await runOnce(place);
    expect(again).toMatchObject({ read: 0, document: null, failures: [] });
  });

  test('is read once under two names, and goes by the first of them', async () => {
    writeFileSync(inbox('b.jsonl'), healthySession('S1', T0, 3, 1000).join(''));
    await takeOnce(place);
    copyFileSync(inbox('b.jsonl'), inbox('a.jsonl'));
    const second = await takeOnce(place);
    expect(second.read).toBe(0);
    expect(await locators()).toHaveLength(5);
    expect(await query('select member, is_whole from holding order by 1')).toEqual([
      { member: inbox('a.jsonl'), is_whole: true },
      { member: inbox('b.jsonl'), is_whole: true },
    ]);
  });

  test('is recognised when it is renamed, and compressed, and goes on where it was', async () => {
    const lines = healthySession('S1', T0, 10, 1000);
    writeFileSync(inbox('access.jsonl'), lines.slice(0, 5).join(''));
    await takeOnce(place);
    appendFileSync(inbox('access.jsonl'), lines[5]!);
    renameSync(inbox('access.jsonl'), inbox('access.jsonl.1'));
    writeFileSync(inbox('access.jsonl'), lines.slice(6, 9).join(''));
    await takeOnce(place);
    expect(await locators()).toHaveLength(9);
    writeFileSync(inbox('access.jsonl.1.gz'), gzipSync(readFileSync(inbox('access.jsonl.1'))));
    unlinkSync(inbox('access.jsonl.1'));
    const third = await takeOnce(place);
    expect(third.read).toBe(0);
    expect(await locators()).toHaveLength(9);
  });
});

describe('a log that grows', () => {
  const big = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => line({ atMs: T0 + (from + n) * 10, session: 'S1', client: 'c' })).join('');

  test('is continued at the byte where reading stopped, and its lines keep their numbers', async () => {
    writeFileSync(inbox('access.jsonl'), big(0, 1500));
    await takeOnce(place);
    const first = await bytesRead();
    expect(first).toBe(statSync(inbox('access.jsonl')).size);
    const more = big(1500, 3);
    appendFileSync(inbox('access.jsonl'), more);
    await takeOnce(place);
    expect(await bytesRead()).toBe(first + Buffer.byteLength(more));
    const all = await locators();
    expect(all).toHaveLength(1503);
    expect(all.slice(-3)).toEqual(['line 1501', 'line 1502', 'line 1503']);
    const [source] = await query<{ records: bigint; path: string }>('select records, path from source');
    expect(source).toEqual({ records: 1503n, path: inbox('access.jsonl') });
  });

  test('is continued although it was rotated meanwhile', async () => {
    writeFileSync(inbox('access.jsonl'), big(0, 1500));
    await takeOnce(place);
    const first = await bytesRead();
    appendFileSync(inbox('access.jsonl'), big(1500, 2));
    renameSync(inbox('access.jsonl'), inbox('access.jsonl.1'));
    writeFileSync(inbox('access.jsonl'), big(1502, 1));
    await takeOnce(place);
    expect(await bytesRead()).toBeLessThan(first + 3 * 1000);
    expect(await locators()).toHaveLength(1503);
  });

  test('is continued when it was copied and emptied', async () => {
    writeFileSync(inbox('access.jsonl'), big(0, 1500));
    await takeOnce(place);
    copyFileSync(inbox('access.jsonl'), inbox('access.jsonl.1'));
    truncateSync(inbox('access.jsonl'));
    appendFileSync(inbox('access.jsonl'), big(1500, 2));
    await takeOnce(place);
    expect(await locators()).toHaveLength(1502);
  });

  test('keeps its last line back until it is whole', async () => {
    const [one, two, three] = [big(0, 1), big(1, 1), big(2, 1)];
    writeFileSync(inbox('access.jsonl'), one + two + three.slice(0, 100));
    await takeOnce(place);
    expect(await locators()).toEqual(['line 1', 'line 2']);
    appendFileSync(inbox('access.jsonl'), three.slice(100));
    await takeOnce(place);
    expect(await locators()).toEqual(['line 1', 'line 2', 'line 3']);
    expect(await query('select rejected from source')).toEqual([{ rejected: 0n }]);
  });

  test('has its broken last line read when nobody goes on with it', async () => {
    writeFileSync(inbox('access.jsonl'), big(0, 2) + big(2, 1).slice(0, 100));
    await takeOnce(place);
    await takeOnce(
      place,
      quietHost([], () => Date.now() + 2 * 3_600_000),
    );
    expect(await query('select rejected from source')).toEqual([{ rejected: 1n }]);
  });

  test('that is the beginning of another one is not read a second time', async () => {
    const lines = healthySession('S1', T0, 10, 1000);
    writeFileSync(inbox('whole.jsonl'), lines.join(''));
    await takeOnce(place);
    writeFileSync(inbox('older-copy.jsonl'), lines.slice(0, 6).join(''));
    expect((await takeOnce(place)).read).toBe(0);
    expect(await locators()).toHaveLength(12);
  });
});

describe('a document', () => {
  const har = () => readFileSync('samples/rolling-deploy/capture.har', 'utf8');

  test('is left alone while it is being written', async () => {
    writeFileSync(inbox('capture.har'), har().slice(0, 5000));
    const first = await takeOnce(place);
    expect(first).toMatchObject({ read: 0, waiting: [{ path: inbox('capture.har') }] });
    writeFileSync(inbox('capture.har'), har());
    expect((await takeOnce(place)).read).toBe(1);
  });

  test('that is written anew takes the place of what it was', async () => {
    const document = JSON.parse(har()) as { log: { entries: unknown[] } };
    const short = { ...document, log: { ...document.log, entries: document.log.entries.slice(0, 3) } };
    writeFileSync(inbox('capture.har'), JSON.stringify(short));
    await takeOnce(place);
    expect(await query('select count(*)::integer as n from source')).toEqual([{ n: 1 }]);
    writeFileSync(inbox('capture.har'), har());
    await takeOnce(place);
    expect(await query('select count(*)::integer as n from source')).toEqual([{ n: 1 }]);
    expect((await locators()).length).toBe(document.log.entries.length);
  });
});

test('what is no capture is met once, and no failure in a folder', async () => {
  writeFileSync(inbox('notes.txt'), 'nothing of interest\n');
  writeFileSync(inbox('access.jsonl'), healthySession('S1', T0, 3, 1000).join(''));
  const said: string[] = [];
  expect((await takeOnce(place, quietHost(said))).failures).toEqual([]);
  expect(said.filter((text) => text.includes('notes.txt'))).toHaveLength(1);
  said.length = 0;
  await takeOnce(place, quietHost(said));
  expect(said).toEqual([]);
});
