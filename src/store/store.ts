import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBValue } from '@duckdb/node-api';
import { JSDuckDBValueConverter } from '@duckdb/node-api';
import { PostmortemError } from '../error.js';
import { Door } from '../readers/door.js';
import type { ReadSummary, RecordSink } from '../readers/reader.js';
import { joinAliases, writeSessions } from './sessions.js';
import { type SourceCounts, SourceWriter } from './source-writer.js';

/** A value of a result: BIGINT is a bigint, INTEGER and DOUBLE are numbers, a list is an array. */
export type SqlValue = string | number | bigint | boolean | null | readonly SqlValue[];
export type Row = Readonly<Record<string, SqlValue>>;
export type Parameters = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** An input as it lies on disk. */
export interface SourceMeta {
  /** As given on the command line; archive members as `archive.zip!member`. */
  readonly path: string;
  /** Hex, of the bytes on disk. */
  readonly sha256: string;
  readonly bytes: number;
}

export type SourceOutcome =
  | { readonly kind: 'read'; readonly sourceId: number; readonly summary: ReadSummary }
  /** The same bytes are in the store already, under the path `of`. */
  | { readonly kind: 'duplicate'; readonly of: string };

/** Bytes of a result that a person asked for, about. */
const LARGEST_TABLE = 200_000_000;

/** The database: what the readers found, and every relation derived from it. */
export class Store {
  /** Whether derived relations are temporary: nobody can, or will, read them later. */
  readonly #derivesTemporary: boolean;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #onClose: (() => void)[];
  readonly #door = new Door();
  /** The door lists sessions in the order in which it met them. */
  #sessionsWritten = 0;
  #closed = false;

  constructor(instance: DuckDBInstance, connection: DuckDBConnection, derivesTemporary: boolean, onClose: () => void) {
    this.#instance = instance;
    this.#connection = connection;
    this.#derivesTemporary = derivesTemporary;
    this.#onClose = [onClose];
  }

  /**
   * Reads one source in one transaction: all of it and its `source` row, or nothing.
   * @throws whatever `read` throws, after the transaction is rolled back.
   */
  async source(meta: SourceMeta, read: (sink: RecordSink) => Promise<ReadSummary>): Promise<SourceOutcome> {
    const twin = await this.rows<{ path: string }>('select path from source where sha256 = $sha256', {
      sha256: meta.sha256,
    });
    if (twin[0] !== undefined) return { kind: 'duplicate', of: twin[0].path };
    const last = await this.rows<{ id: number | null }>('select max(source_id) as id from source');
    const sourceId = (last[0]?.id ?? 0) + 1;
    return this.transaction(async () => {
      const writer = await SourceWriter.open(this.#connection, this.#door, sourceId);
      const summary = await read(writer);
      await writer.finish(meta, summary);
      return { kind: 'read', sourceId, summary };
    });
  }

  /** Appends to a source within a transaction; who calls it writes the `source` row. See `SourceWriter.open`. */
  async writer(sourceId: number, before?: Pick<SourceCounts, 'places' | 'rejected'>): Promise<SourceWriter> {
    return SourceWriter.open(this.#connection, this.#door, sourceId, before);
  }

  /**
   * All that `work` writes and the sessions that it met, or nothing.
   * @throws whatever `work` throws, after the transaction is rolled back.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.#connection.run('begin transaction');
    try {
      const result = await work();
      const sessions = this.#door.sessions();
      await writeSessions(this.#connection, sessions.slice(this.#sessionsWritten));
      await this.#connection.run('commit');
      this.#sessionsWritten = sessions.length;
      return result;
    } catch (cause) {
      await this.#connection.run('rollback').catch(() => undefined);
      throw cause;
    }
  }

  /** After the last source: session ids that one source shows hashed and another whole become one. */
  async finishSources(): Promise<void> {
    await joinAliases(this.#connection, this.#door.aliases());
  }

  /** The session id behind a tag, for `--reveal`; null when this run did not read it. */
  reveal(tag: string): string | null {
    return this.#door.reveal(tag);
  }

  /** The event id as captured, for `--reveal`: one that holds a session id was kept with its tag. */
  revealEventId(eventId: string): string {
    return this.#door.revealEventId(eventId);
  }

  /**
   * All rows of a query. Only parameters that the SQL names (`$name`) are bound.
   * @throws PostmortemError `query-failed`.
   */
  async rows<T extends object = Row>(sql: string, parameters: Parameters = {}): Promise<T[]> {
    try {
      const statement = await this.#connection.prepare(sql);
      try {
        bind(statement, parameters);
        // Not streamed: the next query of the connection would end the stream, and its last rows would be missing.
        const result = await statement.run();
        const found: T[] = [];
        for await (const batch of result.yieldConvertedRowObjects(JSDuckDBValueConverter)) {
          for (const row of batch) found.push(row as T);
        }
        return found;
      } finally {
        statement.destroySync();
      }
    } catch (cause) {
      throw queryError(cause);
    }
  }

  /**
   * A whole result with its columns in order; two columns of one name stay two. Streamed, so that a result that no
   * memory holds ends in an error: no other query may run meanwhile.
   * @throws PostmortemError `query-failed`.
   */
  async table(sql: string, parameters: Parameters = {}): Promise<{ columns: string[]; rows: SqlValue[][] }> {
    try {
      const statement = await this.#connection.prepare(sql);
      try {
        bind(statement, parameters);
        const result = await statement.stream();
        const rows: SqlValue[][] = [];
        let size = 0;
        for await (const batch of result.yieldConvertedRows(JSDuckDBValueConverter)) {
          for (const row of batch as SqlValue[][]) {
            size += sizeOf(row);
            if (size > LARGEST_TABLE) throw tooLarge();
            rows.push(row);
          }
        }
        return { columns: result.deduplicatedColumnNames(), rows };
      } finally {
        statement.destroySync();
      }
    } catch (cause) {
      throw queryError(cause);
    }
  }

  /** Runs a statement that returns nothing. @throws PostmortemError `query-failed`. */
  async run(sql: string): Promise<void> {
    try {
      await this.#connection.run(sql);
    } catch (cause) {
      throw queryError(cause);
    }
  }

  /** Makes `name` a table of the rows of `select`, replacing what it was. @throws PostmortemError `query-failed`. */
  async materialise(name: string, select: string): Promise<void> {
    await this.run(`create or replace ${this.#derivesTemporary ? 'temp ' : ''}table "${name}" as ${select}`);
  }

  /** Whether the SQL is a single statement that only selects, as DuckDB parses it. @throws PostmortemError `query-failed`. */
  async isSingleSelect(sql: string): Promise<boolean> {
    const { StatementType } = await import('@duckdb/node-api');
    try {
      const statements = await this.#connection.extractStatements(sql);
      if (statements.count !== 1) return false;
      const statement = await statements.prepare(0);
      const type = statement.statementType;
      statement.destroySync();
      return type === StatementType.SELECT;
    } catch (cause) {
      throw queryError(cause);
    }
  }

  /** The columns that a query would return, without running it. @throws PostmortemError `query-failed` */
  async columnsOf(sql: string, parameters: Parameters): Promise<string[]> {
    const columns = await this.rows<{ column_name: string }>(`describe ${sql}`, parameters);
    return columns.map(({ column_name: name }) => name);
  }

  /** No setting can be changed any more: before SQL of a user's runs. */
  async lock(): Promise<void> {
    await this.run('set lock_configuration = true');
  }

  /** Stops the running query: it fails with `query-failed`. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  /** @throws PostmortemError `query-failed`, naming the limit, when `work` takes longer. */
  async withTimeLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      this.interrupt();
    }, limitMs);
    try {
      return await work();
    } catch (cause) {
      if (!expired) throw cause;
      throw new PostmortemError(
        'query-failed',
        `the query took longer than ${limitMs / 1000} s and was stopped`,
        'Make it read less, or raise --time-limit.',
        { cause },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Has something done once the database is closed. */
  onClose(clean: () => void): void {
    this.#onClose.push(clean);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.closeSync();
    this.#instance.closeSync();
    for (const clean of this.#onClose) clean();
  }
}

function bind(statement: DuckDBPreparedStatement, parameters: Parameters): void {
  const values: Record<string, DuckDBValue> = {};
  for (let index = 1; index <= statement.parameterCount; index++) {
    const name = statement.parameterName(index);
    if (parameters[name] === undefined) throw new Error(`parameter $${name} is not given`);
    values[name] = parameters[name];
  }
  statement.bind(values);
}

/** About what a row takes in memory, bytes. */
function sizeOf(row: readonly SqlValue[]): number {
  return row.reduce((sum: number, value) => sum + 32 + (typeof value === 'string' ? value.length : 0), 100);
}

function tooLarge(): PostmortemError {
  return new PostmortemError(
    'query-failed',
    'the result is larger than 200 MB',
    'Make it smaller with WHERE, GROUP BY or LIMIT; or open the --db file in DuckDB.',
  );
}

function queryError(cause: unknown): PostmortemError {
  if (cause instanceof PostmortemError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  // DuckDB's message, then candidates, then the line with a caret under it.
  const [problem = message] = message.split('\n');
  const line = /^LINE \d+/m.exec(message)?.[0].toLowerCase();
  return new PostmortemError(
    'query-failed',
    line === undefined ? problem : `${problem} (${line})`,
    'The SQL dialect is that of DuckDB 1.5.',
    { cause },
  );
}
