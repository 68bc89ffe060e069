import { forEachLine, lineBlocks } from '../input/lines.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { isObject } from './any-value.js';
import { isOtelTable, spanFromRow } from './clickhouse-row.js';
import { fromClickhouseText } from './clickhouse-text.js';
import { CsvRows } from './csv.js';
import { readDocuments } from './documents.js';
import { headKeys, headText, RECOGNISED_BYTES } from './head.js';
import type { SpanSink } from './json-spans.js';
import { MarkScanner } from './marks.js';
import { readParquet } from './parquet.js';
import { parseBytes } from './parse.js';
import { SpanWindow, summaryOf } from './span-window.js';

const FORMAT = 'clickhouse-rows';

/** Rows of the ClickHouse exporter's tables: JSONEachRow, JSON, CSVWithNames, Parquet. */
export const clickhouseReader: FormatReader = {
  format: FORMAT,
  recognise(head) {
    if (isParquet(head)) return 0.5;
    const text = headText(head.subarray(0, RECOGNISED_BYTES));
    if (text.startsWith('{') || text.startsWith('[')) {
      const keys = headKeys(text, 2);
      const inData = keys.filter((key) => key.startsWith('data.')).map((key) => key.slice('data.'.length));
      return isOtelTable(keys) || isOtelTable(inData) ? 0.95 : 0;
    }
    return csvHeader(text) === null ? 0 : 0.95;
  },
  read(input, sink, options) {
    const text = headText(input.head.subarray(0, RECOGNISED_BYTES));
    if (isParquet(input.head)) return readWindow(sink, options, (window) => readParquet(input, sink, window));
    if (!/^[{[]/.test(text)) return readWindow(sink, options, (window) => readCsv(input, sink, window));
    if (text.startsWith('{') && isOtelTable(headKeys(text, 1)))
      return readWindow(sink, options, (window) => readRows(input, sink, window));
    return readDocuments(FORMAT, input, sink, options, { arrays: [['data'], []], walk: walkRow });
  },
};

async function readWindow(
  sink: RecordSink,
  options: ReaderOptions,
  read: (window: SpanWindow) => Promise<void>,
): Promise<ReadSummary> {
  const window = new SpanWindow(sink, options);
  await read(window);
  window.flush();
  return summaryOf(FORMAT, window);
}

function isParquet(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x41 && head[2] === 0x52 && head[3] === 0x31;
}

/** Columns of a CSV header of one of the tables; null: something else. */
function csvHeader(text: string): readonly string[] | null {
  const [columns] = new CsvRows().push(`${text.split('\n', 1)[0] ?? ''}\n`);
  return columns !== undefined && columns !== null && isOtelTable(columns) ? columns : null;
}

/** Not read are rows without a mark; they are one span each. */
async function readRows(input: ReaderInput, sink: RecordSink, window: SpanWindow): Promise<void> {
  const onOverlong = ({ line, bytes }: { line: number; bytes: number }): void =>
    window.reject(`line ${line}`, `${bytes} bytes in one line`);
  for await (const block of lineBlocks(input.chunks(), onOverlong)) {
    const marks = new MarkScanner(block.bytes, window.endpoints);
    forEachLine(block, (start, end, line) => {
      if (end <= start) return;
      if (block.bytes[end - 1] === 0x7d && !marks.has(start, end)) {
        window.skip(1);
        return;
      }
      const parsed = parseBytes(block.bytes, start, end);
      if (!parsed.ok) window.reject(`line ${line}`, parsed.reason);
      else if (!walkRow(parsed.value, `line ${line}`, window)) window.skip(1);
    });
    sink.progress(block.offset + block.bytes.length);
  }
}

function walkRow(row: unknown, place: string, sink: SpanSink): boolean {
  if (!isObject(row) || !isOtelTable(Object.keys(row))) return false;
  sink.add(spanFromRow(row, place));
  return true;
}

async function readCsv(input: ReaderInput, sink: RecordSink, window: SpanWindow): Promise<void> {
  const decoder = new TextDecoder();
  const csv = new CsvRows();
  let columns: readonly string[] | null = null;
  let rowNumber = 0;
  let bytes = 0;
  const take = (rows: readonly (string[] | null)[]): void => {
    for (const row of rows) {
      rowNumber += 1;
      if (columns === null) columns = row ?? [];
      else readCsvRow(columns, row, `row ${rowNumber}`, window);
    }
  };
  for await (const chunk of input.chunks()) {
    take(csv.push(decoder.decode(chunk, { stream: true })));
    bytes += chunk.length;
    sink.progress(bytes);
  }
  const { rows, cut } = csv.end();
  if (!cut) take(rows);
  else window.reject(`row ${rowNumber + 1}`, 'the file ends inside a quoted field');
}

function readCsvRow(
  columns: readonly string[],
  row: readonly string[] | null,
  place: string,
  window: SpanWindow,
): void {
  if (row === null) window.reject(place, 'the row is too long');
  else if (row.length !== columns.length) {
    window.reject(place, `${row.length} fields instead of ${columns.length}`);
  } else {
    const named = Object.fromEntries(columns.map((column, index) => [column, fromClickhouseText(row[index] ?? '')]));
    window.add(spanFromRow(named, place));
  }
}
