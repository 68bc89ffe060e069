/**
 * Rows as the tables of `queries/schema/*.sql` take them: the keys are the column names, in the order of the columns.
 * `exchange_id` and `source_id` are numbered by the store and therefore missing here.
 * Times and sequence numbers are bigint, sizes and counts are numbers. No row holds a raw session id or credential.
 */

/** An id taken apart by its shape alone: see `contract/event-id.ts`. */
export interface IdParts {
  readonly family: string | null;
  readonly stream: string | null;
  readonly seq: bigint | null;
  /** Tag of the session that the id names. */
  readonly session: string | null;
}

export interface ExchangeRow {
  readonly locator: string;
  readonly vantage: string;
  readonly endpoint: string;
  readonly started_ns: bigint | null;
  readonly ended_ns: bigint | null;
  readonly precision_ns: bigint;
  readonly http_method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly request_session: string | null;
  readonly response_session: string | null;
  readonly last_event_id: string | null;
  readonly cursor_family: string | null;
  readonly cursor_stream: string | null;
  readonly cursor_seq: bigint | null;
  readonly cursor_session: string | null;
  readonly resume_fingerprint: string | null;
  readonly protocol_version: string | null;
  readonly era: string | null;
  readonly request_type: string | null;
  readonly response_type: string | null;
  readonly end_state: string;
  readonly end_reason: string | null;
  readonly backend: string | null;
  readonly backends: string | null;
  readonly backend_statuses: string | null;
  readonly tries: number;
  readonly client: string | null;
  readonly connection: string | null;
  readonly user_agent: string | null;
  readonly principal: string | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly parent_span_id: string | null;
  readonly request_id: string | null;
  readonly rpc_method: string | null;
  readonly rpc_id: string | null;
  readonly tool: string | null;
  readonly first_event_id: string | null;
  readonly last_cursor: string | null;
  readonly event_count: number;
  readonly message_count: number;
  readonly request_bytes: number | null;
  readonly response_bytes: number | null;
  readonly saw_request_headers: boolean;
  readonly saw_response_headers: boolean;
  readonly saw_request_body: boolean;
  readonly saw_response_body: boolean;
  readonly saw_events: boolean;
  readonly loss_in_body: boolean;
  readonly stream_held: boolean;
  readonly server_info: string | null;
  readonly client_info: string | null;
  readonly incomplete: boolean;
}

export interface EventRow {
  readonly ordinal: number;
  readonly event_id: string | null;
  readonly cursor: string | null;
  readonly id_family: string | null;
  readonly id_stream: string | null;
  readonly id_seq: bigint | null;
  readonly id_session: string | null;
  readonly type: string;
  readonly data_bytes: number;
  readonly data_digest: string | null;
  readonly at_ns: bigint | null;
  readonly complete: boolean;
  readonly priming: boolean;
  readonly start_byte: number | null;
  readonly end_byte: number | null;
  readonly retry_ms: number | null;
}

export interface MessageRow {
  readonly ordinal: number;
  readonly sender: string;
  readonly event_ordinal: number | null;
  readonly kind: string;
  readonly rpc_id: string | null;
  readonly rpc_method: string | null;
  readonly tool: string | null;
  readonly progress_token: string | null;
  readonly progress: number | null;
  readonly arguments_digest: string | null;
  readonly message_digest: string | null;
  readonly bytes: number | null;
  readonly error_code: number | null;
  readonly tool_error: boolean;
  readonly loss_signal: boolean;
  readonly cancels: string | null;
  readonly input_retry: boolean;
  readonly input_required: boolean;
  readonly idempotency_key: string | null;
  readonly task_id: string | null;
  readonly result_keys: string | null;
  readonly protocol_version: string | null;
  readonly trace_id: string | null;
  readonly at_ns: bigint | null;
  readonly body: string | null;
}

export interface ToolRow {
  readonly tool: string;
  readonly read_only: boolean | null;
  readonly idempotent: boolean | null;
  readonly destructive: boolean | null;
  readonly output_keys: string | null;
  readonly required_keys: string | null;
}

export interface SessionRow {
  readonly session: string;
  readonly length: number;
  readonly visible_ascii: boolean;
  readonly number: bigint | null;
  readonly stem: string | null;
}

/** Everything of one capture, ready for the tables. */
export interface CaptureRows {
  readonly exchange: ExchangeRow;
  readonly events: readonly EventRow[];
  readonly messages: readonly MessageRow[];
  readonly tools: readonly ToolRow[];
}
