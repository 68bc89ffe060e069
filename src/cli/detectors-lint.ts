import { lintDetectors, lintRelations } from '../detect/lint.js';
import { loadRegistry } from '../detect/registry.js';
import type { DetectorsOptions } from './detectors.js';
import { samplesFolder } from './detectors-test.js';
import { EXIT } from './exit-code.js';
import { rowFormats, writeRows } from './row-report.js';
import { withStore } from './store-session.js';

/** `detectors lint`: the built-in ones, or those of `--queries`. @returns the exit code */
export async function lint(options: DetectorsOptions): Promise<number> {
  rowFormats(options);
  const registry = await loadRegistry(options.queries ?? null);
  const origin = options.queries === undefined ? 'built-in' : 'user';
  const detectors = registry.detectors.filter((detector) => detector.origin === origin);
  const problems = await withStore({}, false, (store) =>
    lintDetectors(store, registry, detectors, samplesFolder(options.queries)),
  );
  const rows = [...problems, ...(origin === 'built-in' ? lintRelations(registry) : [])].map((problem) => ({
    ...problem,
  }));
  const columns = [
    { key: 'path', title: 'File', minWidth: 40 },
    { key: 'problem', title: 'Problem', minWidth: 50 },
  ];
  await writeRows({ rows, columns, noun: 'problem' }, options);
  return rows.length > 0 ? EXIT.notJudged : EXIT.judged;
}
