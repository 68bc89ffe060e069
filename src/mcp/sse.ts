import { concatBytes, LineSplitter } from './sse-lines.js';

/** One dispatched event of a `text/event-stream`. */
export interface SseEvent {
  /** The `id` field as sent, with the last one winning; null: none, or one that holds U+0000. */
  readonly id: string | null;
  /** Last event id that a client holds after this event; empty: none. */
  readonly lastEventId: string;
  readonly type: string;
  readonly data: string;
  /** Bytes of the data as sent, line feeds between its lines included. */
  readonly dataBytes: number;
  /** Byte range in the body, from the first field line to the end of the blank line. */
  readonly startByte: number;
  readonly endByte: number;
  /** `retry` in ms stated in this event or in a block without data before it. */
  readonly retryMs: number | null;
}

/** What a stream holds after its last dispatched event, which no client ever saw as an event. */
export interface SseTail {
  /** Fields of an event that no blank line ended; null: none were pending. */
  readonly pending: {
    readonly id: string | null;
    readonly type: string;
    readonly dataBytes: number;
    readonly startByte: number;
  } | null;
  /** Bytes of a last line that no line end closed, comments left out. */
  readonly partialLineBytes: number;
  /** The body ends within a UTF-8 sequence. */
  readonly incompleteUtf8: boolean;
  /** The stream was cut within an event: fields pending or a line unfinished. */
  readonly midFrame: boolean;
  readonly retryMs: number | null;
  readonly lastEventId: string;
  readonly comments: number;
  /** Bytes of the whole body. */
  readonly bytes: number;
}

const DATA = [0x64, 0x61, 0x74, 0x61] as const;
const ID = [0x69, 0x64] as const;
const EVENT = [0x65, 0x76, 0x65, 0x6e, 0x74] as const;
const RETRY = [0x72, 0x65, 0x74, 0x72, 0x79] as const;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Parses `text/event-stream` bytes (WHATWG HTML, section 9.2.6) chunk by chunk and keeps what browsers drop: byte
 * ranges, comments and the undispatched tail. Results do not depend on how the bytes are cut into chunks.
 */
export class SseParser {
  readonly #onEvent: (event: SseEvent) => void;
  readonly #lines = new LineSplitter((buffer, start, end, offset, next) =>
    this.#line(buffer, start, end, offset, next),
  );
  #lastEventId = '';
  #idBuffer = '';
  #id: string | null = null;
  #type = '';
  #data: string[] = [];
  #dataBytes = 0;
  #startByte = -1;
  #retryMs: number | null = null;
  #comments = 0;

  constructor(onEvent: (event: SseEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Bytes must stay unchanged until `end`. */
  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  end(): SseTail {
    const rest = this.#lines.end();
    const partial = rest.length > 0 && rest[0] !== COLON ? rest : null;
    const cutData = partial === null ? 0 : partialData(partial);
    const pending = this.#startByte >= 0;
    return {
      pending: pending
        ? {
            id: this.#id,
            type: this.#type || 'message',
            dataBytes: this.#dataBytes + cutData,
            startByte: this.#startByte,
          }
        : null,
      partialLineBytes: partial?.length ?? 0,
      incompleteUtf8: endsInsideCharacter(rest),
      midFrame: pending || partial !== null,
      retryMs: this.#retryMs,
      lastEventId: this.#lastEventId,
      comments: this.#comments,
      bytes: this.#lines.position,
    };
  }

  #line(buffer: Buffer, start: number, end: number, offset: number, next: number): void {
    if (end === start) {
      this.#dispatch(next);
      return;
    }
    if (buffer[start] === COLON) {
      this.#comments += 1;
      return;
    }
    const fieldEnd = nameEnd(buffer, start, end);
    let value = fieldEnd < end ? fieldEnd + 1 : end;
    if (value < end && buffer[value] === SPACE) value += 1;
    this.#field(buffer, start, fieldEnd, value, end, offset);
  }

  #field(buffer: Buffer, start: number, fieldEnd: number, value: number, end: number, offset: number): void {
    if (is(buffer, start, fieldEnd, DATA)) {
      this.#begin(offset);
      this.#dataBytes += end - value + (this.#data.length > 0 ? 1 : 0);
      this.#data.push(buffer.toString('utf8', value, end));
    } else if (is(buffer, start, fieldEnd, ID)) {
      this.#begin(offset);
      const id = buffer.toString('utf8', value, end);
      if (id.includes('\0')) return;
      this.#id = id;
      this.#idBuffer = id;
    } else if (is(buffer, start, fieldEnd, EVENT)) {
      this.#begin(offset);
      this.#type = buffer.toString('utf8', value, end);
    } else if (is(buffer, start, fieldEnd, RETRY)) {
      const text = buffer.toString('latin1', value, end);
      if (/^\d{1,15}$/.test(text)) this.#retryMs = Number(text);
    }
  }

  #begin(offset: number): void {
    if (this.#startByte < 0) this.#startByte = offset;
  }

  /** A blank line: the id counts even when there is no data and thus no event. */
  #dispatch(endByte: number): void {
    this.#lastEventId = this.#idBuffer;
    if (this.#data.length > 0) {
      this.#onEvent({
        id: this.#id,
        lastEventId: this.#lastEventId,
        type: this.#type || 'message',
        data: this.#data.length === 1 ? this.#data[0]! : this.#data.join('\n'),
        dataBytes: this.#dataBytes,
        startByte: this.#startByte,
        endByte,
        retryMs: this.#retryMs,
      });
      this.#data = [];
      this.#dataBytes = 0;
      this.#retryMs = null;
    }
    this.#id = null;
    this.#type = '';
    this.#startByte = -1;
  }
}

/** Parses a whole body at once. */
export function parseSse(body: Uint8Array): { events: SseEvent[]; tail: SseTail } {
  const events: SseEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  parser.push(body);
  return { events, tail: parser.end() };
}

function nameEnd(buffer: Buffer, start: number, end: number): number {
  for (let i = start; i < end; i += 1) if (buffer[i] === COLON) return i;
  return end;
}

function is(buffer: Buffer, start: number, end: number, name: readonly number[]): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i += 1) if (buffer[start + i] !== name[i]) return false;
  return true;
}

/** Bytes of data that an unfinished `data:` line had brought. */
function partialData(line: Uint8Array): number {
  const buffer = concatBytes([line]);
  const fieldEnd = nameEnd(buffer, 0, buffer.length);
  if (!is(buffer, 0, fieldEnd, DATA) || fieldEnd === buffer.length) return 0;
  return buffer.length - fieldEnd - 1 - (buffer[fieldEnd + 1] === SPACE ? 1 : 0);
}

function endsInsideCharacter(bytes: Uint8Array): boolean {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back;
  }
  return false;
}
