import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadRegistry } from '../../src/detect/registry.js';
import { detectorTable, withTable } from '../support/readme-table.js';

/** `UPDATE_README=1 npx vitest run test/samples/readme.test.ts` writes the table anew. */
it('the README lists every detector as its metadata describes it', async () => {
  const { detectors } = await loadRegistry();
  const readme = await readFile('README.md', 'utf8');
  const right = withTable(readme, detectorTable(detectors));
  if (process.env.UPDATE_README === '1') await writeFile('README.md', right);
  else expect(readme).toBe(right);
});
