import { describe, expect, it } from 'vitest';
import { keptFiles, madeFiles, writeSamples } from '../support/samples/folder.js';

/** `UPDATE_SAMPLES=1 npx vitest run test/samples/made.test.ts` makes the samples anew. */
if (process.env.UPDATE_SAMPLES === '1') await writeSamples();

describe('the samples that are kept', () => {
  it('are the ones that the scenarios make, byte for byte', async () => {
    const kept = await keptFiles();
    const made = madeFiles();
    expect([...kept.keys()].sort()).toEqual([...made.keys()].sort());
    expect([...made].filter(([path, text]) => kept.get(path) !== text).map(([path]) => path)).toEqual([]);
  });

  it('are small enough to be read', () => {
    const large = [...madeFiles()]
      .filter(([, text]) => text.length > 30_000)
      .map(([path, text]) => `${path}: ${text.length}`);
    expect(large).toEqual([]);
  });
});
