import { isoTime } from '../incident/time.js';
import type { Column } from '../report/rows.js';
import { eventIdCell, type ListShape, type SqlRow, sessionCell } from './list-run.js';
import { cellOf } from './row-report.js';

function timeCell(row: SqlRow, column: string): string | null {
  const value = row[column];
  return typeof value === 'bigint' ? isoTime(value) : null;
}

const PLACE: readonly Column[] = [
  { key: 'source', title: 'Source', wideOnly: true },
  { key: 'locator', title: 'Place' },
];

export const sessionList: ListShape = {
  report: 'sessions',
  timeColumn: 'first_ns',
  shape: (rows, idText) => ({
    noun: 'session',
    columns: [
      { key: 'session', title: 'Session' },
      { key: 'life', title: 'Life', align: 'right', wideOnly: true },
      { key: 'lineage', title: 'Lineage', align: 'right', wideOnly: true },
      { key: 'startedAt', title: 'From', minWidth: 24 },
      { key: 'endedAt', title: 'To', minWidth: 24 },
      { key: 'endedBy', title: 'Ended by' },
      { key: 'lostAt', title: 'Lost at', wideOnly: true },
      { key: 'lostStatus', title: 'Status', align: 'right' },
      { key: 'requests', title: 'Requests', align: 'right' },
      { key: 'issued', title: 'Seen from its start', wideOnly: true },
      { key: 'backend', title: 'Backend' },
      { key: 'client', title: 'Client', wideOnly: true },
      { key: 'userAgent', title: 'User agent', wideOnly: true },
      { key: 'clientInfo', title: 'Client info', wideOnly: true },
      { key: 'serverInfo', title: 'Server info', wideOnly: true },
      { key: 'endpoint', title: 'Endpoint', wideOnly: true },
      { key: 'vantage', title: 'Vantage', wideOnly: true },
      ...PLACE,
    ],
    rows: rows.map((row) => ({
      session: sessionCell(row.session, idText),
      life: cellOf(row.life),
      lineage: cellOf(row.lineage),
      startedAt: timeCell(row, 'first_ns'),
      endedAt: timeCell(row, 'last_ns'),
      endedBy: cellOf(row.ended_by),
      lostAt: timeCell(row, 'lost_ns'),
      lostStatus: cellOf(row.lost_status),
      requests: cellOf(row.requests),
      issued: cellOf(row.issued),
      backend: cellOf(row.backend),
      client: cellOf(row.client),
      userAgent: cellOf(row.user_agent),
      clientInfo: cellOf(row.client_info),
      serverInfo: cellOf(row.server_info),
      endpoint: cellOf(row.endpoint),
      vantage: cellOf(row.vantage),
      source: cellOf(row.source),
      locator: cellOf(row.locator),
    })),
  }),
};

export const resumeList: ListShape = {
  report: 'resumes',
  timeColumn: 'at_ns',
  shape: (rows, idText) => ({
    noun: 'resume',
    columns: [
      { key: 'session', title: 'Session' },
      { key: 'lastEventId', title: 'Last-Event-ID' },
      { key: 'fingerprint', title: 'Fingerprint', wideOnly: true },
      { key: 'status', title: 'Status', align: 'right' },
      { key: 'responseSession', title: 'Answered as' },
      { key: 'firstEventId', title: 'First event' },
      { key: 'verdict', title: 'Verdict' },
      { key: 'via', title: 'Via', wideOnly: true },
      { key: 'at', title: 'At', minWidth: 24 },
      ...PLACE,
    ],
    rows: rows.map((row) => ({
      session: sessionCell(row.session, idText),
      lastEventId: eventIdCell(row.last_event_id, idText),
      fingerprint: cellOf(row.fingerprint),
      status: cellOf(row.status),
      responseSession: sessionCell(row.response_session, idText),
      firstEventId: eventIdCell(row.first_event_id, idText),
      verdict: cellOf(row.verdict),
      via: cellOf(row.via),
      at: timeCell(row, 'at_ns'),
      source: cellOf(row.source),
      locator: cellOf(row.locator),
    })),
  }),
};

export const callList: ListShape = {
  report: 'calls',
  timeColumn: 'started_ns',
  shape: (rows, idText) => ({
    noun: 'call',
    columns: [
      { key: 'session', title: 'Session' },
      { key: 'requestId', title: 'Request' },
      { key: 'tool', title: 'Tool' },
      { key: 'argumentsDigest', title: 'Arguments', wideOnly: true },
      { key: 'outcome', title: 'Outcome' },
      { key: 'startedAt', title: 'Started', minWidth: 24 },
      { key: 'endedAt', title: 'Ended', minWidth: 24 },
      ...PLACE,
    ],
    rows: rows.map((row) => ({
      session: sessionCell(row.session, idText),
      requestId: cellOf(row.rpc_id),
      tool: cellOf(row.tool),
      argumentsDigest: cellOf(row.arguments_digest),
      outcome: cellOf(row.outcome),
      startedAt: timeCell(row, 'started_ns'),
      endedAt: timeCell(row, 'ended_ns'),
      source: cellOf(row.source),
      locator: cellOf(row.locator),
    })),
  }),
};
