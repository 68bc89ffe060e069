import { MAX_DEPTH } from '../input/limits.js';
import type { CompanionRecord, ExchangeRecord } from '../record.js';
import { albForm } from './alb.js';
import { CloudfrontForm } from './cloudfront.js';
import type { Dialect } from './dialect.js';
import type { ExchangeBuilder } from './exchange.js';
import { HaproxyForm } from './haproxy.js';
import { inferText } from './infer-text.js';
import { JsonLines, recordsOf } from './json-lines.js';
import type { JsonMap } from './json-map.js';
import type { JsonObject } from './json-value.js';
import type { LineForm } from './line-form.js';
import { matchPattern, type Pattern } from './pattern.js';
import { Row, ScratchRow, SLOT } from './slot.js';
import { Unwrapper } from './unwrap.js';

/** What becomes of the lines. */
export interface LineSink {
  exchange(exchange: ExchangeRecord, dialect: Dialect): void;
  /** Well formed and not MCP, or known and no access log. `dialect` null: the latter. */
  skip(dialect: Dialect | null): void;
  reject(locator: string, reason: string): void;
  companion(record: CompanionRecord): void;
}

/** Reads a line that is no access log's but a known one's all the same; null: unknown. */
export type OtherLines = (line: string, locator: string) => CompanionRecord | 'skip' | null;

const MAX_PATTERNS = 32;
const CUT = 'the file ends within this line';
const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;
const MESSAGE_KEYS = ['message', 'log', 'MESSAGE', 'textPayload', 'msg'];
const WHOLE_MSEC = /^\d{9,11}\.\d{3}$/;
const MAX_TEXT_LINE = 65_536;
const OPEN_BRACE = 123;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const HASH = 35;

/** Reads the lines of one file, whatever mixture of layouts it holds. What it learns from one line helps with the next. */
export class LineReader {
  readonly haproxy = new HaproxyForm();
  readonly #forms: readonly LineForm[] = [this.haproxy, albForm, new CloudfrontForm()];
  #unwrapper = new Unwrapper();
  readonly #row = new Row();
  readonly #scratch = new ScratchRow();
  readonly #json: JsonLines;
  #patterns: Pattern[] = [];
  #current: Pattern | null = null;
  #searched: Buffer | null = null;
  #searchedFor = 0;
  #searchedFrom = 0;
  #foundAt = 0;

  constructor(
    readonly builder: ExchangeBuilder,
    public sink: LineSink,
    readonly given: Pattern | null,
    map: JsonMap | null,
    readonly others: OtherLines,
  ) {
    this.#json = new JsonLines(map);
  }

  /** Starts again at the top of the file, with what was learned so far. */
  restart(sink: LineSink): void {
    this.sink = sink;
    this.#unwrapper = new Unwrapper();
  }

  /** @param isCut the input ends within this line, perhaps */
  read(bytes: Buffer, from: number, to: number, line: number, isCut: boolean): void {
    if (from === to) return;
    if (!this.#unwrapper.unwrap(bytes, from, to)) return;
    const inner = this.#unwrapper.line;
    if (this.given !== null) {
      if (this.#tryPattern(this.given, inner.bytes, inner.from, inner.to, line, isCut)) return;
      const isWrapped = inner.bytes !== bytes || inner.from !== from;
      if (isWrapped && this.#tryPattern(this.given, bytes, from, to, line, isCut)) return;
    }
    this.#readInner(inner.bytes, inner.from, inner.to, line, isCut);
  }

  /** Reads one record of a JSON document. */
  readRecord(bytes: Buffer, locator: string): void {
    const record = parseLine(bytes, 0, bytes.length);
    if (typeof record === 'string') this.sink.reject(locator, record);
    else this.#readRecords(record.value, locator);
  }

  #readInner(bytes: Buffer, start: number, end: number, line: number, isCut: boolean): void {
    let from = start;
    let to = end;
    while (from < to && bytes[from]! <= 32) from += 1;
    while (to > from && bytes[to - 1]! <= 32) to -= 1;
    if (from === to) return;
    const isJson = bytes[from] === OPEN_BRACE || (bytes[from] === OPEN_BRACKET && isJsonArray(bytes, from + 1));
    const patterns = this.#patterns;
    for (let index = 0; index < patterns.length; index += 1) {
      if (!this.#tryPattern(patterns[index]!, bytes, from, to, line, isCut)) continue;
      if (index > 0) {
        const [pattern] = patterns.splice(index, 1);
        patterns.unshift(pattern!);
      }
      return;
    }
    if (isJson) this.#readJson(bytes, from, to, line, isCut);
    else this.#readText(bytes, from, to, line, isCut);
  }

  /** Whether the line has this layout; then it is dealt with. */
  #tryPattern(pattern: Pattern, bytes: Buffer, from: number, to: number, line: number, isCut: boolean): boolean {
    const row = this.#row;
    if (pattern !== this.#current) {
      row.clear();
      this.#current = pattern;
    }
    if (!matchPattern(pattern, bytes, from, to, row)) return false;
    row.bytes = bytes;
    row.escape = pattern.escape;
    row.blank = pattern.blank;
    const mark = pattern.escape === 'haproxy' ? HASH : BACKSLASH;
    row.escaped = pattern.escape !== 'none' && this.#holds(bytes, from, to, mark);
    if (isCut && endsInTime(pattern) && !WHOLE_MSEC.test(bytes.toString('latin1', row.from[SLOT.timeEnd], to))) {
      this.sink.reject(`line ${line}`, CUT);
    } else if (row.carries(SLOT.captures)) {
      this.haproxy.spread(row, this.#scratch);
      this.#emit(this.#scratch, pattern.dialect, `line ${line}`);
    } else this.#emit(row, pattern.dialect, `line ${line}`);
    return true;
  }

  #readJson(bytes: Buffer, from: number, to: number, line: number, isCut: boolean): void {
    const locator = `line ${line}`;
    const parsed = parseLine(bytes, from, to);
    if (typeof parsed !== 'string') {
      const records = this.#readRecords(parsed.value, locator);
      if (records.length === 1 && !Array.isArray(parsed.value)) this.#learn(bytes, from, to, records[0]!);
      return;
    }
    if (isCut) this.sink.reject(locator, CUT);
    else if (parsed === TOO_DEEP || to - from > MAX_TEXT_LINE || !this.#learn(bytes, from, to, null))
      this.sink.reject(locator, parsed);
    else if (!this.#tryPattern(this.#patterns[0]!, bytes, from, to, line, isCut)) this.sink.reject(locator, parsed);
  }

  #readRecords(value: unknown, locator: string): readonly JsonObject[] {
    const records = recordsOf(value);
    if (records.length === 0) this.sink.reject(locator, 'JSON without a record of an access log');
    records.forEach((record, index) => {
      const place = records.length === 1 ? locator : `${locator}, record ${index + 1}`;
      const dialect = this.#json.fill(record, this.#scratch);
      if (dialect !== null) this.#emit(this.#scratch, dialect, place);
      else if (!this.#readMessage(record, place))
        this.#readOther(JSON.stringify(record), place, 'JSON whose keys are not those of a known access log');
    });
    return records;
  }

  /** A shipper's record around a line of text: `{"message":"…"}`. */
  #readMessage(record: JsonObject, locator: string): boolean {
    const text = MESSAGE_KEYS.map((key) => (Object.hasOwn(record, key) ? record[key] : null)).find(isLine);
    if (text === undefined) return false;
    const inner = Buffer.from(text.trimEnd());
    const line = Number(/^line (\d+)/.exec(locator)?.[1] ?? 0);
    if (!this.#unwrapper.unwrap(inner, 0, inner.length)) return true;
    const { bytes, from, to } = this.#unwrapper.line;
    this.#readInner(bytes, from, to, line, false);
    return true;
  }

  #learn(bytes: Buffer, from: number, to: number, record: JsonObject | null): boolean {
    if (to - from > MAX_TEXT_LINE) return false;
    const pattern = this.#json.pattern(bytes.toString('latin1', from, to), record);
    if (pattern !== null) this.#remember(pattern);
    return pattern !== null;
  }

  #readText(bytes: Buffer, from: number, to: number, line: number, isCut: boolean): void {
    const locator = `line ${line}`;
    if (to - from > MAX_TEXT_LINE) {
      this.sink.reject(locator, `a line of ${to - from} bytes of no known layout`);
      return;
    }
    const text = bytes.toString('latin1', from, to);
    for (const form of this.#forms) {
      const outcome = form.read(text, this.#scratch);
      if (outcome === null) continue;
      if (outcome === 'row') this.#emit(this.#scratch, form.dialect, locator);
      else if (outcome === 'skip') this.sink.skip(null);
      else this.sink.reject(locator, outcome.reject);
      return;
    }
    const pattern = this.given === null ? inferText(text) : null;
    if (pattern !== null && !(isCut && this.#patterns.length > 0)) {
      this.#remember(pattern);
      if (this.#tryPattern(pattern, bytes, from, to, line, isCut)) return;
    }
    this.#readOther(text, locator, isCut ? CUT : 'not a line of a known access log');
  }

  #readOther(text: string, locator: string, reason: string): void {
    const other = this.others(text, locator);
    if (other === null) this.sink.reject(locator, reason);
    else if (other === 'skip') this.sink.skip(null);
    else this.sink.companion(other);
  }

  #emit(row: Row, dialect: Dialect, locator: string): void {
    const time = this.#unwrapper.line.time;
    if (time !== null && !hasTime(row)) {
      if (row !== this.#scratch) this.#scratch.copy(row);
      this.#scratch.put(SLOT.wrapperTime, time);
      this.#build(this.#scratch, dialect, locator);
    } else this.#build(row, dialect, locator);
  }

  #build(row: Row, dialect: Dialect, locator: string): void {
    const exchange = this.builder.build(row, dialect, locator);
    if (exchange !== null) this.sink.exchange(exchange, dialect);
    else if (this.builder.reason === null) this.sink.skip(dialect);
    else this.sink.reject(locator, this.builder.reason);
  }

  /** Whether a byte is in the line. Most blocks do not hold it at all: one native search answers for all their lines. */
  #holds(bytes: Buffer, from: number, to: number, byte: number): boolean {
    if (bytes !== this.#searched || byte !== this.#searchedFor || from < this.#searchedFrom || from > this.#foundAt) {
      this.#searched = bytes;
      this.#searchedFor = byte;
      this.#searchedFrom = from;
      const found = bytes.indexOf(byte, from);
      this.#foundAt = found < 0 ? bytes.length : found;
    }
    return this.#foundAt < to;
  }

  #remember(pattern: Pattern): void {
    this.#patterns.unshift(pattern);
    if (this.#patterns.length > MAX_PATTERNS) this.#patterns.pop();
  }
}

/** A line whose last value is `$msec` looks whole when it is cut within it, and the time is another one. */
function endsInTime(pattern: Pattern): boolean {
  return pattern.parts.at(-1)?.slot === SLOT.timeEnd && pattern.parts.at(-1)?.after.length === 0;
}

/** Text that can be a line of a log, and not a record within a record without end. */
function isLine(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\{.*"(?:status|response_code|DownstreamStatus|method|sid)"|" \d{3} |\] \S+ \S+\/\S+ /s.test(value.slice(0, 4096))
  );
}

function hasTime(row: Row): boolean {
  return row.carries(SLOT.timeStart) || row.carries(SLOT.timeEnd) || row.carries(SLOT.timeEndCoarse);
}

/** `[{`, `[ {` or `[]`: not `[2026-…]`. */
function isJsonArray(bytes: Buffer, from: number): boolean {
  let at = from;
  while (bytes[at] === 32) at += 1;
  return bytes[at] === OPEN_BRACE || bytes[at] === 93;
}

/** The value of a line, or why it is none. */
function parseLine(bytes: Buffer, from: number, to: number): { readonly value: unknown } | string {
  if (to - from > 2 * MAX_DEPTH && depth(bytes, from, to) > MAX_DEPTH) return TOO_DEEP;
  try {
    return { value: JSON.parse(bytes.toString('utf8', from, to)) };
  } catch {
    return 'not JSON';
  }
}

function depth(bytes: Buffer, from: number, to: number): number {
  let open = 0;
  let deepest = 0;
  let isString = false;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at];
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === 34) isString = false;
    } else if (byte === 34) isString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open += 1;
      if (open > deepest) deepest = open;
    } else if (byte === 125 || byte === 93) open -= 1;
  }
  return deepest;
}
