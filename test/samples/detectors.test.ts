import { access, readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadRegistry } from '../../src/detect/registry.js';
import { samplesOf } from '../../src/detect/samples.js';

const { detectors } = await loadRegistry();
const FOLDER = 'samples/detectors';

describe('every detector', () => {
  it.each(detectors.map(({ meta }) => meta.id))(
    '%s has two positive samples and two near misses at least',
    async (id) => {
      const samples = await samplesOf(FOLDER, id);
      for (const kind of ['positive', 'negative']) {
        const names = samples.filter((sample) => sample.kind === kind).map(({ name }) => name);
        expect(names.length, `${kind}: ${names.join(', ')}`).toBeGreaterThanOrEqual(2);
      }
    },
  );

  it.each(detectors)('$meta.id has a page of one or two screens that opens with its name', ({ meta, page }) => {
    expect(page?.split('\n')[0]).toBe(`# ${meta.id}`);
    expect(page?.split('\n').length).toBeLessThanOrEqual(62);
  });
});

describe('the folder of samples', () => {
  it('holds no folder but those of detectors', async () => {
    const known = new Set(detectors.map(({ meta }) => meta.id));
    expect((await readdir(FOLDER)).filter((name) => !known.has(name))).toEqual([]);
  });

  it('holds every file that a label names', async () => {
    for (const { meta } of detectors) {
      for (const { inputs } of await samplesOf(FOLDER, meta.id)) {
        for (const path of inputs) await expect(access(path), path).resolves.toBeUndefined();
      }
    }
  });
});
