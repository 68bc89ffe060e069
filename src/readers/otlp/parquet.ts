import { gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { PostmortemError } from '../../error.js';
import { collect } from '../input/bytes.js';
import type { ReaderInput, RecordSink } from '../reader.js';
import { isOtelTable, spanFromRow } from './clickhouse-row.js';
import { unlz4 } from './lz4.js';
import type { SpanWindow } from './span-window.js';

/** Parquet is read from its end, so all of it is held. */
const MAX_FILE_BYTES = 256 * 2 ** 20;
/** A page that claims to unpack to more is refused. */
const MAX_PAGE_BYTES = 256 * 2 ** 20;

const COLUMNS = [
  'Timestamp',
  'TraceId',
  'SpanId',
  'ParentSpanId',
  'TraceState',
  'SpanName',
  'SpanKind',
  'ServiceName',
  'ResourceAttributes',
  'ScopeName',
  'SpanAttributes',
  'LogAttributes',
  'Duration',
  'StatusCode',
  'StatusMessage',
  'Events.Name',
  'Events.Attributes',
];

/**
 * Reads a Parquet export of the ClickHouse exporter's tables, a row group at a time.
 * @throws PostmortemError `input-unreadable` when it is another table or not whole, `input-limit` when it is too large
 */
export async function readParquet(input: ReaderInput, sink: RecordSink, window: SpanWindow): Promise<void> {
  const bytes = await collect(input.chunks(), MAX_FILE_BYTES);
  if (bytes === null) {
    throw new PostmortemError(
      'input-limit',
      `${input.path}: a Parquet file of more than ${MAX_FILE_BYTES} bytes`,
      'Export fewer rows at a time, or `FORMAT JSONEachRow`, which is read as a stream.',
    );
  }
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const buffer = toArrayBuffer(bytes);
  const unreadable = (cause: unknown): PostmortemError =>
    new PostmortemError(
      'input-unreadable',
      `${input.path}: a Parquet file that cannot be read`,
      'Check that it was copied whole; `FORMAT JSONEachRow` is read even when it is cut.',
      { cause },
    );
  let metadata: ReturnType<typeof parquetMetadata>;
  let columns: string[];
  try {
    metadata = parquetMetadata(buffer);
    columns = parquetSchema(metadata).children.map((child) => child.element.name);
  } catch (error) {
    throw unreadable(error);
  }
  if (!isOtelTable(columns)) {
    throw new PostmortemError(
      'input-unknown-format',
      `${input.path}: a Parquet file of another table (columns ${columns.slice(0, 8).join(', ')})`,
      'Parquet files are read when they hold rows of otel_traces.',
    );
  }
  const wanted = COLUMNS.filter((column) => columns.includes(column));
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    try {
      const file = { byteLength: buffer.byteLength, slice: (from: number, to?: number) => buffer.slice(from, to) };
      const rows = await parquetReadObjects({
        file,
        metadata,
        columns: wanted,
        rowStart: start,
        rowEnd: end,
        compressors: COMPRESSORS,
        parsers: PARSERS,
      });
      rows.forEach((row, index) => {
        window.add(spanFromRow(row, `row ${start + index + 1}`));
      });
    } catch (error) {
      if (start === 0 && window.records === 0) throw unreadable(error);
      window.reject(`row ${start + 1}`, `rows to ${end} cannot be unpacked`);
    }
    start = end;
  }
  sink.progress(bytes.length);
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
}

/** Times keep their nanoseconds: as digits, which is how rows carry them elsewhere. */
const PARSERS = {
  timestampFromMilliseconds: (millis: bigint) => String(millis * 1_000_000n),
  timestampFromMicroseconds: (micros: bigint) => String(micros * 1000n),
  timestampFromNanoseconds: (nanos: bigint) => String(nanos),
};

const COMPRESSORS = {
  ZSTD: (packed: Uint8Array, length: number) => decompress(packed, new Uint8Array(limited(length))),
  GZIP: (packed: Uint8Array, length: number) =>
    new Uint8Array(gunzipSync(packed, { maxOutputLength: limited(length) })),
  LZ4_RAW: (packed: Uint8Array, length: number) => unlz4(packed, limited(length)),
};

function limited(length: number): number {
  if (length > MAX_PAGE_BYTES) throw new Error(`a page of ${length} bytes`);
  return length;
}
