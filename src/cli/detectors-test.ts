import { loadRegistry } from '../detect/registry.js';
import { runDetectors } from '../detect/runner.js';
import { judgeSample, type Sample, samplesOf } from '../detect/samples.js';
import { PostmortemError } from '../error.js';
import { findingsOf } from '../incident/findings.js';
import { loadViews } from '../incident/views.js';
import { PACKAGE_ROOT } from '../store/package-files.js';
import { Console } from './console.js';
import type { DetectorsOptions } from './detectors.js';
import { EXIT } from './exit-code.js';
import { revealed } from './id-text.js';
import { findInputs, inputBytes, loadInputs } from './load.js';
import { rowFormats, writeRows } from './row-report.js';
import { withStoreFor } from './store-session.js';

/** Where samples lie: of the built-in detectors in the package, of a user's beside them. */
export function samplesFolder(queries: string | undefined): string {
  return queries === undefined ? `${PACKAGE_ROOT}samples/detectors` : `${queries}/samples`;
}

export interface SampleResult {
  readonly sample: Sample;
  /** Empty: met. */
  readonly problems: readonly string[];
}

/** Reads one sample, runs the detectors that its label speaks of, and holds their findings against it. */
export async function runSample(sample: Sample, queries: string | undefined): Promise<SampleResult> {
  const registry = await loadRegistry(queries ?? null);
  const inputs = await findInputs(sample.inputs, {});
  // Samples are small: more threads would only wait for one another.
  return withStoreFor({ threads: 1 }, inputBytes(inputs), async (store) => {
    const { failures } = await loadInputs(store, inputs, {}, 'by-path', new Console(true, () => undefined));
    const outcomes = await runDetectors(store, registry, {
      only: sample.forbid.includes('*') ? null : concerned(sample),
      alsoNeeded: registry.reports.get('evidence')?.reads ?? [],
    });
    const views = await loadViews(store, registry, outcomes);
    const findings = outcomes.flatMap((outcome) => findingsOf(outcome, views, revealed(store)));
    const unread = failures.map(({ error }) => error.message);
    if (sample.inputs.length === 0) unread.push('holds no capture');
    const broken = outcomes
      .filter(({ status }) => status === 'error')
      .map(({ detector, reason }) => `${detector.meta.id} failed: ${reason ?? ''}`);
    const judged = judgeSample(
      sample,
      findings.map(({ finding }) => finding),
    );
    return { sample, problems: [...unread, ...broken, ...judged] };
  });
}

/** The detectors that a label speaks of: the others need not run. */
function concerned({ detector, expect, forbid }: Sample): string[] {
  return [...new Set([detector, ...expect.map((wanted) => wanted.detector), ...forbid])];
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
