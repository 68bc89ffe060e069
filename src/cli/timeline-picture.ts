import type { TimelineEntry } from '../incident/finding.js';
import { isoTime } from '../incident/time.js';
import { sentenceOf } from '../incident/views.js';
import type { IdText } from './id-text.js';
import type { OutputOptions } from './options.js';
import { writeAtomically, writeStdout } from './out.js';
import type { TimelineRow } from './timeline-row.js';
import { markOf } from './timeline-row.js';

/** Which outputs of `timeline` are pictures; the others are lists. */
export interface PicturePlan {
  readonly files: readonly string[];
  readonly onStdout: boolean;
  /** The options as a list takes them. */
  readonly lists: OutputOptions;
}

const SVG = /\.svg$/i;

export function picturePlan<T extends OutputOptions>(options: T): PicturePlan {
  const onStdout = options.format.length === 1 && options.format[0] === 'svg';
  return {
    files: options.out.filter((path) => SVG.test(path)),
    onStdout,
    lists: {
      ...options,
      out: options.out.filter((path) => !SVG.test(path)),
      ...(onStdout ? { format: [], quiet: true } : {}),
    },
  };
}

/** @throws PostmortemError `output-failed` */
export async function writePictures(plan: PicturePlan, rows: readonly TimelineRow[], title: string, idText: IdText) {
  if (plan.files.length === 0 && !plan.onStdout) return;
  const { renderTimelineSvg } = await import('../report/timeline-svg.js');
  const svg = renderTimelineSvg(
    rows.map((row) => entryOf(row, idText)),
    title,
  );
  for (const path of plan.files) await writeAtomically(path, svg);
  if (plan.onStdout) await writeStdout(svg);
}

const ROLES: Readonly<Record<ReturnType<typeof markOf>, TimelineEntry['role']>> = {
  seam: 'seam',
  loss: 'loss',
  cut: 'fault',
  initialize: 'request',
  resume: 'request',
  '': 'request',
};

const LANES: Readonly<Record<string, TimelineEntry['lane']>> = { proxy: 'proxy', server: 'server' };

function entryOf(row: TimelineRow, idText: IdText): TimelineEntry {
  const mark = markOf(row);
  const session = row.request_session || row.response_session;
  const other = mark === 'seam' ? row.response_session : null;
  return {
    at: row.at_ns === null ? null : isoTime(row.at_ns),
    what: sentenceOf(row, idText),
    source: row.source,
    locator: row.locator,
    lane: LANES[row.vantage] ?? 'client',
    session: session ? idText.session(session) : null,
    role: ROLES[mark],
    ...(row.backend === null ? {} : { backend: row.backend }),
    ...(other === null ? {} : { otherSession: idText.session(other) }),
  };
}
