import { loadRegistry } from '../detect/registry.js';
import { judgeSample, type Sample, samplesOf } from '../detect/samples.js';
import { PostmortemError } from '../error.js';
import { PACKAGE_ROOT } from '../store/package-files.js';
import { analyzeFiles } from './analyze-files.js';
import type { DetectorsOptions } from './detectors.js';
import { EXIT } from './exit-code.js';
import { rowFormats, writeRows } from './row-report.js';

/** Where samples lie: of the built-in detectors in the package, of a user's beside them. */
export function samplesFolder(queries: string | undefined): string {
  return queries === undefined ? `${PACKAGE_ROOT}samples/detectors` : `${queries}/samples`;
}

export interface SampleResult {
  readonly sample: Sample;
  /** Empty: met. */
  readonly problems: readonly string[];
}

/** Analyses one sample and holds its findings against its label. */
export async function runSample(sample: Sample, queries: string | undefined): Promise<SampleResult> {
  const document = await analyzeFiles(sample.inputs, {
    reveal: true,
    ...(queries === undefined ? {} : { queries }),
  });
  const unread = document.sources.flatMap(({ error }) => (error === null ? [] : [error]));
  if (document.sources.length === 0) unread.push('holds no capture');
  const broken = document.detectors
    .filter(({ id, status }) => status === 'error' && id === sample.detector)
    .map(({ reason }) => `failed: ${reason ?? ''}`);
  return { sample, problems: [...unread, ...broken, ...judgeSample(sample, document.findings)] };
}

/** `detectors test [ID…]`. @returns the exit code */
export async function testDetectors(ids: readonly string[], options: DetectorsOptions): Promise<number> {
  rowFormats(options);
  const registry = await loadRegistry(options.queries ?? null);
  const origin = options.queries === undefined ? 'built-in' : 'user';
  const own = registry.detectors.filter((detector) => detector.origin === origin).map(({ meta }) => meta.id);
  for (const id of ids) {
    if (!own.includes(id)) {
      throw new PostmortemError('usage', `there is no detector "${id}"`, '`mcp-postmortem detectors list` shows all.');
    }
  }
  const rows: { detector: string; sample: string; result: string; why: string }[] = [];
  for (const id of ids.length > 0 ? ids : own) {
    const samples = await samplesOf(samplesFolder(options.queries), id);
    if (samples.length === 0) rows.push({ detector: id, sample: '–', result: 'MISSING', why: 'it has no sample' });
    for (const sample of samples) {
      const { problems } = await runSample(sample, options.queries);
      const result = problems.length === 0 ? 'ok' : 'FAIL';
      rows.push({ detector: id, sample: sample.name, result, why: problems.join('; ') });
    }
  }
  const columns = [
    { key: 'detector', title: 'Detector', minWidth: 24 },
    { key: 'sample', title: 'Sample', minWidth: 20 },
    { key: 'result', title: 'Result' },
    { key: 'why', title: 'Why', minWidth: 30 },
  ];
  await writeRows({ rows, columns, noun: 'sample' }, options);
  return rows.every(({ result }) => result === 'ok') ? EXIT.judged : EXIT.notJudged;
}
