import type { EventRow, ExchangeRow, MessageRow, SessionRow, ToolRow } from '../readers/rows.js';
import type { Cell } from './bulk-appender.js';

/*
 * Rows as cells in the order of the columns of `queries/schema`. Written out, because reading sixty properties by a
 * changing name costs three times as much, and this runs once for every line of a log. A test holds the order.
 */

export function exchangeCells(exchangeId: bigint, sourceId: number, row: ExchangeRow): Cell[] {
  return [
    exchangeId,
    sourceId,
    row.locator,
    row.vantage,
    row.endpoint,
    row.started_ns,
    row.ended_ns,
    row.precision_ns,
    row.http_method,
    row.path,
    row.status,
    row.request_session,
    row.response_session,
    row.last_event_id,
    row.cursor_family,
    row.cursor_stream,
    row.cursor_seq,
    row.cursor_session,
    row.resume_fingerprint,
    row.protocol_version,
    row.era,
    row.request_type,
    row.response_type,
    row.end_state,
    row.end_reason,
    row.backend,
    row.backends,
    row.backend_statuses,
    row.tries,
    row.client,
    row.connection,
    row.user_agent,
    row.principal,
    row.trace_id,
    row.span_id,
    row.parent_span_id,
    row.request_id,
    row.rpc_method,
    row.rpc_id,
    row.tool,
    row.first_event_id,
    row.last_cursor,
    row.event_count,
    row.message_count,
    row.request_bytes,
    row.response_bytes,
    row.saw_request_headers,
    row.saw_response_headers,
    row.saw_request_body,
    row.saw_response_body,
    row.saw_events,
    row.loss_in_body,
    row.stream_held,
    row.server_info,
    row.client_info,
    row.incomplete,
  ];
}

export function eventCells(exchangeId: bigint, row: EventRow): Cell[] {
  return [
    exchangeId,
    row.ordinal,
    row.event_id,
    row.cursor,
    row.id_family,
    row.id_stream,
    row.id_seq,
    row.id_session,
    row.type,
    row.data_bytes,
    row.data_digest,
    row.at_ns,
    row.complete,
    row.priming,
    row.start_byte,
    row.end_byte,
    row.retry_ms,
  ];
}

export function messageCells(exchangeId: bigint, row: MessageRow): Cell[] {
  return [
    exchangeId,
    row.ordinal,
    row.sender,
    row.event_ordinal,
    row.kind,
    row.rpc_id,
    row.rpc_method,
    row.tool,
    row.progress_token,
    row.progress,
    row.arguments_digest,
    row.message_digest,
    row.bytes,
    row.error_code,
    row.tool_error,
    row.loss_signal,
    row.cancels,
    row.input_retry,
    row.input_required,
    row.idempotency_key,
    row.task_id,
    row.result_keys,
    row.protocol_version,
    row.trace_id,
    row.at_ns,
    row.body,
  ];
}

export function toolCells(exchangeId: bigint, row: ToolRow): Cell[] {
  return [exchangeId, row.tool, row.read_only, row.idempotent, row.destructive, row.output_keys, row.required_keys];
}

export function sessionCells(row: SessionRow): Cell[] {
  return [row.session, row.length, row.visible_ascii, row.number, row.stem];
}
