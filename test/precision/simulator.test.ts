import { describe, expect, it } from 'vitest';
import { FAULTS, type FaultName } from '../support/history/faults/index.js';
import { judge } from '../support/history/judge.js';
import { PROFILES } from '../support/history/profiles.js';
import type { Expected, InputKind } from '../support/history/seen.js';
import { cleanHistory, faultyHistory } from '../support/history/simulate.js';
import { visible } from '../support/history/write.js';
import { writeHar } from '../support/history/write-har.js';

const KINDS: readonly InputKind[] = ['har', 'log', 'spans'];
const GRAVE = new Set(['medium', 'high', 'critical']);
const demanded = (said: readonly Expected[]): Expected[] => said.filter((one) => one.demand === 'must');

describe('simulated histories', () => {
  it('are the same for the same seed', () => {
    expect(writeHar(faultyHistory(7))).toBe(writeHar(faultyHistory(7)));
    expect(writeHar(cleanHistory(7))).not.toBe(writeHar(cleanHistory(8)));
  });

  for (const kind of KINDS) {
    it(`demand nothing grave of clean worlds in ${kind}`, () => {
      for (let seed = 1; seed <= 120; seed++) {
        const history = cleanHistory(seed, 12, PROFILES[seed % PROFILES.length]);
        const grave = demanded(judge(kind, visible(history, kind))).filter(
          (one) => one.severity === null || GRAVE.has(one.severity),
        );
        expect(grave, `seed ${seed}`).toEqual([]);
      }
    });
  }

  for (const name of Object.keys(FAULTS) as FaultName[]) {
    it(`demand the finding for a fault: ${name}`, () => {
      let injected = 0;
      for (let seed = 1; seed <= 15; seed++) {
        const history = faultyHistory(seed, name);
        for (const fault of history.injected) {
          injected += 1;
          const said = ['har', 'log', 'spans'].flatMap((kind) =>
            judge(kind as InputKind, visible(history, kind as InputKind)),
          );
          for (const detector of fault.detectors) {
            const found = said.filter((one) => one.detector === detector);
            expect(
              found.length,
              `seed ${seed} ${history.exchanges[0]?.identity.userAgent} ${fault.fault}: ${detector}`,
            ).toBeGreaterThan(0);
          }
        }
      }
      expect(injected).toBeGreaterThan(0);
    });
  }
});
