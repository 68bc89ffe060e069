import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectPath, fieldsOf } from '../../support/collect.js';

const CORPUS = join(import.meta.dirname, '../../../../shared/corpus/formats');
const isHere = existsSync(CORPUS);

interface Expected {
  inputs: string[];
  exit: number | number[];
  generate?: string;
  exchanges?: unknown;
  rejected?: unknown;
  records?: unknown;
  fields?: ({ exchange: number } & Record<string, unknown>)[];
}

function fits(key: string, want: unknown, got: unknown): boolean {
  if (typeof want === 'object' && want !== null && !Array.isArray(want)) {
    if ('any' in want) return (want.any as unknown[]).some((one) => fits(key, one, got));
    const { min = got, max = got } = want as { min?: number; max?: number };
    return typeof got === 'number' && got >= (min as number) && got <= (max as number);
  }
  if ((key === 'startedMs' || key === 'durationMs') && typeof want === 'number' && typeof got === 'number') {
    return Math.abs(want - got) <= 1;
  }
  return JSON.stringify(want) === JSON.stringify(got);
}

const folders = isHere ? readdirSync(CORPUS).filter((name) => /^(1|2|50[58]|51[2467])/.test(name)) : [];

describe.skipIf(!isHere)('HAR files of the corpus (needs ../shared beside the project)', () => {
  it.each(folders)('%s is read as its label says', async (folder) => {
    const want = JSON.parse(readFileSync(join(CORPUS, folder, 'expect.json'), 'utf8')) as Expected;
    if (want.generate !== undefined) return;
    for (const input of want.inputs) {
      const got = await collectPath(join(CORPUS, folder, input));
      const rows = got.captures.map(fieldsOf);
      const wrong: string[] = [];
      const check = (key: string, wanted: unknown, value: unknown) => {
        if (wanted !== undefined && !fits(key, wanted, value)) {
          wrong.push(`${key}: ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`);
        }
      };
      check('exchanges', want.exchanges, got.captures.length);
      check('rejected', want.rejected, got.rejects.length);
      check('records', want.records, got.summary?.records);
      for (const { exchange, ...fields } of want.fields ?? []) {
        for (const [key, value] of Object.entries(fields))
          check(`${exchange} ${key}`.split(' ')[1]!, value, rows[exchange]?.[key]);
      }
      expect(wrong).toEqual([]);
    }
  });
});
