import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../support/collect.js';
import { readPath } from './read.js';

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus/formats');
const isHere = existsSync(CORPUS);
/** Recognised and explained by the unknown input's description, not read. */
const EXPLAINED = /^(421|422)/;

interface Expected {
  inputs: string[];
  format?: string | string[];
  sources?: Record<string, { format?: string | string[] }>;
  vantage?: string | string[];
  exchanges?: unknown;
  rejected?: unknown;
  duplicates?: unknown;
  accounted?: { min: number };
  evidence?: { has?: string[]; lacks?: string[] };
  fields?: ({ exchange: number } & Record<string, unknown>)[];
}

function fits(key: string, want: unknown, got: unknown): boolean {
  if (typeof want === 'object' && want !== null && !Array.isArray(want)) {
    const { min = -1, max = Number.POSITIVE_INFINITY } = want as { min?: number; max?: number };
    return typeof got === 'number' && got >= min && got <= max;
  }
  if ((key === 'startedMs' || key === 'durationMs') && typeof want === 'number' && typeof got === 'number') {
    return Math.abs(want - got) <= 1;
  }
  return JSON.stringify(want) === JSON.stringify(got);
}

const folders = isHere ? readdirSync(CORPUS).filter((name) => /^(4|507|518)/.test(name) && !EXPLAINED.test(name)) : [];

describe.skipIf(!isHere)('trace exports of the corpus (needs ../shared beside the project)', () => {
  it.each(folders)('%s is read as its label says', async (folder) => {
    const want = JSON.parse(readFileSync(join(CORPUS, folder, 'expect.json'), 'utf8')) as Expected;
    const rows: Record<string, unknown>[] = [];
    const totals = { exchanges: 0, rejected: 0, duplicates: 0 };
    const wrong: string[] = [];
    const evidence = new Set<string>();
    for (const input of want.inputs) {
      const { into, formats, records } = await readPath(join(CORPUS, folder, input));
      rows.push(
        ...into.captures.map((c) => ({ ...fieldsOf(c), traceId: c.exchange.traceId, spanId: c.exchange.spanId })),
      );
      totals.exchanges += into.captures.length;
      totals.rejected += into.rejects.length;
      totals.duplicates += into.duplicates;
      for (const each of into.summary?.evidence ?? []) evidence.add(each);
      const accepted = want.sources?.[basename(input)]?.format ?? want.format ?? formats;
      for (const format of formats)
        if (![accepted].flat().includes(format)) wrong.push(`format of ${input}: ${format}`);
      expect(records).toBe(into.captures.length + into.rejects.length + into.duplicates + into.skipped);
      if (want.vantage !== undefined) expect([want.vantage].flat()).toContain(into.summary?.vantage);
    }
    // What was delivered twice in two files is found by the store.
    if (want.inputs.length > 1 && want.duplicates !== undefined) return;
    for (const key of ['exchanges', 'rejected', 'duplicates'] as const) {
      if (want[key] !== undefined && !fits(key, want[key], totals[key])) wrong.push(`${key}: ${totals[key]}`);
    }
    if (want.accounted !== undefined)
      expect(totals.exchanges + totals.rejected).toBeGreaterThanOrEqual(want.accounted.min);
    expect([...evidence]).toEqual(expect.arrayContaining(want.evidence?.has ?? []));
    for (const lacking of want.evidence?.lacks ?? []) expect(evidence).not.toContain(lacking);
    for (const { exchange, ...fields } of want.fields ?? []) {
      for (const [key, value] of Object.entries(fields)) {
        const got = rows[exchange]?.[key];
        if (!fits(key, value, got))
          wrong.push(`exchange ${exchange} ${key}: ${JSON.stringify(got)}, not ${JSON.stringify(value)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
