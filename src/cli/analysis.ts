import { readBaseline } from '../detect/baseline.js';
import { loadRegistry, type Registry } from '../detect/registry.js';
import { runDetectors, selectedDetectors } from '../detect/runner.js';
import { applySuppressions, readSuppressions } from '../detect/suppressions.js';
import { PostmortemError } from '../error.js';
import type { Finding } from '../incident/finding.js';
import { relationsOfResult } from '../incident/report-rows.js';
import { buildResult } from '../incident/result.js';
import { severityRank } from '../report/options.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import type { Console } from './console.js';
import { revealed, SHORTENED } from './id-text.js';
import { onInterrupt, throwIfInterrupted } from './interruption.js';
import type { LoadFailure } from './load.js';
import { detectorParams, type FindingOptions } from './options.js';
import { packageVersion } from './version.js';
import { timeWindow, touches } from './window.js';

export interface Analysis {
  readonly document: ResultDocument;
  readonly registry: Registry;
}

/** Everything behind `analyze` and `detect` once the store is filled. */
export async function analyzeStore(
  store: Store,
  options: FindingOptions & { readonly reveal?: boolean },
  command: string,
  failures: readonly LoadFailure[],
  console: Console,
): Promise<Analysis> {
  const registry = await loadRegistry(options.queries ?? null);
  const known = new Set(registry.detectors.map(({ meta }) => meta.id));
  for (const id of [...(options.only ?? []), ...(options.skip ?? [])]) {
    if (!known.has(id)) {
      throw new PostmortemError('usage', `there is no detector "${id}"`, '`mcp-postmortem detectors list` shows all.');
    }
  }
  const suppressions = options.suppress === undefined ? [] : await readSuppressions(options.suppress);
  const baseline = options.baseline === undefined ? new Set<string>() : await readBaseline(options.baseline);
  const stopWatching = onInterrupt(() => store.interrupt());
  const outcomes = await runDetectors(store, registry, {
    only: options.only ?? null,
    skip: options.skip ?? [],
    params: detectorParams(options.param),
    ...(options.timeLimit === undefined ? {} : { timeLimitMs: options.timeLimit * 1000 }),
    alsoNeeded: relationsOfResult(
      registry,
      selectedDetectors(registry, options).map(({ meta }) => meta.id),
    ),
    onProgress: (what) => console.progress(what),
  });
  stopWatching();
  throwIfInterrupted();
  const lastNs = (await store.rows<{ ns: bigint | null }>('select max(finished_ns) as ns from request'))[0]?.ns ?? null;
  const window = timeWindow(options, lastNs);
  const document = await buildResult(store, registry, outcomes, {
    version: packageVersion(),
    command,
    idText: options.reveal === true ? revealed(store) : SHORTENED,
    timing: options.timing ?? false,
    unread: failures.map(({ path, error }) => ({ path, reason: error.message })),
    select: (findings) => {
      const { kept, suppressed, unused } = applySuppressions(findings, suppressions);
      if (suppressed.length > 0) console.note(`${suppressed.length} findings suppressed by ${options.suppress}`);
      for (const { line, reason } of unused) {
        console.warning(`${options.suppress}:${line}: suppresses nothing (${reason})`);
      }
      return kept
        .filter(({ at, until }: Finding) => touches(window, timeNs(at), timeNs(until)))
        .filter(({ severity }) => severityRank(severity) >= severityRank(options.minSeverity ?? 'info'))
        .map((finding) => (baseline.has(finding.id) ? { ...finding, state: 'known' as const } : finding));
    },
  });
  console.clearProgress();
  for (const { id, reason } of document.detectors.filter(({ status }) => status === 'error')) {
    console.error(new PostmortemError('detector-failed', `detector ${id}: ${reason}`, 'The other detectors have run.'));
  }
  return { document, registry };
}

function timeNs(iso: string | null): bigint | null {
  return iso === null ? null : BigInt(Date.parse(iso)) * 1_000_000n;
}
