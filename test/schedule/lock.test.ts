import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../src/schedule/lock.js';
import { makePlace, type Place, quietHost, runOnce } from './support/job.js';
import { healthySession } from './support/traffic.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.root, 'state'));
});
afterEach(() => place.remove());

const write = (pid: number) =>
  writeFileSync(`${place.state}.lock`, JSON.stringify({ pid, host: hostname(), started: null }));

describe('two runs on one state', () => {
  test('do not work side by side: the second one names the process of the first', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    try {
      write(other.pid!);
      await expect(runOnce(place)).rejects.toMatchObject({
        code: 'store-locked',
        message: expect.stringContaining(`process ${other.pid}`),
      });
    } finally {
      other.kill('SIGKILL');
    }
  });

  test('follow one another when the second is told to wait', async () => {
    const { loadConfig } = await import('../../src/schedule/config.js');
    const { runJob } = await import('../../src/schedule/run.js');
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1000)']);
    write(other.pid!);
    const result = await runJob(await loadConfig(place.config, {}), 30_000, quietHost(), () => new Map());
    expect(result.failures).toEqual([]);
    expect(existsSync(`${place.state}.lock`)).toBe(false);
  });

  test('are not hindered by a lock whose process is gone', () => {
    write(spawnSync(process.execPath, ['-e', '']).pid);
    const lock = takeLock(place.state);
    expect(JSON.parse(readFileSync(`${place.state}.lock`, 'utf8'))).toMatchObject({ pid: process.pid });
    lock.release();
    expect(existsSync(`${place.state}.lock`)).toBe(false);
  });
});

describe('a state database that is broken', () => {
  test('is kept aside, that is said, and everything is read again', async () => {
    writeFileSync(place.state, 'no database at all, but longer than a header of one would be '.repeat(400));
    writeFileSync(
      join(place.inbox, 'a.jsonl'),
      healthySession('S1', Date.parse('2026-11-12T14:00:00Z'), 3, 1000).join(''),
    );
    const said: string[] = [];
    const result = await runOnce(place, quietHost(said));
    expect(result).toMatchObject({ read: 1, failures: [] });
    expect(said.join('\n')).toContain('job.duckdb.broken-1');
    expect(existsSync(`${place.state}.broken-1`)).toBe(true);
  });
});
