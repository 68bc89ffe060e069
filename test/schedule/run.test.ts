import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ResultDocument } from '../../src/report/result-document.js';
import { loadConfig } from '../../src/schedule/config.js';
import { pruneState } from '../../src/schedule/prune.js';
import { scanInputs } from '../../src/schedule/scan.js';
import { dumpKept } from './support/dump.js';
import { makePlace, type Place, quietHost, runOnce, writeAt } from './support/job.js';
import { healthySession, mergedSession } from './support/traffic.js';

const T0 = Date.parse('2026-11-12T14:00:00Z');
let place: Place;
afterEach(() => place.remove());

const inbox = (name: string) => join(place.inbox, name);
const latest = () => JSON.parse(readFileSync(join(place.reports, 'latest.json'), 'utf8')) as ResultDocument;

describe('an incident', () => {
  test('stays the same when a second capture tells more of it', async () => {
    place = makePlace();
    for (const name of ['nginx-access.jsonl', 'traces.jsonl'])
      copyFileSync(`samples/rolling-deploy/${name}`, inbox(name));
    const first = await runOnce(place);
    expect(first.document?.incidents.map(({ state }) => state)).toEqual(['new']);
    expect(first.fails).toBe(true);
    copyFileSync('samples/rolling-deploy/capture.har', inbox('capture.har'));
    const second = await runOnce(place);
    expect(second.document?.incidents.map(({ id, state }) => [id, state])).toEqual([
      [first.document?.incidents[0]?.id, 'known'],
    ]);
    expect((await dumpKept(place.state)).incidents).toHaveLength(1);
    expect(second.document?.findings.find(({ detector }) => detector === 'epoch-merge')?.state).toBe('known');
  });

  test('is reported with the name that its file has now', async () => {
    place = makePlace();
    writeFileSync(inbox('access.jsonl'), mergedSession('a', 'b', T0).join(''));
    await runOnce(place);
    renameSync(inbox('access.jsonl'), inbox('access.jsonl.1'));
    expect((await runOnce(place)).read).toBe(0);
    const sources = latest().findings.flatMap(({ evidence }) => evidence.map(({ source }) => source));
    expect(new Set(sources)).toEqual(new Set([inbox('access.jsonl.1')]));
  });

  test('that is suppressed is told to nobody, and a suppression that hides nothing is', async () => {
    place = makePlace(
      [
        'suppressions:',
        '  - { detector: epoch-merge, reason: a gateway renames sessions, expires: "2027-01-01" }',
        '  - { detector: event-gap, reason: never seen }',
      ].join('\n'),
    );
    writeFileSync(inbox('access.jsonl'), mergedSession('a', 'b', T0).join(''));
    const said: string[] = [];
    const { document } = await runOnce(place, quietHost(said));
    expect(document?.findings.filter(({ detector }) => detector === 'epoch-merge')).toEqual([]);
    expect(said.some((text) => text.includes('suppresses nothing at present: event-gap (never seen)'))).toBe(true);
  });
});

describe('a report', () => {
  test('that cannot be written makes the run fail, and the next one writes it', async () => {
    place = makePlace();
    writeFileSync(inbox('access.jsonl'), mergedSession('a', 'b', T0).join(''));
    writeFileSync(place.reports, 'a file where the folder should be');
    const first = await runOnce(place);
    expect(first.failures).toMatchObject([{ code: 'output-failed' }]);
    rmSync(place.reports);
    const second = await runOnce(place);
    expect(second.failures).toEqual([]);
    expect(second.document?.incidents.map(({ state }) => state)).toEqual(['new']);
    expect(latest().incidents).toHaveLength(1);
  });

  test('that somebody has deleted is written again', async () => {
    place = makePlace();
    writeFileSync(inbox('access.jsonl'), healthySession('a', T0, 3, 1000).join(''));
    await runOnce(place);
    rmSync(place.reports, { recursive: true });
    await runOnce(place);
    expect(existsSync(join(place.reports, 'index.html'))).toBe(true);
  });
});

test('what is pruned is not read again, and its findings stay', async () => {
  place = makePlace();
  writeFileSync(inbox('a.jsonl'), mergedSession('a', 'b', T0).join(''));
  const many = Array.from({ length: 200 }, (_, n) => healthySession(`old${n}`, T0 + n, 20, 1000)).flat();
  writeFileSync(inbox('b.jsonl'), many.join(''));
  writeFileSync(inbox('c.jsonl'), healthySession('later', T0 + 86_400_000, 3, 1000).join(''));
  await runOnce(place);
  const before = statSync(place.state).size;
  const config = await loadConfig(place.config, {});
  const pruned = await pruneState(config, BigInt(T0 + 80_000_000) * 1_000_000n, 0, quietHost());
  expect(pruned).toBe(many.length + 8);
  expect(statSync(place.state).size).toBeLessThan(before);
  const again = await runOnce(place);
  expect(again.read).toBe(0);
  const kept = await dumpKept(place.state);
  expect(kept.incidents).toHaveLength(1);
  expect(kept.oldestRecord).toBe(T0 + 86_400_000 - 20);
});

test('folders that are named after a time before the retention are not looked into', async () => {
  place = makePlace();
  for (const day of ['2026/11/01', '2026/11/12']) {
    mkdirSync(inbox(day), { recursive: true });
    writeAt(join(inbox(day), 'x.jsonl'), '{}\n', T0);
  }
  const input = { path: join(place.inbox, '%Y/%m/%d/*.jsonl'), format: null, options: {} as never };
  const since = BigInt(Date.parse('2026-11-10T00:00:00Z')) * 1_000_000n;
  expect([...scanInputs([input], since).files.keys()]).toEqual([inbox('2026/11/12/x.jsonl')]);
  expect(scanInputs([input], null).files.size).toBe(2);
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read is a failure, and the rest is read', async () => {
  place = makePlace();
  mkdirSync(inbox('closed'));
  chmodSync(inbox('closed'), 0);
  writeFileSync(inbox('a.jsonl'), healthySession('a', T0, 3, 1000).join(''));
  const { read, failures } = await runOnce(place);
  expect(read).toBe(1);
  expect(failures).toMatchObject([{ code: 'input-unreadable' }]);
});
