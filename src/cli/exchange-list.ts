import type { Column } from '../report/rows.js';
import type { IdText } from './id-text.js';
import { eventIdCell, type ListShape, type SqlRow, sessionCell } from './list-run.js';
import { cellOf } from './row-report.js';

const COLUMNS: readonly Column[] = [
  { key: 'startedMs', title: 'Started (ms)', align: 'right', wideOnly: true },
  { key: 'durationMs', title: 'ms', align: 'right' },
  { key: 'method', title: 'Method' },
  { key: 'path', title: 'Path' },
  { key: 'status', title: 'Status', align: 'right' },
  { key: 'requestSession', title: 'Session' },
  { key: 'responseSession', title: 'Answered as' },
  { key: 'lastEventId', title: 'Last-Event-ID' },
  { key: 'protocolVersion', title: 'Protocol', wideOnly: true },
  { key: 'era', title: 'Era', wideOnly: true },
  { key: 'endState', title: 'End' },
  { key: 'endReason', title: 'Reason', wideOnly: true },
  { key: 'backend', title: 'Backend', wideOnly: true },
  { key: 'client', title: 'Client', wideOnly: true },
  { key: 'userAgent', title: 'User agent', wideOnly: true },
  { key: 'traceId', title: 'Trace', wideOnly: true },
  { key: 'spanId', title: 'Span', wideOnly: true },
  { key: 'rpcMethod', title: 'JSON-RPC' },
  { key: 'rpcId', title: 'Id', wideOnly: true },
  { key: 'tool', title: 'Tool' },
  { key: 'events', title: 'Events', align: 'right' },
  { key: 'eventDataBytes', title: 'Event bytes', wideOnly: true },
  { key: 'firstEventId', title: 'First event' },
  { key: 'cursor', title: 'Cursor' },
  { key: 'messages', title: 'Messages', align: 'right', wideOnly: true },
  { key: 'vantage', title: 'Vantage', wideOnly: true },
  { key: 'endpoint', title: 'Endpoint', wideOnly: true },
  { key: 'source', title: 'Source', wideOnly: true },
  { key: 'locator', title: 'Place' },
];

export const exchangeList: ListShape = {
  report: 'exchanges',
  timeColumn: 'started_ns',
  shape: (rows, idText) => ({
    noun: 'exchange',
    columns: COLUMNS,
    rows: rows.map((row) => exchangeRow(row, idText)),
  }),
};

function exchangeRow(row: SqlRow, idText: IdText) {
  return {
    startedMs: milliseconds(row.started_ns),
    durationMs: duration(row.started_ns, row.ended_ns),
    method: cellOf(row.http_method),
    path: cellOf(row.path),
    status: cellOf(row.status),
    requestSession: sessionCell(row.request_session, idText),
    responseSession: sessionCell(row.response_session, idText),
    lastEventId: eventIdCell(row.last_event_id, idText),
    protocolVersion: cellOf(row.protocol_version),
    era: cellOf(row.era),
    endState: cellOf(row.end_state),
    endReason: cellOf(row.end_reason),
    backend: typeof row.backends === 'string' ? row.backends.split(', ') : null,
    client: cellOf(row.client),
    userAgent: cellOf(row.user_agent),
    traceId: cellOf(row.trace_id),
    spanId: cellOf(row.span_id),
    rpcMethod: cellOf(row.rpc_method),
    rpcId: cellOf(row.rpc_id),
    tool: cellOf(row.tool),
    events: cellOf(row.events),
    eventDataBytes: byteList(row),
    firstEventId: eventIdCell(row.first_event_id, idText),
    cursor: eventIdCell(row.last_cursor, idText),
    messages: cellOf(row.messages),
    vantage: cellOf(row.vantage),
    endpoint: cellOf(row.endpoint),
    source: cellOf(row.source),
    locator: cellOf(row.locator),
  };
}

/** null where no events were recorded; an empty list where none came. */
function byteList(row: SqlRow): number[] | null {
  if (typeof row.event_data_bytes === 'string') return row.event_data_bytes.split(',').map(Number);
  return row.events === null ? null : [];
}

function milliseconds(ns: SqlRow[string] | undefined): number | null {
  return typeof ns === 'bigint' ? Math.floor(Number(ns) / 1e6) : null;
}

function duration(startedNs: SqlRow[string] | undefined, endedNs: SqlRow[string] | undefined): number | null {
  if (typeof startedNs !== 'bigint' || typeof endedNs !== 'bigint') return null;
  return Math.round(Number(endedNs - startedNs) / 1e6);
}
