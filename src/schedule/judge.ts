import { readBaseline } from '../detect/baseline.js';
import type { Registry } from '../detect/registry.js';
import { runDetectors, selectedDetectors } from '../detect/runner.js';
import { applySuppressions } from '../detect/suppressions.js';
import { PostmortemError } from '../error.js';
import { type Finding, SEVERITIES } from '../incident/finding.js';
import { relationsOfResult } from '../incident/report-rows.js';
import { buildResult } from '../incident/result.js';
import { showTag } from '../mcp/session-id.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';
import type { JobConfig } from './config.js';
import { endpointsOfFindings } from './endpoints.js';
import type { JobHost } from './host.js';
import { withJudgedRecords } from './judged-records.js';
import { keepJudgement } from './keep-judgement.js';
import { isLive, Kept } from './kept.js';

/** Runs the detectors over what has not been judged, and keeps what they find. */
export async function judge(
  store: Store,
  registry: Registry,
  config: JobConfig,
  rules: string,
  host: JobHost,
): Promise<ResultDocument> {
  const kept = await Kept.load(store);
  const [job] = await store.rows<{ cut_ns: bigint | null; intake: bigint }>('select cut_ns, intake from job');
  const baseline = config.baseline === null ? new Set<string>() : await readBaseline(config.baseline);
  const judgement = await withJudgedRecords(store, registry, config.latenessNs, async (fromNs, keptName) => {
    const liveFromNs = laterOf(fromNs, job?.cut_ns ?? null);
    const document = await documentOf(store, registry, config, host, { kept, baseline, liveFromNs });
    await countLosses(store, keptName);
    return { document, endpoints: await endpointsOfFindings(store, document.findings), liveFromNs, baseline };
  });
  return keepJudgement(store, kept, judgement, config, rules, job?.intake ?? 0n);
}

interface Memory {
  readonly kept: Kept;
  readonly baseline: ReadonlySet<string>;
  readonly liveFromNs: bigint | null;
}

async function documentOf(
  store: Store,
  registry: Registry,
  config: JobConfig,
  host: JobHost,
  memory: Memory,
): Promise<ResultDocument> {
  const options = { only: config.only, skip: config.skip };
  const unknown = [...(config.only ?? []), ...config.skip].find(
    (id) => !registry.detectors.some(({ meta }) => meta.id === id),
  );
  if (unknown !== undefined || selectedDetectors(registry, options).length === 0) {
    const hint = '`mcp-postmortem detectors list` shows all.';
    throw new PostmortemError('config-invalid', `${config.path}: there is no detector "${unknown ?? ''}"`, hint);
  }
  const stopWatching = host.onInterrupt(() => store.interrupt());
  const outcomes = await runDetectors(store, registry, {
    ...options,
    params: config.params,
    timeLimitMs: config.timeLimitMs,
    // `epoch` counts lost sessions.
    alsoNeeded: [...relationsOfResult(registry), 'epoch'],
    onProgress: (what) => host.progress(what),
  });
  stopWatching();
  host.throwIfInterrupted();
  return buildResult(store, registry, outcomes, {
    version: host.version,
    command: 'mcp-postmortem run',
    idText: { session: showTag, eventId: (eventId) => eventId },
    timing: false,
    unread: [],
    select: (findings) => told(findings, config, host, memory),
  });
}

/** Suppressions, least severity, what is known, and nothing that an earlier run has judged with more before it. */
function told(
  findings: readonly Finding[],
  config: JobConfig,
  host: JobHost,
  { kept, baseline, liveFromNs }: Memory,
): Finding[] {
  const { kept: left, suppressed, unused } = applySuppressions(findings, config.suppressions);
  if (suppressed.length > 0) host.note(`${suppressed.length} findings suppressed by ${config.suppressionsPath}`);
  for (const { reason, detector, session, finding } of unused) {
    const what = [detector, session, finding].filter((part) => part !== null).join(' ');
    host.warning(`${config.suppressionsPath}: suppresses nothing at present: ${what} (${reason})`);
  }
  const least = SEVERITIES.indexOf(config.minSeverity);
  return left
    .filter(({ severity }) => SEVERITIES.indexOf(severity) >= least)
    .filter((finding) => kept.findings.has(finding.id) || isLive(finding, liveFromNs))
    .map((finding) =>
      kept.findings.has(finding.id) || baseline.has(finding.id) ? { ...finding, state: 'known' } : finding,
    );
}

/** Sessions that were lost, each once, however often it is looked at. */
async function countLosses(store: Store, keptName: string): Promise<void> {
  await store.run(
    `insert into ${keptName}.main.lost_session
     select substr(hop, strpos(hop, ' ') + 1) as endpoint, session, min(lost_ns) as lost_ns
     from epoch e
     where lost_ns is not null and not exists (
       select 1 from ${keptName}.main.lost_session k
       where k.session = e.session and k.endpoint = substr(e.hop, strpos(e.hop, ' ') + 1))
     group by 1, 2`,
  );
}

function laterOf(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
