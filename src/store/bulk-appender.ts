import { type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk, DuckDBTypeId } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { encodeStrings } from './string-column.js';

/*
 * Rows into a table as fast as DuckDB takes them. The appender of node-api makes one native call for each cell
 * (0.26 million exchange rows a second); here rows wait until a vector is full, and each column then goes over in two
 * copies: its values and its validity bits. A column that holds one value throughout costs one call: most columns of
 * a log line are always null.
 */

export type Cell = string | number | bigint | boolean | null;

/** DuckDB's vector size: what a data chunk holds. */
const ROWS = 2048;
/** Rows with long texts wait in memory for the vector to fill: not beyond this many characters. */
const MAX_WAITING_TEXT = 16 * 2 ** 20;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

type Encode = (vector: duckdb.Vector, values: readonly Cell[], count: number) => void;

export class BulkAppender {
  readonly #appender: DuckDBAppender;
  readonly #chunk: DuckDBDataChunk;
  readonly #encoders: readonly Encode[];
  readonly #values: Cell[] = new Array<Cell>(ROWS).fill(null);
  readonly #rows: (readonly Cell[])[] = [];
  readonly #nullValue = duckdb.create_null_value();
  #waitingText = 0;

  private constructor(appender: DuckDBAppender) {
    const types = Array.from({ length: appender.columnCount }, (_, index) => appender.columnType(index));
    this.#appender = appender;
    this.#chunk = DuckDBDataChunk.create(types);
    this.#encoders = types.map((type) => encoderOf(type.typeId));
  }

  static async open(connection: DuckDBConnection, table: string): Promise<BulkAppender> {
    return new BulkAppender(await connection.createAppender(table));
  }

  /** One row, cells in the order of the columns. Numbers that the column cannot hold become null. */
  append(cells: readonly Cell[], textLength = 0): void {
    this.#rows.push(cells);
    this.#waitingText += textLength;
    if (this.#rows.length === ROWS || this.#waitingText > MAX_WAITING_TEXT) this.#flushChunk();
  }

  /** Hands everything to the table of the open transaction. */
  close(): void {
    if (this.#rows.length > 0) this.#flushChunk();
    this.#appender.closeSync();
  }

  #flushChunk(): void {
    const count = this.#rows.length;
    duckdb.data_chunk_reset(this.#chunk.chunk);
    duckdb.data_chunk_set_size(this.#chunk.chunk, count);
    for (let column = 0; column < this.#encoders.length; column++) this.#flushColumn(column, count);
    this.#appender.appendDataChunk(this.#chunk);
    this.#rows.length = 0;
    this.#waitingText = 0;
  }

  #flushColumn(column: number, count: number): void {
    const values = this.#values;
    const rows = this.#rows;
    const first = rows[0]![column]!;
    let uniform = true;
    for (let row = 0; row < count; row++) {
      const value = rows[row]![column]!;
      values[row] = value;
      if (value !== first) uniform = false;
    }
    const vector = duckdb.data_chunk_get_vector(this.#chunk.chunk, column);
    const constant = uniform ? this.#constant(first) : null;
    if (constant === null) this.#encoders[column]!(vector, values, count);
    else duckdb.vector_reference_value(vector, constant);
  }

  /** A value that a whole vector can refer to; null: it has to be written out. */
  #constant(value: Cell): duckdb.Value | null {
    if (value === null) return this.#nullValue;
    if (typeof value === 'boolean') return duckdb.create_bool(value);
    // create_varchar ends at a NUL.
    return typeof value === 'string' && !value.includes('\0') ? duckdb.create_varchar(value) : null;
  }
}

const validityWords = new Uint32Array(ROWS / 32);

/** Marks the rows that are null. */
function writeValidity(vector: duckdb.Vector, nullRows: Uint8Array, count: number): void {
  validityWords.fill(0xffff_ffff);
  for (let row = 0; row < count; row++) {
    if (nullRows[row] === 1) validityWords[row >> 5]! &= ~(1 << (row & 31));
  }
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, validityWords.buffer, 0, validityWords.byteLength);
}

const nullRows = new Uint8Array(ROWS);

/** Encoder of a column of fixed width: `put` stores a value and says whether the type can hold it. */
function fixedWidth(bytes: Uint8Array<ArrayBuffer>, width: number, put: (row: number, value: Cell) => boolean): Encode {
  return (vector, values, count) => {
    let anyNull = false;
    for (let row = 0; row < count; row++) {
      const value = values[row]!;
      const stored = value !== null && put(row, value);
      nullRows[row] = stored ? 0 : 1;
      if (!stored) anyNull = true;
    }
    duckdb.copy_data_to_vector(vector, 0, bytes.buffer, 0, count * width);
    if (anyNull) writeValidity(vector, nullRows, count);
  };
}

function bigintEncoder(): Encode {
  const items = new BigInt64Array(ROWS);
  const halves = new Int32Array(items.buffer);
  return fixedWidth(new Uint8Array(items.buffer), 8, (row, value) => {
    if (typeof value === 'bigint') {
      if (value > MAX_INT64 || value < MIN_INT64) return false;
      items[row] = value;
      return true;
    }
    if (!Number.isSafeInteger(value)) return false;
    const number = value as number;
    const high = Math.floor(number / 2 ** 32);
    halves[2 * row] = number - high * 2 ** 32;
    halves[2 * row + 1] = high;
    return true;
  });
}

function integerEncoder(): Encode {
  const items = new Int32Array(ROWS);
  return fixedWidth(new Uint8Array(items.buffer), 4, (row, value) => {
    items[row] = value as number;
    return items[row] === value;
  });
}

function doubleEncoder(): Encode {
  const items = new Float64Array(ROWS);
  return fixedWidth(new Uint8Array(items.buffer), 8, (row, value) => {
    items[row] = value as number;
    return typeof value === 'number';
  });
}

function booleanEncoder(): Encode {
  const items = new Uint8Array(ROWS);
  return fixedWidth(items, 1, (row, value) => {
    items[row] = value === true ? 1 : 0;
    return typeof value === 'boolean';
  });
}

function varcharEncoder(): Encode {
  return (vector, values, count) => {
    encodeStrings(vector, values as readonly (string | null)[], count);
    let anyNull = false;
    for (let row = 0; row < count; row++) {
      const isNull = values[row] === null;
      nullRows[row] = isNull ? 1 : 0;
      if (isNull) anyNull = true;
    }
    if (anyNull) writeValidity(vector, nullRows, count);
  };
}

function encoderOf(typeId: DuckDBTypeId): Encode {
  switch (typeId) {
    case DuckDBTypeId.BIGINT:
      return bigintEncoder();
    case DuckDBTypeId.INTEGER:
      return integerEncoder();
    case DuckDBTypeId.DOUBLE:
      return doubleEncoder();
    case DuckDBTypeId.BOOLEAN:
      return booleanEncoder();
    case DuckDBTypeId.VARCHAR:
      return varcharEncoder();
    default:
      throw new TypeError(`the tables use no column of type ${DuckDBTypeId[typeId]}`);
  }
}
