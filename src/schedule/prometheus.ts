import type { Incident } from '../incident/finding.js';
import type { ResultDocument } from '../report/result-document.js';
import type { Store } from '../store/store.js';

/** Labels and value of one sample. */
type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * The metrics of the last judgement in the text format of Prometheus (exposition format 0.0.4), for the textfile
 * collector of node_exporter.
 */
export async function prometheusText(store: Store, document: ResultDocument | null): Promise<string> {
  const [job] = await store.rows<{ bytes_read: bigint; watermark_ns: bigint | null; succeeded_s: bigint | null }>(
    'select bytes_read, watermark_ns, succeeded_s from job',
  );
  const endpoints = await store.rows<{ finding: string; endpoint: string }>(
    'select finding, endpoint from kept_finding',
  );
  const incidents = await store.rows<{ document: string }>(
    "select document from kept_incident where state in ('new', 'known')",
  );
  const lost = await store.rows<{ endpoint: string; sessions: bigint }>(
    'select endpoint, count(*) as sessions from lost_session group by endpoint order by endpoint',
  );
  const metrics = [
    metric(
      'findings',
      'gauge',
      'Findings in the last report.',
      countedFindings(document, new Map(endpoints.map(({ finding, endpoint }) => [finding, endpoint]))),
    ),
    metric(
      'incidents',
      'gauge',
      'Incidents that are going on.',
      counted(incidents.map(({ document: text }) => labelsOf(JSON.parse(text) as Incident))),
    ),
    metric(
      'sessions_lost_total',
      'counter',
      'Sessions that were lost.',
      lost.map(({ endpoint, sessions }) => [{ endpoint }, Number(sessions)]),
    ),
    metric(
      'resumes',
      'gauge',
      'Resume attempts in the last report, by verdict.',
      Object.entries(document?.verdicts ?? {})
        .sort()
        .map(([verdict, count]) => [{ verdict }, count]),
    ),
    metric(
      'detector_failed',
      'gauge',
      'Detectors that failed in the last report.',
      (document?.detectors ?? []).filter(({ status }) => status === 'error').map(({ id }) => [{ detector: id }, 1]),
    ),
    metric(
      'newest_record_timestamp_seconds',
      'gauge',
      'Time of the newest record.',
      job?.watermark_ns == null ? [] : [[{}, Number(job.watermark_ns / 1_000_000n) / 1000]],
    ),
    metric('bytes_read_total', 'counter', 'Bytes of captures that were read, unpacked.', [
      [{}, Number(job?.bytes_read ?? 0n)],
    ]),
    metric(
      'last_success_timestamp_seconds',
      'gauge',
      'When a run last ended well.',
      job?.succeeded_s == null ? [] : [[{}, Number(job.succeeded_s)]],
    ),
  ];
  return metrics.join('');
}

function countedFindings(document: ResultDocument | null, endpoints: ReadonlyMap<string, string>): Sample[] {
  return counted(
    (document?.findings ?? []).map(({ id, detector, severity }) => ({
      detector,
      severity,
      endpoint: endpoints.get(id) ?? '',
    })),
  );
}

function labelsOf({ severity, cause }: Incident): Record<string, string> {
  return { severity, cause };
}

function counted(labels: readonly Readonly<Record<string, string>>[]): Sample[] {
  const counts = new Map<string, number>();
  for (const one of labels) counts.set(JSON.stringify(one), (counts.get(JSON.stringify(one)) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => [JSON.parse(key) as Record<string, string>, count]);
}

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const full = `mcp_postmortem_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${prometheusLabels(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
}

/** Labels as the exposition format writes them. */
export function prometheusLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Backslash, quote and line feed are escaped; other control characters have no business in a label. */
function escaped(value: string): string {
  return value
    .slice(0, 500)
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
    .replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
