import { TooDeepError } from './any-value.js';
import type { SpanSink } from './json-spans.js';
import { MarkScanner, MCP_NAME } from './marks.js';
import { elementOf, readLogRecord, readSpan } from './proto-spans.js';
import { readAttribute } from './proto-values.js';
import type { Attributes, AttributeValue, Origin } from './span.js';
import { BYTES, tagOf, WireError, WireReader } from './wire.js';

/** Fields of ExportTraceServiceRequest, ResourceSpans and ScopeSpans; those of logs and metrics have the same numbers. */
const RESOURCES = tagOf(1, BYTES);
const RESOURCE = tagOf(1, BYTES);
const SCOPES = tagOf(2, BYTES);
/** `instrumentation_library_spans`, until 2022. */
const LIBRARIES = tagOf(1000, BYTES);
const SCOPE = tagOf(1, BYTES);
const ITEMS = tagOf(2, BYTES);
const RESOURCE_ATTRIBUTES = tagOf(1, BYTES);
const SCOPE_NAME = tagOf(1, BYTES);

/** Where a message lies, for error messages. */
export interface MessagePlace {
  /** `frame 3, `, or empty for a bare message. */
  readonly name: string;
  /** Offset of the buffer's first byte in the input. */
  readonly offset: number;
}

/** A range of the buffer; `cut`: its length says more than there is. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
}

/**
 * Hands every span and log record of an ExportTraceServiceRequest (or ExportLogsServiceRequest) to `sink`; those without
 * a mark of MCP are counted and not decoded. A message that breaks off or is malformed gives everything beside the
 * break, and a reject that names the byte. Never throws on bytes.
 */
export function readRequest(bytes: Buffer, start: number, end: number, place: MessagePlace, sink: SpanSink): void {
  new RequestWalk(bytes, place, sink).request(start, end);
}

class RequestWalk {
  readonly #bytes: Buffer;
  readonly #place: MessagePlace;
  readonly #sink: SpanSink;
  readonly #marks: MarkScanner;
  #items = 0;
  #rejects = 0;

  constructor(bytes: Buffer, place: MessagePlace, sink: SpanSink) {
    this.#bytes = bytes;
    this.#place = place;
    this.#sink = sink;
    this.#marks = new MarkScanner(bytes, sink.endpoints);
  }

  request(start: number, end: number): void {
    let isCut = false;
    this.#each(start, end, (tag, field) => {
      isCut ||= field.cut;
      if (tag === RESOURCES) this.#resource(field);
    });
    if (isCut && this.#rejects === 0) this.#reject(end, 'the message ends early');
  }

  #resource(range: Range): void {
    const scopes: Range[] = [];
    const resource = new Map<string, AttributeValue>();
    this.#each(range.start, range.end, (tag, field) => {
      if (tag === SCOPES || tag === LIBRARIES) scopes.push(field);
      else if (tag === RESOURCE && !field.cut) this.#attributes(field, resource);
    });
    for (const scope of scopes) this.#scope(scope, resource);
  }

  #scope(range: Range, resource: Attributes): void {
    const items: Range[] = [];
    let scope = '';
    this.#each(range.start, range.end, (tag, field) => {
      if (tag === ITEMS) items.push(field);
      else if (tag === SCOPE && !field.cut) scope = this.#scopeName(field);
    });
    const origin: Origin = { resource, scope };
    const isMarked = MCP_NAME.test(scope);
    for (const item of items) this.#item(item, origin, isMarked);
  }

  #item(range: Range, origin: Origin, isMarked: boolean): void {
    this.#items += 1;
    if (range.cut) {
      this.#reject(range.start, 'the input ends inside a span');
      return;
    }
    if (!isMarked && !this.#marks.has(range.start, range.end)) {
      this.#sink.skip(1);
      return;
    }
    const wire = new WireReader(this.#bytes, range.start, range.end);
    const place = `${this.#place.name}span ${this.#items}`;
    this.#guarded(range.start, () => {
      const element = range.start === range.end ? 'span' : elementOf(wire);
      if (element === 'metric') this.#sink.skip(1);
      else this.#sink.add(element === 'log' ? readLogRecord(wire, origin, place) : readSpan(wire, origin, place));
    });
  }

  #attributes(range: Range, into: Map<string, AttributeValue>): void {
    this.#each(range.start, range.end, (tag, field) => {
      if (tag !== RESOURCE_ATTRIBUTES || field.cut) return;
      this.#guarded(field.start, () => readAttribute(new WireReader(this.#bytes, field.start, field.end), into));
    });
  }

  #scopeName(range: Range): string {
    let name = '';
    this.#each(range.start, range.end, (tag, field) => {
      if (tag === SCOPE_NAME && !field.cut) name = this.#bytes.toString('utf8', field.start, field.end);
    });
    return name;
  }

  /** Visits the length-delimited fields of a message. What breaks off is visited as far as it goes, marked as cut. */
  #each(start: number, end: number, visit: (tag: number, field: Range) => void): void {
    const wire = new WireReader(this.#bytes, start, end);
    this.#guarded(start, () => {
      while (wire.pos < wire.end) {
        const tag = wire.tag();
        if ((tag & 7) !== BYTES) {
          wire.skip(tag);
          continue;
        }
        const length = wire.varint();
        const from = wire.pos;
        wire.pos = Math.min(from + length, wire.end);
        visit(tag, { start: from, end: wire.pos, cut: from + length > wire.end });
      }
    });
  }

  #guarded(offset: number, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (error instanceof WireError) this.#reject(error.offset, error.message);
      else if (error instanceof TooDeepError) this.#reject(offset, error.message);
      else throw error;
    }
  }

  #reject(offset: number, reason: string): void {
    this.#rejects += 1;
    this.#sink.reject(`${this.#place.name}byte ${this.#place.offset + offset}`, reason);
  }
}
