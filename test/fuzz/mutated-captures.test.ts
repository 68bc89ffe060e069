import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostmortemError } from '../../src/error.js';
import { Door } from '../../src/readers/door.js';
import type { RecordSink } from '../../src/readers/reader.js';
import { findSources, readSource } from '../../src/readers/registry.js';
import { belowOf, mutate } from './mutate.js';
import { seeds } from './seeds.js';

/** `npm run fuzz` raises it. */
const INPUTS = Number(process.env.FUZZ_INPUTS ?? 5000);
const FIRST = Number(process.env.FUZZ_FIRST ?? 1);
const MAX_CPU_MS = 2000;
const MAX_GROWTH_BYTES = 400 * 2 ** 20;
const OPTIONS = { vantage: null, logFormat: null, map: null, zone: null, keepBodies: false } as const;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-postmortem-fuzz-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Takes records as the store does, and keeps none. */
function doorSink(): RecordSink & { exchanges: number } {
  const door = new Door();
  return {
    exchanges: 0,
    capture(capture) {
      door.rows(capture);
      this.exchanges += 1;
    },
    companion: () => {},
    reject: () => {},
    skip: () => {},
    duplicate: () => {},
    progress: () => {},
  };
}

/** @returns exchanges found; what a damaged file may end in is a PostmortemError alone. */
async function readFile(path: string): Promise<number> {
  const sink = doorSink();
  const { sources } = await findSources([path]);
  for (const source of sources) {
    try {
      await readSource(source, sink, OPTIONS);
    } catch (error) {
      if (!(error instanceof PostmortemError)) throw error;
    }
  }
  return sink.exchanges;
}

test(
  `${INPUTS} damaged captures make no reader crash, hang or grow`,
  async () => {
    const known = seeds();
    const faults: string[] = [];
    let exchanges = 0;
    const before = process.memoryUsage().rss;
    let peak = before;
    for (let nth = FIRST; nth < FIRST + INPUTS; nth++) {
      const below = belowOf(nth);
      const seed = known[below(known.length)]!;
      const path = join(folder, basename(seed.path));
      writeFileSync(path, mutate(seed.bytes, known[below(known.length)]!.bytes, below));
      const started = process.cpuUsage();
      try {
        exchanges += await readFile(path);
      } catch (error) {
        const trace = error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : String(error);
        faults.push(`FUZZ_FIRST=${nth} (${seed.path}): ${trace}`);
      }
      const { user, system } = process.cpuUsage(started);
      if ((user + system) / 1000 > MAX_CPU_MS) faults.push(`FUZZ_FIRST=${nth} (${seed.path}): ${user / 1000} ms`);
      peak = Math.max(peak, process.memoryUsage().rss);
      rmSync(path, { force: true });
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(peak - before).toBeLessThan(MAX_GROWTH_BYTES);
    // A mutation that spoils everything would test nothing.
    expect(exchanges).toBeGreaterThan(INPUTS);
  },
  120_000 + INPUTS * 100,
);
