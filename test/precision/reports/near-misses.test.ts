import { beforeAll, describe, expect, it } from 'vitest';
import { NEAR_MISSES, nearMissScripts } from '../../support/history/near-misses.js';
import type { Script } from '../../support/history/script.js';
import { briefly, type Told, toldOfEach } from '../../support/history/told.js';

describe('near misses', () => {
  const scripts = nearMissScripts();
  let given: ReadonlyMap<Script, readonly Told[]> = new Map();
  beforeAll(async () => {
    given = await toldOfEach(scripts);
  }, 120_000);

  for (const [at, { title, findings }] of NEAR_MISSES.entries()) {
    it(title, () => {
      expect(briefly(given.get(scripts[at] as Script) ?? [])).toEqual(findings);
    });
  }
});
