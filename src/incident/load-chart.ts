import type { Registry } from '../detect/registry.js';
import type { Store } from '../store/store.js';
import type { RawFinding } from './findings.js';
import { LOAD_DETECTOR } from './groups.js';
import { reportRows } from './report-rows.js';
import type { LoadChart } from './result-document.js';
import { isoTime } from './time.js';

/** A histogram needs no more points than this; beyond it every nth is taken. */
const MOST_PAUSES = 2_000;
const MOST_BACKENDS = 50;

interface Bucket {
  readonly bucket_ns: bigint;
  readonly width_ns: bigint;
  readonly requests: bigint;
  readonly losses: bigint;
}

/** Traffic, losses and resumes over time, and the lives of the instances. */
export async function loadChartOf(
  store: Store,
  registry: Registry,
  findings: readonly RawFinding[],
): Promise<LoadChart> {
  const buckets = await reportRows<Bucket>(store, registry, 'load_requests');
  const widthNs = buckets[0]?.width_ns ?? 1_000_000_000n;
  const resumes = await resumesBySlice(store, registry, widthNs);
  const causes = findings.filter(({ finding }) => finding.detector === LOAD_DETECTOR);
  const wantsIdle = causes.some(({ row }) => row.facts.cause === 'idle-eviction' || row.facts.cause === 'lifetime');
  interface Life {
    readonly backend: string;
    readonly from_ns: bigint;
    readonly to_ns: bigint;
    readonly requests: bigint;
  }
  const lives = await reportRows<Life>(store, registry, 'load_backends');
  return {
    bucketMs: Number(widthNs / 1_000_000n),
    buckets: buckets.map((bucket) => ({
      at: isoTime(bucket.bucket_ns)!,
      requests: Number(bucket.requests),
      losses: Number(bucket.losses),
      resumes: resumes.get(bucket.bucket_ns) ?? {},
    })),
    backends: lives.slice(0, MOST_BACKENDS).map((life) => ({
      backend: life.backend,
      from: isoTime(life.from_ns)!,
      to: isoTime(life.to_ns)!,
      requests: Number(life.requests),
    })),
    windows: causes
      .filter(({ finding }) => finding.at !== null)
      .map(({ finding, row }) => ({
        cause: String(row.facts.cause),
        from: finding.at!,
        to: finding.until ?? finding.at!,
      })),
    idle: wantsIdle ? await pauses(store, registry) : [],
  };
}

async function resumesBySlice(
  store: Store,
  registry: Registry,
  widthNs: bigint,
): Promise<Map<bigint, Record<string, number>>> {
  const slices = new Map<bigint, Record<string, number>>();
  const rows = await reportRows<{ at_ns: bigint | null; verdict: string }>(store, registry, 'load_resumes');
  for (const { at_ns: at, verdict } of rows) {
    if (at === null) continue;
    const slice = at - (at % widthNs);
    const counts = slices.get(slice) ?? {};
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    slices.set(slice, counts);
  }
  return slices;
}

async function pauses(store: Store, registry: Registry): Promise<LoadChart['idle']> {
  const rows = await reportRows<{ idle_ms: number; lost: boolean }>(store, registry, 'idle');
  const step = Math.max(1, Math.ceil(rows.length / MOST_PAUSES));
  return rows
    .filter(({ lost }, index) => lost || index % step === 0)
    .map(({ idle_ms: idleMs, lost }) => ({ idleMs: Math.round(idleMs), lost }));
}
