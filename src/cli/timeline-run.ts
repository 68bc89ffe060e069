import { PostmortemError } from '../error.js';
import { isoTime } from '../incident/time.js';
import { sessionTag, showTag } from '../mcp/session-id.js';
import type { Column } from '../report/rows.js';
import type { Store } from '../store/store.js';
import type { IdText } from './id-text.js';
import type { ListOptions } from './list-command.js';
import { eventIdCell, sessionCell, withFilledStore } from './list-run.js';
import { cellOf, reportRows, rowFormats, writeRows } from './row-report.js';
import { picturePlan, writePictures } from './timeline-picture.js';
import { markOf, type TimelineRow } from './timeline-row.js';
import { touches } from './window.js';

const COLUMNS: readonly Column[] = [
  { key: 'at', title: 'At', minWidth: 24 },
  { key: 'mark', title: 'Mark' },
  { key: 'session', title: 'Session' },
  { key: 'request', title: 'Request', minWidth: 20 },
  { key: 'lastEventId', title: 'Last-Event-ID' },
  { key: 'status', title: 'Status', align: 'right' },
  { key: 'responseSession', title: 'Answered as' },
  { key: 'firstEventId', title: 'First event' },
  { key: 'events', title: 'Events', align: 'right' },
  { key: 'end', title: 'End' },
  { key: 'verdict', title: 'Verdict' },
  { key: 'backend', title: 'Backend', wideOnly: true },
  { key: 'source', title: 'Source', wideOnly: true },
  { key: 'locator', title: 'Place' },
];

/** `timeline`: the requests of a session's lineage. @returns the exit code */
export async function timeline(session: string, paths: readonly string[], options: ListOptions): Promise<number> {
  const pictures = picturePlan(options);
  rowFormats(pictures.lists);
  return withFilledStore(paths, options, async ({ store, registry, idText, window, console }) => {
    const tag = await knownTag(store, session);
    const rows = await reportRows<TimelineRow>(store, registry, 'timeline', { session: tag }, console);
    const inside = rows.filter(({ at_ns: at }) => touches(window, at, null));
    console.clearProgress();
    await writeRows(
      { rows: inside.map((row) => timelineRow(row, idText)), columns: COLUMNS, noun: 'request' },
      pictures.lists,
    );
    await writePictures(pictures, inside, `Session ${idText.session(tag)} and its successors`, idText);
  });
}

/** The tag of a session given whole, as its tag, or as it is printed. @throws PostmortemError `usage` */
async function knownTag(store: Store, session: string): Promise<string> {
  const known = await store.rows<{ session: string }>('select session from session order by session');
  const exact = known.find(({ session: tag }) => tag === sessionTag(session) || tag === session);
  if (exact !== undefined) return exact.session;
  const shown = known.filter(
    ({ session: tag }) => showTag(tag) === session || (session.length >= 4 && tag.startsWith(session)),
  );
  if (shown.length === 1 && shown[0] !== undefined) return shown[0].session;
  const problem = shown.length === 0 ? 'is not in the capture' : `is the beginning of ${shown.length} sessions`;
  // A whole id is a live credential, and messages are kept in the logs of jobs.
  throw new PostmortemError(
    'usage',
    `the session ${session.includes('…#') ? session : showTag(sessionTag(session))} ${problem}`,
    '`mcp-postmortem sessions` lists all.',
  );
}

function timelineRow(row: TimelineRow, idText: IdText) {
  return {
    at: isoTime(row.at_ns),
    mark: markOf(row),
    session: sessionCell(row.request_session, idText),
    request: requestText(row),
    lastEventId: eventIdCell(row.last_event_id, idText),
    status: cellOf(row.status),
    responseSession: sessionCell(row.response_session, idText),
    firstEventId: eventIdCell(row.first_event_id, idText),
    events: cellOf(row.event_count),
    end: cellOf(row.end_state),
    verdict: cellOf(row.verdict),
    backend: cellOf(row.backend),
    source: cellOf(row.source),
    locator: cellOf(row.locator),
  };
}

function requestText(row: TimelineRow): string {
  const words = [row.http_method, row.rpc_method, row.tool, row.rpc_id === null ? null : `id ${row.rpc_id}`];
  return words.filter((word): word is string => typeof word === 'string' && word !== '').join(' ');
}
