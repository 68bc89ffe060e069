import { fingerprint } from '../contract/resume-token.js';
import { digest } from '../mcp/json.js';
import { EventIdDoor } from './event-id-door.js';
import type { Capture, EventRecord, ExchangeRecord, MessageRecord, ToolRecord } from './record.js';
import type { CaptureRows, EventRow, ExchangeRow, IdParts, MessageRow, SessionRow, ToolRow } from './rows.js';
import { SessionVault } from './session-vault.js';

const NO_PARTS: IdParts = { family: null, stream: null, seq: null, session: null };

/**
 * The door between readers and store: what passes it is kept. Session ids become tags, credentials and task ids digests,
 * event ids lose the session ids in them, and are taken apart for the columns of `queries/schema`.
 * One door for all sources of a run, so that one id has one row in `session`.
 */
export class Door {
  readonly #vault = new SessionVault();
  readonly #ids = new EventIdDoor(this.#vault);
  readonly #principals = new Map<string, string>();

  /** Rows of one capture. Does not keep the capture. */
  rows(capture: Capture): CaptureRows {
    const { exchange } = capture;
    const named = namedSessions(exchange.requestSession, exchange.responseSession);
    const events = capture.events.map((event) => this.#eventRow(event, named));
    return {
      exchange: this.#exchangeRow(exchange, named, events, countAnswers(capture.messages)),
      events,
      messages: capture.messages.map(messageRow),
      tools: capture.tools.map(toolRow),
    };
  }

  /** One row for each session id seen so far. */
  sessions(): SessionRow[] {
    return this.#vault.rows();
  }

  /** Raw session id of a tag (`--reveal`); null: a tag that was not given out here. */
  reveal(tag: string): string | null {
    return this.#vault.reveal(tag);
  }

  /** Raw event id of one that was rewritten because it held a session id; others as they are. */
  revealEventId(eventId: string): string {
    return this.#ids.reveal(eventId);
  }

  /** Tags that name one session: an id that is a prefix of the hash of another one seen, and that other one. */
  aliases(): [alias: string, canonical: string][] {
    return this.#vault.aliases();
  }

  #exchangeRow(
    exchange: ExchangeRecord,
    named: readonly string[],
    events: readonly EventRow[],
    answers: number,
  ): ExchangeRow {
    const { requestSession, responseSession, lastEventId, backends, backendStatuses } = exchange;
    const cursor = lastEventId === null ? NO_PARTS : this.#ids.parts(lastEventId, named);
    const seen = summarise(events);
    return {
      locator: exchange.locator,
      vantage: exchange.vantage,
      endpoint: exchange.endpoint,
      started_ns: exchange.startedNs,
      ended_ns: exchange.endedNs,
      precision_ns: exchange.precisionNs,
      http_method: exchange.httpMethod,
      path: exchange.path,
      status: exchange.status,
      request_session: requestSession === null ? null : this.#vault.tag(requestSession),
      response_session: responseSession === null ? null : this.#vault.tag(responseSession),
      last_event_id: lastEventId === null ? null : this.#ids.cleaned(lastEventId, named),
      cursor_family: cursor.family,
      cursor_stream: cursor.stream,
      cursor_seq: cursor.seq,
      cursor_session: cursor.session,
      resume_fingerprint:
        lastEventId === null || requestSession === null
          ? null
          : fingerprint({ sessionId: requestSession, lastEventId }),
      protocol_version: exchange.protocolVersion,
      era: exchange.era,
      request_type: exchange.requestType,
      response_type: exchange.responseType,
      end_state: exchange.endState,
      end_reason: exchange.endReason,
      backend: backends.length === 0 ? null : (backends[backends.length - 1] ?? null),
      backends: backends.length === 0 ? null : backends.length === 1 ? (backends[0] ?? null) : backends.join(', '),
      backend_statuses: backendStatuses.length === 0 ? null : backendStatuses.map((status) => status ?? '-').join(', '),
      tries: Math.max(backends.length, exchange.attempts ?? 0),
      client: exchange.client,
      connection: exchange.connection,
      user_agent: exchange.userAgent,
      principal: exchange.principal === null ? null : this.#principal(exchange.principal),
      trace_id: exchange.traceId,
      span_id: exchange.spanId,
      parent_span_id: exchange.parentSpanId,
      request_id: exchange.requestId,
      rpc_method: exchange.rpcMethod,
      rpc_id: exchange.rpcId,
      tool: exchange.tool,
      first_event_id: seen.firstEventId,
      last_cursor: exchange.lastCursor === undefined ? seen.cursor : this.#cleanedOrNull(exchange.lastCursor, named),
      event_count: seen.count,
      message_count: answers,
      request_bytes: exchange.requestBytes,
      response_bytes: exchange.responseBytes,
      saw_request_headers: exchange.sawRequestHeaders,
      saw_response_headers: exchange.sawResponseHeaders,
      saw_request_body: exchange.sawRequestBody,
      saw_response_body: exchange.sawResponseBody,
      saw_events: exchange.sawEvents,
      loss_in_body: exchange.lossInBody,
      stream_held: exchange.streamHeld,
      server_info: exchange.serverInfo,
      client_info: exchange.clientInfo,
      incomplete: exchange.incomplete,
    };
  }

  #eventRow(event: EventRecord, named: readonly string[]): EventRow {
    const { eventId } = event;
    const parts = eventId === null || eventId === '' ? NO_PARTS : this.#ids.parts(eventId, named);
    return {
      ordinal: event.ordinal,
      event_id: this.#cleanedOrNull(eventId, named),
      cursor: this.#cleanedOrNull(event.cursor, named),
      id_family: parts.family,
      id_stream: parts.stream,
      id_seq: parts.seq,
      id_session: parts.session,
      type: event.type,
      data_bytes: event.dataBytes,
      data_digest: event.dataDigest,
      at_ns: event.atNs,
      complete: event.complete,
      priming: event.priming,
      start_byte: event.startByte,
      end_byte: event.endByte,
      retry_ms: event.retryMs,
    };
  }

  #cleanedOrNull(eventId: string | null, named: readonly string[]): string | null {
    return eventId === null ? null : this.#ids.cleaned(eventId, named);
  }

  #principal(raw: string): string {
    let known = this.#principals.get(raw);
    if (known === undefined) {
      known = digest(raw);
      this.#principals.set(raw, known);
    }
    return known;
  }
}

/** Session ids that must not show inside event ids. */
function namedSessions(requestSession: string | null, responseSession: string | null): readonly string[] {
  if (requestSession === responseSession || responseSession === null)
    return requestSession === null ? [] : [requestSession];
  return requestSession === null ? [responseSession] : [requestSession, responseSession];
}

function summarise(events: readonly EventRow[]): { firstEventId: string | null; cursor: string | null; count: number } {
  let firstEventId: string | null = null;
  let cursor: string | null = null;
  let count = 0;
  for (const event of events) {
    if (!event.complete) continue;
    count += 1;
    cursor = event.cursor;
    if (firstEventId === null && event.event_id !== null && event.event_id !== '') firstEventId = event.event_id;
  }
  return { firstEventId, cursor, count };
}

function countAnswers(messages: readonly MessageRecord[]): number {
  let count = 0;
  for (const message of messages) if (message.sender === 'server' && message.kind !== 'invalid') count += 1;
  return count;
}

function messageRow(message: MessageRecord): MessageRow {
  return {
    ordinal: message.ordinal,
    sender: message.sender,
    event_ordinal: message.eventOrdinal,
    kind: message.kind,
    rpc_id: message.rpcId,
    rpc_method: message.rpcMethod,
    tool: message.tool,
    progress_token: message.progressToken,
    progress: message.progress,
    arguments_digest: message.argumentsDigest,
    message_digest: message.messageDigest,
    bytes: message.bytes,
    error_code: message.errorCode,
    tool_error: message.toolError,
    loss_signal: message.lossSignal,
    cancels: message.cancels,
    input_retry: message.inputRetry,
    input_required: message.inputRequired,
    idempotency_key: message.idempotencyKey,
    task_id: message.taskId === null || message.taskId === '' ? message.taskId : digest(message.taskId),
    result_keys: message.resultKeys,
    protocol_version: message.protocolVersion,
    trace_id: message.traceId,
    at_ns: message.atNs,
    body: message.text,
  };
}

function toolRow(tool: ToolRecord): ToolRow {
  return {
    tool: tool.tool,
    read_only: tool.readOnly,
    idempotent: tool.idempotent,
    destructive: tool.destructive,
    output_keys: tool.outputKeys,
    required_keys: tool.requiredKeys,
  };
}
