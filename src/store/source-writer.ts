import type { DuckDBConnection } from '@duckdb/node-api';
import type { Door } from '../readers/door.js';
import type { ReadSummary, RecordSink } from '../readers/reader.js';
import type { Capture, CompanionRecord } from '../readers/record.js';
import { BulkAppender } from './bulk-appender.js';
import { eventCells, exchangeCells, messageCells, toolCells } from './cells.js';
import { removeDoubledSpans } from './doubled-spans.js';
import type { SourceMeta } from './store.js';

/** Rejected records that are kept with place and reason; all are counted. */
const KEPT_REJECTS = 100;

const TABLES = ['exchange', 'event', 'message', 'tool', 'companion', 'reject'] as const;
type Table = (typeof TABLES)[number];

/** What came of the records so far. */
export interface SourceCounts {
  /** Exchanges and companions: places of the source that are taken. */
  readonly places: number;
  readonly rejected: number;
  readonly skipped: number;
  readonly duplicates: number;
}

/** Writes what a reader finds in one source. Lives within one transaction. */
export class SourceWriter implements RecordSink {
  readonly #connection: DuckDBConnection;
  readonly #door: Door;
  readonly #sourceId: number;
  readonly #appenders: Readonly<Record<Table, BulkAppender>>;
  /** source_id * 2^32 + place in the source. */
  #nextId: bigint;
  #rejected = 0;
  #skipped = 0;
  #duplicates = 0;

  private constructor(
    connection: DuckDBConnection,
    door: Door,
    sourceId: number,
    appenders: Readonly<Record<Table, BulkAppender>>,
    before: Pick<SourceCounts, 'places' | 'rejected'>,
  ) {
    this.#connection = connection;
    this.#door = door;
    this.#sourceId = sourceId;
    this.#appenders = appenders;
    this.#nextId = (BigInt(sourceId) << 32n) + BigInt(before.places);
    this.#rejected = before.rejected;
  }

  /** @param before what an earlier part of the same source has taken: reading goes on behind it */
  static async open(
    connection: DuckDBConnection,
    door: Door,
    sourceId: number,
    before: Pick<SourceCounts, 'places' | 'rejected'> = { places: 0, rejected: 0 },
  ): Promise<SourceWriter> {
    const appenders = await Promise.all(TABLES.map((table) => BulkAppender.open(connection, table)));
    const byTable = Object.fromEntries(TABLES.map((table, index) => [table, appenders[index]]));
    return new SourceWriter(connection, door, sourceId, byTable as Record<Table, BulkAppender>, before);
  }

  capture(capture: Capture): void {
    const id = this.#nextId++;
    const rows = this.#door.rows(capture);
    this.#appenders.exchange.append(exchangeCells(id, this.#sourceId, rows.exchange));
    for (const row of rows.events) this.#appenders.event.append(eventCells(id, row));
    for (const row of rows.messages) this.#appenders.message.append(messageCells(id, row), row.body?.length);
    for (const row of rows.tools) this.#appenders.tool.append(toolCells(id, row));
  }

  companion(record: CompanionRecord): void {
    this.#appenders.companion.append([
      this.#nextId++,
      this.#sourceId,
      record.locator,
      record.atNs,
      record.precisionNs,
      record.httpMethod,
      record.path,
      record.client,
      record.connection,
      record.backend,
      record.endState,
      record.reason,
    ]);
  }

  reject(locator: string, reason: string): void {
    this.#rejected += 1;
    if (this.#rejected <= KEPT_REJECTS) this.#appenders.reject.append([this.#sourceId, locator, reason]);
  }

  skip(count: number): void {
    this.#skipped += count;
  }

  duplicate(count: number): void {
    this.#duplicates += count;
  }

  /** Progress is shown by who opened the input. */
  progress(): void {}

  /** Writes what waits. @returns what came of all records, an earlier part's places and rejects included */
  close(): SourceCounts {
    for (const table of TABLES) this.#appenders[table].close();
    return {
      places: Number(this.#nextId - (BigInt(this.#sourceId) << 32n)),
      rejected: this.#rejected,
      skipped: this.#skipped,
      duplicates: this.#duplicates,
    };
  }

  /** Writes what waits and the `source` row. */
  async finish(meta: SourceMeta, summary: ReadSummary): Promise<void> {
    this.close();
    this.#duplicates += await removeDoubledSpans(this.#connection, this.#sourceId);
    await this.#connection.run(
      `insert into source values ($source_id, $path, $format, $producer, $vantage, $sha256, $bytes, $records, $skipped,
                                  $rejected, $duplicates, $evidence, $warnings)`,
      {
        source_id: this.#sourceId,
        path: meta.path,
        format: summary.format,
        producer: summary.producer,
        vantage: summary.vantage,
        sha256: meta.sha256,
        bytes: BigInt(meta.bytes),
        records: BigInt(summary.records),
        skipped: BigInt(this.#skipped),
        rejected: BigInt(this.#rejected),
        duplicates: BigInt(this.#duplicates),
        evidence: [...summary.evidence].join(','),
        warnings: summary.warnings.join('\n'),
      },
    );
  }
}
