import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dumpState } from './support/dump.js';
import { makePlace, type Place, runOnce } from './support/job.js';
import { healthySession, mergedSession, spanLine } from './support/traffic.js';

const MAIN = resolve(process.env.MCP_POSTMORTEM_DIST ?? 'dist', 'cli/main.js');
const KILLS = Number(process.env.MCP_POSTMORTEM_KILLS ?? 15);
const T0 = Date.parse('2026-11-12T14:00:00Z');

/** Pseudo-random numbers from 0 to 1, the same on every machine (Park and Miller). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** What happens to the inbox between two runs: files grow, are rotated, compressed, doubled, come late, come in halves. */
class Inbox {
  #n = 0;
  #pending = '';
  constructor(
    readonly folder: string,
    readonly next: () => number,
  ) {}

  change(): void {
    this.#n += 1;
    const n = this.#n;
    const at = T0 + n * 300_000;
    const log = join(this.folder, 'access.jsonl');
    const lines =
      n % 5 === 0
        ? mergedSession(`merged-${n}`, `other-${n}`, at)
        : healthySession(`session-${n}`, at, 5 + Math.floor(this.next() * 400), 500);
    const text = this.#pending + lines.join('');
    const cut = n % 3 === 0 ? text.length - 40 : text.length;
    appendFileSync(log, text.slice(0, cut));
    this.#pending = text.slice(cut);
    appendFileSync(
      join(this.folder, 'traces.jsonl'),
      spanLine(at, `session-${n}`, n) + spanLine(at + 1, `session-${n}`, n + 5000),
    );
    if (n % 4 === 0)
      writeFileSync(
        join(this.folder, `late-${n}.jsonl`),
        healthySession(`late-${n}`, at - 3_600_000, 4, 1000).join(''),
      );
    if (n % 4 === 1) copyFileSync(join(this.folder, 'traces.jsonl'), join(this.folder, `again-${n % 8}.jsonl`));
    if (n % 7 === 3 && this.#pending === '') this.#rotate(log);
    if (n === 6) copyFileSync('samples/rolling-deploy/capture.har', join(this.folder, 'capture.har'));
  }

  finish(): void {
    if (this.#pending !== '') appendFileSync(join(this.folder, 'access.jsonl'), this.#pending);
    this.#pending = '';
  }

  #rotate(log: string): void {
    for (let n = 98; n >= 1; n -= 1) {
      const name = `${log}.${n}.gz`;
      if (existsSync(name)) renameSync(name, `${log}.${n + 1}.gz`);
    }
    if (existsSync(`${log}.1`)) {
      writeFileSync(`${log}.2.gz`, gzipSync(readFileSync(`${log}.1`)));
      unlinkSync(`${log}.1`);
    }
    renameSync(log, `${log}.1`);
  }
}

/** Runs the job in a process of its own. @returns how long it took, or null when it was killed after `killMs` */
function run(place: Place, killMs: number | null): Promise<{ code: number | null; ms: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'run', '--config', place.config, '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const timer = killMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killMs);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 2) fail(new Error(said));
      else done({ code, ms: performance.now() - started });
    });
  });
}

describe('a run that is killed', () => {
  test.skipIf(!existsSync(MAIN))(
    `leaves a state that further runs bring to what one undisturbed run makes (${KILLS} kills)`,
    async () => {
      const place = makePlace('lateness: 2w', 'killed');
      const still = makePlace('lateness: 2w', 'undisturbed');
      try {
        const next = random(20_261_112);
        const inbox = new Inbox(place.inbox, next);
        inbox.change();
        const { ms } = await run(place, null);
        let killed = 0;
        for (let attempt = 0; killed < KILLS && attempt < 4 * KILLS; attempt += 1) {
          inbox.change();
          const { code } = await run(place, Math.floor(next() * ms * 1.1));
          if (code === null) killed += 1;
        }
        expect(killed).toBe(KILLS);
        inbox.finish();
        await run(place, null);
        // the same paths, for the paths are part of what is stored
        const after = await dumpState(place.state);
        cpSync(place.config, still.config);
        const undisturbed = { ...place, state: join(still.root, 'state/job.duckdb') };
        writeFileSync(still.config, readFileSync(place.config, 'utf8').replace('path: in', `path: ${place.inbox}`));
        await runOnce({ ...still, inbox: place.inbox });
        const expected = await dumpState(undisturbed.state);
        expect(expected.findings?.length).toBeGreaterThan(2);
        for (const table of ['content', 'holding', ...Object.keys(expected)])
          expect(after[table], table).toEqual(expected[table]);
      } finally {
        if (process.env.MCP_POSTMORTEM_KEEP === undefined) {
          place.remove();
          still.remove();
        }
      }
    },
    1_800_000,
  );
});
