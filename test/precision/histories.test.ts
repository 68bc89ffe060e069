import { describe, expect, it } from 'vitest';
import { disagreements } from '../support/history/run.js';
import type { InputKind } from '../support/history/seen.js';
import { cleanHistory, faultyHistory, troubledHistory } from '../support/history/simulate.js';

const SEEDS = Number(process.env.PRECISION ?? 150);
const FIRST = Number(process.env.PRECISION_FIRST ?? 1);
const BATCH = 50;
const KINDS: readonly InputKind[] = ['har', 'log', 'spans'];

function* batches(): Generator<number[]> {
  for (let from = FIRST; from < FIRST + SEEDS; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, FIRST + SEEDS - from) }, (_, n) => from + n);
  }
}

describe('the product and a brute-force reading of the specification agree', () => {
  for (const kind of KINDS) {
    it(`on histories with faults, seen as ${kind}`, { timeout: 1_200_000 }, async () => {
      for (const seeds of batches()) {
        expect(
          await disagreements(
            seeds.map((seed) => faultyHistory(seed)),
            kind,
          ),
        ).toEqual([]);
      }
    });

    it(`on histories with several faults at once, seen as ${kind}`, { timeout: 1_200_000 }, async () => {
      for (const seeds of batches()) {
        expect(
          await disagreements(
            seeds.map((seed) => troubledHistory(seed)),
            kind,
          ),
        ).toEqual([]);
      }
    });

    it(`on histories without faults, seen as ${kind}`, { timeout: 1_200_000 }, async () => {
      for (const seeds of batches()) {
        expect(
          await disagreements(
            seeds.map((seed) => cleanHistory(seed)),
            kind,
          ),
        ).toEqual([]);
      }
    });
  }
});
