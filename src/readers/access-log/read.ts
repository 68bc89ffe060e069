import { JsonFramer } from '../input/json-frames.js';
import { forEachLine, type LineBlock, lineBlocks } from '../input/lines.js';
import { HEAD_BYTES, peekText } from '../input/sniff.js';
import type { ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import type { Capture, EventRecord, Evidence, ExchangeRecord, MessageRecord, ToolRecord } from '../record.js';
import { zoneOffset } from '../zone.js';
import type { Dialect } from './dialect.js';
import { ExchangeBuilder } from './exchange.js';
import { formatPattern } from './format-string.js';
import { JsonMap } from './json-map.js';
import { LineReader, type LineSink } from './line-reader.js';
import { otherLines } from './other-lines.js';
import { Timing } from './timing.js';

const NO_EVENTS: readonly EventRecord[] = [];
const NO_MESSAGES: readonly MessageRecord[] = [];
const NO_TOOLS: readonly ToolRecord[] = [];
/** Arrays of records in documents that are no lines: a list of its own, Azure's envelope, `gcloud`'s pages. */
const DOCUMENT_PATHS = [[], ['records'], ['entries']] as const;
const EVIDENCE_ORDER: readonly Evidence[] = [
  'request-headers',
  'response-headers',
  'status',
  'end-state',
  'backend',
  'principal',
];

interface Counts {
  readonly format: string;
  lines: number;
  exchanges: number;
}

/** Hands exchanges on and keeps count of what the lines were. */
class Tally implements LineSink {
  records = 0;
  companions = 0;
  readonly #counts = new Map<Dialect, Counts>();
  #last: Counts = { format: '', lines: 0, exchanges: 0 };
  #lastDialect: Dialect | null = null;

  constructor(readonly sink: RecordSink) {}

  /** Format of most MCP lines, or of most lines; null: none was read. */
  format(): string | null {
    const sorted = [...this.#counts.values()].sort((a, b) => b.exchanges - a.exchanges || b.lines - a.lines);
    return sorted[0]?.format ?? null;
  }

  /** Lines that an access log holds, whatever they are about. */
  get lines(): number {
    return [...this.#counts.values()].reduce((sum, { lines }) => sum + lines, 0);
  }

  #countsOf(dialect: Dialect): Counts {
    if (dialect === this.#lastDialect) return this.#last;
    let counts = this.#counts.get(dialect);
    if (counts === undefined) {
      counts = { format: dialect.format, lines: 0, exchanges: 0 };
      this.#counts.set(dialect, counts);
    }
    this.#lastDialect = dialect;
    this.#last = counts;
    return counts;
  }

  exchange(exchange: ExchangeRecord, dialect: Dialect): void {
    this.records += 1;
    const counts = this.#countsOf(dialect);
    counts.lines += 1;
    counts.exchanges += 1;
    const capture: Capture = { exchange, events: NO_EVENTS, messages: NO_MESSAGES, tools: NO_TOOLS };
    this.sink.capture(capture);
  }

  skip(dialect: Dialect | null): void {
    this.records += 1;
    if (dialect !== null) this.#countsOf(dialect).lines += 1;
    this.sink.skip(1);
  }

  reject(locator: string, reason: string): void {
    this.records += 1;
    this.sink.reject(locator, reason);
  }

  companion(record: Parameters<RecordSink['companion']>[0]): void {
    this.records += 1;
    this.companions += 1;
    this.sink.companion(record);
  }
}

/** What the first bytes of a file turn out to be. */
export interface Recognition {
  /** Format of most lines; null: no line of an access log. */
  readonly format: string | null;
  /** Share of the lines that could be read. */
  readonly share: number;
}

const NO_SINK: RecordSink = {
  capture: () => {},
  companion: () => {},
  reject: () => {},
  skip: () => {},
  duplicate: () => {},
  progress: () => {},
};

/** Reads the head as if it were the file, and says what came of it. */
export function recogniseLog(head: Uint8Array, options: ReaderOptions): Recognition {
  const session = new LogSession(options);
  const tally = session.rehearse(head);
  return { format: tally.format(), share: tally.records === 0 ? 0 : tally.lines / tally.records };
}

/** Reads a whole access log. `format` is what it is called when no line of it can be read. */
export async function readLog(
  input: ReaderInput,
  sink: RecordSink,
  options: ReaderOptions,
  format: string,
): Promise<ReadSummary> {
  const session = new LogSession(options);
  // Which paths are MCP endpoints, and which columns hold sessions, is known better after a look ahead.
  session.rehearse(input.head);
  const tally = new Tally(sink);
  session.reader.restart(tally);
  if (isDocument(input.head)) await readDocument(input, session.reader, tally);
  else await readLines(input, session.reader, tally);
  return {
    format: tally.format() ?? format,
    producer: null,
    vantage: session.builder.vantage,
    records: tally.records,
    evidence: session.evidence(tally),
    warnings: session.warnings(),
  };
}

async function readLines(input: ReaderInput, reader: LineReader, tally: Tally): Promise<void> {
  const blocks = lineBlocks(input.chunks(), ({ line, bytes }) => {
    tally.reject(`line ${line}`, `a line of ${bytes} bytes: too long`);
  });
  for await (const block of blocks) {
    forEachLine(block, (from, to, line, isCut) => {
      reader.read(block.bytes, from, to, line, isCut);
    });
    tally.sink.progress(block.offset + block.bytes.length);
  }
}

async function readDocument(input: ReaderInput, reader: LineReader, tally: Tally): Promise<void> {
  const framer = new JsonFramer(DOCUMENT_PATHS);
  let offset = 0;
  for await (const chunk of input.chunks()) {
    readElements(framer.push(chunk), reader);
    offset += chunk.length;
    tally.sink.progress(offset);
  }
  readElements(framer.end().elements, reader);
}

function readElements(elements: ReturnType<JsonFramer['push']>, reader: LineReader): void {
  for (const { index, bytes, reason } of elements) {
    const locator = `record ${index + 1}`;
    if (bytes === null) reader.sink.reject(locator, reason ?? 'cannot be read');
    else reader.readRecord(bytes, locator);
  }
}

/** Whether the file is one JSON document over several lines, or a list too long for a line, and not a record a line. */
function isDocument(head: Uint8Array): boolean {
  const text = peekText(head).trimStart();
  const lineEnd = text.indexOf('\n');
  const line = (lineEnd < 0 ? text : text.slice(0, lineEnd)).trim();
  if (/^(?:\[|\{|\[\s*\{)$/.test(line)) return true;
  return lineEnd < 0 && head.length >= HEAD_BYTES && /^(?:\[\s*\{|\{\s*"(?:records|entries)"\s*:\s*\[)/.test(line);
}

/** One file: the builder of exchanges and the reader of lines, which both learn as they go. */
class LogSession {
  readonly builder: ExchangeBuilder;
  readonly reader: LineReader;
  readonly #zone: string | null;

  constructor(options: ReaderOptions) {
    this.#zone = options.zone;
    const zone = options.zone === null ? () => 0 : zoneOffset(options.zone);
    this.builder = new ExchangeBuilder(options.vantage ?? 'proxy', new Timing(zone));
    const given = options.logFormat === null ? null : formatPattern(options.logFormat);
    const map = options.map === null ? null : new JsonMap(options.map);
    this.reader = new LineReader(this.builder, new Tally(NO_SINK), given, map, otherLines(zone));
  }

  /** Reads the head for what it teaches. */
  rehearse(head: Uint8Array): Tally {
    const tally = new Tally(NO_SINK);
    this.reader.restart(tally);
    const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
    if (isDocument(head)) readElements(new JsonFramer(DOCUMENT_PATHS).push(bytes), this.reader);
    else {
      const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
      const lastEnd = head.length < HEAD_BYTES ? head.length : bytes.lastIndexOf(10) + 1;
      const block: LineBlock = { bytes: bytes.subarray(start, lastEnd), offset: 0, firstLine: 1, cut: false };
      forEachLine(block, (from, to, line, isCut) => {
        this.reader.read(block.bytes, from, to, line, isCut);
      });
    }
    return tally;
  }

  evidence(tally: Tally): Evidence[] {
    const found = this.builder.evidence;
    return EVIDENCE_ORDER.filter((item) => found.has(item) || (item === 'end-state' && tally.companions > 0));
  }

  warnings(): string[] {
    const warnings: string[] = [];
    if (this.builder.timing.sawUnzoned && this.#zone === null) {
      warnings.push('times carry no zone and were read as UTC; give --zone if the proxy wrote local time');
    }
    if (this.builder.timing.sawWildTime) warnings.push('times outside 1970 to 2262 were dropped');
    if (this.reader.haproxy.ambiguous > 0) {
      warnings.push(
        'lines with one {…} only: it may be of the request or of the response, so its values were not used; capture headers of both',
      );
    }
    return warnings;
  }
}
