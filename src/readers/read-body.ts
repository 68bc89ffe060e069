import { type AnnouncedTool, announcedTools, peerInfo } from '../mcp/announcements.js';
import { digest, parseJson } from '../mcp/json.js';
import { noMessage, type RpcMessage, readMessages } from '../mcp/json-rpc.js';
import { saysSessionLost } from '../mcp/loss.js';
import { parseSse, type SseTail } from '../mcp/sse.js';
import type { RecordedEvent } from './captured-http.js';
import type { EventRecord, MessageRecord } from './record.js';

/** What the bytes of one body (or the events recorded in its place) hold. */
export interface BodyContent {
  readonly events: EventRecord[];
  readonly messages: MessageRecord[];
  readonly tools: AnnouncedTool[];
  readonly serverInfo: string | null;
  readonly clientInfo: string | null;
  /** The text of a body that is no JSON-RPC, or its JSON, says that the session is lost. */
  readonly lost: boolean;
  /** `sse`, `json`, `text` or `empty`: what the bytes are, whatever the content type says. */
  readonly form: 'sse' | 'json' | 'text' | 'empty';
  /** The body stops within an event, a line or a JSON value. */
  readonly cut: boolean;
  /** Cursor after the body where it is not that of the last dispatched event; undefined: it is. */
  readonly lastCursor: string | null | undefined;
  /** The server stated `retry` or sent a priming event. */
  readonly invitesResume: boolean;
}

export interface BodyOptions {
  readonly sender: MessageRecord['sender'];
  readonly keepText: boolean;
  /** Media type says `text/event-stream`. */
  readonly isEventStream: boolean;
  /** Arrival of the body, given to messages that no event dates. */
  readonly atNs: bigint | null;
}

/** Reads a body as it was sent. The bytes decide what it is; the media type only where they do not. */
export function readBody(body: string | Uint8Array, options: BodyOptions): BodyContent {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) return new BodyBuilder(options).finish('empty', false);
  if (looksLikeJson(bytes))
    return readJsonBody(typeof body === 'string' ? body : bytes.toString('utf8'), bytes.length, options);
  const mayStream = options.sender === 'server';
  if (mayStream && (options.isEventStream || looksLikeStream(bytes))) return readStream(bytes, options);
  return readText(bytes, options);
}

/** Reads events of which a recorder kept id, type, time and perhaps data, but not the bytes. */
export function readRecordedEvents(recorded: readonly RecordedEvent[], options: BodyOptions): BodyContent {
  const builder = new BodyBuilder(options);
  let sticky = '';
  for (const item of recorded) {
    const isNew = item.id !== sticky;
    sticky = item.id;
    builder.addEvent({
      eventId: isNew ? item.id : null,
      cursor: item.id === '' ? null : item.id,
      type: item.type || 'message',
      data: item.data,
      dataBytes: item.data === null ? 0 : Buffer.byteLength(item.data),
      atNs: item.atNs,
      startByte: null,
      endByte: null,
      retryMs: null,
    });
  }
  return builder.finish('sse', false);
}

function readJsonBody(text: string, bytes: number, options: BodyOptions): BodyContent {
  const builder = new BodyBuilder(options);
  const parsed = parseJson(text);
  if (!parsed.ok) return builder.finish('json', parsed.reason === 'unterminated');
  builder.addJson(parsed.value, text, bytes, null, options.atNs);
  return builder.finish('json', false);
}

function readStream(bytes: Buffer, options: BodyOptions): BodyContent {
  const builder = new BodyBuilder(options);
  const { events, tail } = parseSse(bytes);
  if (events.length === 0 && isNoStream(tail) && !looksLikeStream(bytes)) return readText(bytes, options);
  for (const event of events) {
    builder.addEvent({
      eventId: event.id,
      cursor: event.lastEventId === '' ? null : event.lastEventId,
      type: event.type,
      data: event.data,
      dataBytes: event.dataBytes,
      atNs: null,
      startByte: event.startByte,
      endByte: event.endByte,
      retryMs: event.retryMs,
    });
  }
  builder.addTail(tail);
  return builder.finish('sse', tail.midFrame);
}

/** Not one field or comment: plain words under the media type of a stream. */
function isNoStream(tail: SseTail): boolean {
  return tail.pending === null && tail.comments === 0 && tail.lastEventId === '' && tail.retryMs === null;
}

function readText(bytes: Buffer, options: BodyOptions): BodyContent {
  const builder = new BodyBuilder(options);
  if (bytes.length <= 8_000) builder.lost = saysSessionLost(bytes.toString('utf8').trim());
  return builder.finish('text', false);
}

interface NewEvent {
  readonly eventId: string | null;
  readonly cursor: string | null;
  readonly type: string;
  readonly data: string | null;
  readonly dataBytes: number;
  readonly atNs: bigint | null;
  readonly startByte: number | null;
  readonly endByte: number | null;
  readonly retryMs: number | null;
}

class BodyBuilder {
  lost = false;
  readonly #options: BodyOptions;
  readonly #events: EventRecord[] = [];
  readonly #messages: MessageRecord[] = [];
  readonly #tools: AnnouncedTool[] = [];
  #serverInfo: string | null = null;
  #clientInfo: string | null = null;
  #lastCursor: string | null | undefined;
  #invitesResume = false;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  addEvent(event: NewEvent): void {
    const { data } = event;
    const priming = data === '' && !!event.eventId;
    const ordinal = this.#events.length;
    const record: EventRecord = {
      ordinal,
      eventId: event.eventId,
      cursor: event.cursor,
      type: event.type,
      dataBytes: event.dataBytes,
      dataDigest: null,
      atNs: event.atNs,
      complete: true,
      priming,
      startByte: event.startByte,
      endByte: event.endByte,
      retryMs: event.retryMs,
    };
    this.#events.push(record);
    if (priming || event.retryMs !== null) this.#invitesResume = true;
    if (data === null) return;
    const before = this.#messages.length;
    if (data.trim() !== '') this.#addData(data, event, ordinal);
    const only = this.#messages.length === before + 1 ? this.#messages[before] : undefined;
    record.dataDigest = only?.messageDigest ?? digest(data);
  }

  /** What the stream holds after its last event: a cursor moved without data, and an event that was never ended. */
  addTail(tail: SseTail): void {
    const cursor = tail.lastEventId === '' ? null : tail.lastEventId;
    const last = this.#events.at(-1);
    if (cursor !== (last?.cursor ?? null)) this.#lastCursor = cursor;
    if (tail.retryMs !== null) {
      this.#invitesResume = true;
      if (last !== undefined) last.retryMs = tail.retryMs;
    }
    if (tail.pending === null) return;
    this.#events.push({
      ordinal: this.#events.length,
      eventId: tail.pending.id,
      cursor,
      type: tail.pending.type,
      dataBytes: tail.pending.dataBytes,
      dataDigest: null,
      atNs: null,
      complete: false,
      priming: false,
      startByte: tail.pending.startByte,
      endByte: tail.bytes,
      retryMs: null,
    });
  }

  addJson(value: unknown, text: string, bytes: number, eventOrdinal: number | null, atNs: bigint | null): void {
    const { sender, keepText } = this.#options;
    for (const message of readMessages(value, sender, bytes))
      this.#push(message, eventOrdinal, atNs, keepText ? text : null);
    for (const item of Array.isArray(value) ? value : [value]) {
      const peer = peerInfo(item);
      this.#serverInfo ??= peer.serverInfo;
      this.#clientInfo ??= peer.clientInfo;
      if (sender === 'server') this.#tools.push(...announcedTools(item));
    }
  }

  finish(form: BodyContent['form'], cut: boolean): BodyContent {
    return {
      events: this.#events,
      messages: this.#messages,
      tools: this.#tools,
      serverInfo: this.#serverInfo,
      clientInfo: this.#clientInfo,
      lost: this.lost,
      form,
      cut,
      lastCursor: this.#lastCursor,
      invitesResume: this.#invitesResume,
    };
  }

  #addData(data: string, event: NewEvent, ordinal: number): void {
    const parsed = parseJson(data);
    if (parsed.ok) this.addJson(parsed.value, data, event.dataBytes, ordinal, event.atNs);
    else this.#addInvalid(data, event.dataBytes, ordinal, event.atNs);
  }

  /** Data that is no JSON: no message, but it may be the plain words of a refusal. */
  #addInvalid(data: string, bytes: number, eventOrdinal: number, atNs: bigint | null): void {
    const { sender, keepText } = this.#options;
    const message = noMessage(sender, bytes);
    message.lossSignal = saysSessionLost(data);
    this.#push(message, eventOrdinal, atNs, keepText ? data : null);
  }

  #push(message: RpcMessage, eventOrdinal: number | null, atNs: bigint | null, text: string | null): void {
    if (message.sender === 'client') message.lossSignal = false;
    if (message.lossSignal) this.lost = true;
    message.ordinal = this.#messages.length;
    message.eventOrdinal = eventOrdinal;
    message.atNs = atNs;
    message.text = text;
    this.#messages.push(message);
  }
}

/** First byte that is not white space or BOM is `{` or `[`. SSE never starts so: a field name would. */
function looksLikeJson(bytes: Uint8Array): boolean {
  let i = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (i < bytes.length && (bytes[i] === 0x20 || (bytes[i]! >= 0x09 && bytes[i]! <= 0x0d))) i += 1;
  return bytes[i] === 0x7b || bytes[i] === 0x5b;
}

/** A stream whatever its media type: it starts with a field or a comment and has a `data` line. */
function looksLikeStream(bytes: Buffer): boolean {
  const start = bytes.toString('utf8', 0, 4_096).replace(/^\uFEFF/, '');
  return /^(?:id|event|data|retry)?:/.test(start) && /^(?:data|id)(?::|$)/m.test(start);
}
