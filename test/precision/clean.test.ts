import { describe, expect, it } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import { withFolder } from '../support/history/folder.js';
import { PROFILES } from '../support/history/profiles.js';
import { cleanHistory } from '../support/history/simulate.js';
import type { WireHistory } from '../support/history/wire.js';
import { writeCapture } from '../support/history/write.js';

const EXCHANGES = Number(process.env.CLEAN_EXCHANGES ?? 100_000);
const KINDS = ['har', 'log', 'spans'] as const;
const GRAVE = new Set(['medium', 'high', 'critical']);

/** Histories of every kind of server, until there are enough exchanges. */
function* worlds(kind: number): Generator<WireHistory[]> {
  let seed = 2_000_000 + kind * 100_000;
  for (let made = 0; made < EXCHANGES / KINDS.length; ) {
    const batch: WireHistory[] = [];
    for (let size = 0; size < 8_000 && made < EXCHANGES / KINDS.length; seed++) {
      const history = cleanHistory(seed, 60, PROFILES[seed % PROFILES.length]);
      batch.push(history);
      size += history.exchanges.length;
      made += history.exchanges.length;
    }
    yield batch;
  }
}

describe('100,000 exchanges of well-behaved clients and servers', () => {
  for (const [at, kind] of KINDS.entries()) {
    it(`give no finding of medium or above, seen as ${kind}`, { timeout: 900_000 }, async () => {
      let claims = 0;
      let judged = 0;
      for (const batch of worlds(at)) {
        const document = await withFolder((root) =>
          analyzeFiles(
            batch.flatMap((history) => writeCapture(history, kind, `${root}/h${history.seed}-x`)),
            { reveal: true },
          ),
        );
        const shown = batch.reduce(
          (sum, { exchanges }) => sum + exchanges.filter((x) => kind === 'har' || x.endMs !== null).length,
          0,
        );
        expect(document.totals.exchanges).toBe(shown);
        // Causes are claimed by statistics, which may err once in a thousand histories.
        const causes = document.findings.filter(({ detector }) => detector === 'load-correlated-failure');
        claims += causes.length;
        judged += batch.length;
        const grave = document.findings.filter((one) => GRAVE.has(one.severity) && !causes.includes(one));
        expect(
          grave.map(({ detector, sessions, facts }) => `${detector} ${sessions} ${JSON.stringify(facts)}`),
        ).toEqual([]);
      }
      expect(claims).toBeLessThanOrEqual(Math.ceil(judged / 1_000));
    });
  }
});
