import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Registry } from '../detect/registry.js';
import { PostmortemError } from '../error.js';
import { failsRun } from '../report/options.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import type { DetectorPages, JobHost } from './host.js';
import { takeIn } from './intake.js';
import { Kept } from './kept.js';
import { notify } from './notify.js';
import { hasOutputs, lastDocument, writeIndex, writeOutputs } from './outputs.js';
import { prometheusText } from './prometheus.js';
import { retain } from './retention.js';
import { rulesOf } from './rules.js';
import { scanInputs } from './scan.js';
import { withState } from './state.js';

/** What came of a run. */
export interface JobResult {
  /** Files that the inputs lead to. */
  readonly files: number;
  /** Sources that were read, wholly or from where reading had stopped. */
  readonly read: number;
  readonly waiting: readonly { readonly path: string; readonly reason: string }[];
  /** The document, when this run brought something new; null: nothing has changed. */
  readonly document: ResultDocument | null;
  readonly notified: number;
  /** What went wrong; the rest was done all the same. */
  readonly failures: readonly PostmortemError[];
  /** Whether a finding of this run is new and grave enough for `fail-on`. */
  readonly fails: boolean;
}

interface JobRow {
  readonly intake: bigint;
  readonly judged: bigint;
  readonly told: bigint;
  readonly rules: string;
  readonly watermark_ns: bigint | null;
}

/**
 * One run of the scheduled job: reads what is new, judges what that may have changed, writes reports, tells receivers.
 * Every step is noted in the state when it is done; a run that was killed is finished by the next one.
 * @param waitMs how long to wait for another run on the same state
 * @param pagesOf documentation of the detectors, for the reports
 * @throws PostmortemError `store-locked`, `store-broken`, `detector-invalid`, `config-invalid`, `interrupted`
 */
export async function runJob(
  config: JobConfig,
  waitMs: number,
  host: JobHost,
  pagesOf: (registry: Registry) => DetectorPages,
): Promise<JobResult> {
  return withState(config, waitMs, host, async (store) => {
    const before = await jobRow(store);
    const sinceNs = before.watermark_ns === null ? null : before.watermark_ns - config.keepRecordsNs;
    const scan = scanInputs(config.inputs, sinceNs);
    const intake = await takeIn(store, scan, config, host);
    const failures: PostmortemError[] = [...intake.failures];
    if (intake.read > 0) await store.finishSources();
    const document = await judged(store, config, host, pagesOf, failures);
    if (document !== null) await retain(store, config, new Set(scan.files.keys()));
    const { sent, failures: undelivered } = await notify(store, config, host);
    failures.push(...undelivered);
    if (sent > 0 && hasOutputs(config)) await writeIndex(store, await Kept.load(store), config, host);
    failures.push(...failuresOf(document, config, intake.rejected));
    await writeMetrics(store, config, host, failures);
    return {
      files: scan.files.size,
      read: intake.read,
      waiting: intake.waiting,
      document,
      notified: sent,
      failures,
      fails:
        document?.findings.some(({ state, severity }) => state === 'new' && failsRun(severity, config.failOn)) ?? false,
    };
  });
}

/** Judges and reports, when there is something to. @returns the document; null: there is nothing new */
async function judged(
  store: Store,
  config: JobConfig,
  host: JobHost,
  pagesOf: (registry: Registry) => DetectorPages,
  failures: PostmortemError[],
): Promise<ResultDocument | null> {
  const job = await jobRow(store);
  if (job.intake === 0n) return null;
  const rules = await rulesOf(config, host.version);
  const isStale = job.judged !== job.intake || job.rules !== rules;
  const isUntold = job.told !== job.intake;
  if (!isStale && !isUntold && hasOutputs(config)) return null;
  // A run with nothing new waits for none of these.
  const [{ loadRegistry }, { judge }] = await Promise.all([import('../detect/registry.js'), import('./judge.js')]);
  const registry = await loadRegistry(config.queries);
  const document = isStale ? await judge(store, registry, config, rules, host) : await lastDocument(store);
  if (document === null) return null;
  try {
    await writeOutputs(store, document, pagesOf(registry), config, host);
    if (config.otlpEndpoint !== null) {
      const { otlpEndpoint, sendOtlp } = await import('../report/otlp-send.js');
      await sendOtlp(document, otlpEndpoint(config.otlpEndpoint, process.env.OTEL_EXPORTER_OTLP_HEADERS));
    }
    await store.run('update job set told = judged');
  } catch (error) {
    if (!(error instanceof PostmortemError) || error.code === 'interrupted') throw error;
    failures.push(error);
  }
  return isStale || isUntold ? document : null;
}

function failuresOf(document: ResultDocument | null, config: JobConfig, rejected: number): PostmortemError[] {
  const failed = (document?.detectors ?? [])
    .filter(({ status }) => status === 'error')
    .map(
      ({ id, reason }) =>
        new PostmortemError('detector-failed', `detector ${id}: ${reason}`, 'The other detectors have run.'),
    );
  if (!config.strict || rejected === 0) return failed;
  return [
    ...failed,
    new PostmortemError('input-unreadable', `${rejected} records were rejected`, 'The report names them.'),
  ];
}

async function writeMetrics(
  store: Store,
  config: JobConfig,
  host: JobHost,
  failures: PostmortemError[],
): Promise<void> {
  if (failures.length === 0) await store.run(`update job set succeeded_s = ${Math.floor(host.now() / 1000)}`);
  if (config.prometheus === null) return;
  try {
    mkdirSync(dirname(config.prometheus), { recursive: true });
    const text = await prometheusText(store, await lastDocument(store));
    await host.write(config.prometheus, text);
  } catch (error) {
    failures.push(
      error instanceof PostmortemError
        ? error
        : new PostmortemError('output-failed', `${config.prometheus}: cannot be written`, '', { cause: error }),
    );
  }
}

async function jobRow(store: Store): Promise<JobRow> {
  const [row] = await store.rows<JobRow>('select intake, judged, told, rules, watermark_ns from job');
  if (row === undefined)
    throw new PostmortemError('store-broken', 'the state holds no job', 'Remove the state database.');
  return row;
}
