import type { ReadSummary, RecordSink } from '../readers/reader.js';
import { EVIDENCE, type Vantage } from '../readers/record.js';
import type { SourceCounts } from '../store/source-writer.js';
import type { Store } from '../store/store.js';
import type { Examined } from './examine.js';
import type { Content, Holding, LedgerEntry } from './ledger.js';

const TABLES_BY_EXCHANGE = ['event', 'message', 'tool', 'exchange'] as const;
const TABLES_BY_SOURCE = ['companion', 'reject', 'source', 'content', 'holding'] as const;
const PLACES = 2n ** 32n;
/** Clocks of hosts differ; a record that is later than its file by more than this is not believed. */
const BELIEVED_AHEAD_NS = 86_400_000_000_000n;

type Read = (sink: RecordSink) => Promise<ReadSummary>;

/** Rows of the ledger and of sources. Everything here belongs into a transaction of the caller. */
export class SourceTables {
  constructor(readonly store: Store) {}

  async enter({ path, bytes, mtimeNs, state, reason }: LedgerEntry): Promise<void> {
    await this.store.rows('delete from ledger where path = $path', { path });
    await this.store.rows('insert into ledger values ($path, $bytes, $mtime_ns, $state, $reason)', {
      path,
      bytes: BigInt(bytes),
      mtime_ns: mtimeNs,
      state,
      reason,
    });
  }

  async hold({ path, member, sourceId, bytes, sha256, isWhole }: Holding): Promise<void> {
    await this.store.rows('delete from holding where member = $member', { member });
    await this.store.rows('insert into holding values ($path, $member, $source_id, $bytes, $sha256, $is_whole)', {
      path,
      member,
      source_id: sourceId,
      bytes: BigInt(bytes),
      sha256,
      is_whole: isWhole,
    });
  }

  async release(member: string): Promise<void> {
    await this.store.rows('delete from holding where member = $member', { member });
  }

  /** Who held `from` holds a beginning of `to`. */
  async handOver(from: number, to: number): Promise<void> {
    await this.store.rows('update holding set source_id = $to, is_whole = false where source_id = $from', { from, to });
  }

  /** Takes a source out, with all its records. */
  async remove(sourceId: number): Promise<void> {
    await this.#changed(BigInt(sourceId) * PLACES, BigInt(sourceId + 1) * PLACES, sourceId);
    for (const table of TABLES_BY_EXCHANGE) {
      await this.store.rows(`delete from ${table} where exchange_id >= $from and exchange_id < $to`, {
        from: BigInt(sourceId) * PLACES,
        to: BigInt(sourceId + 1) * PLACES,
      });
    }
    for (const table of TABLES_BY_SOURCE) {
      await this.store.rows(`delete from ${table} where source_id = $source_id`, { source_id: sourceId });
    }
  }

  /** Reads a source from its start. @returns what it consists of */
  async readNew(sourceId: number, examined: Examined, mtimeNs: bigint, read: Read): Promise<Content & SourceCounts> {
    const writer = await this.store.writer(sourceId);
    const summary = await read(writer);
    const counts = writer.close();
    await this.store.rows(
      `insert into source values ($source_id, $path, $format, $producer, $vantage, $sha256, $bytes, $records, $skipped,
                                  $rejected, $duplicates, $evidence, $warnings)`,
      {
        source_id: sourceId,
        path: examined.source.path,
        format: summary.format,
        producer: summary.producer,
        vantage: summary.vantage,
        sha256: examined.diskSha256,
        bytes: BigInt(examined.source.bytes),
        records: BigInt(summary.records),
        skipped: BigInt(counts.skipped),
        rejected: BigInt(counts.rejected),
        duplicates: BigInt(counts.duplicates),
        evidence: inOrder(summary.evidence),
        warnings: summary.warnings.join('\n'),
      },
    );
    return this.#consists(sourceId, examined, mtimeNs, 0, counts, examined.readable.bytes);
  }

  /** Reads what was appended to a source. @returns what it now consists of */
  async readOn(content: Content, examined: Examined, mtimeNs: bigint, read: Read): Promise<Content & SourceCounts> {
    const { sourceId } = content;
    const [row] = await this.store.rows<SourceRow>(
      'select producer, vantage, rejected, evidence, warnings from source where source_id = $source_id',
      { source_id: sourceId },
    );
    if (row === undefined) throw new Error(`source ${sourceId} is in the ledger and not in the database`);
    const writer = await this.store.writer(sourceId, { places: content.places, rejected: Number(row.rejected) });
    const summary = await read(writer);
    const counts = writer.close();
    await this.store.rows(
      `update source set records = records + $records, skipped = skipped + $skipped, rejected = $rejected,
         duplicates = duplicates + $duplicates, producer = $producer, vantage = $vantage, evidence = $evidence,
         warnings = $warnings
       where source_id = $source_id`,
      {
        source_id: sourceId,
        records: BigInt(summary.records),
        skipped: BigInt(counts.skipped),
        rejected: BigInt(counts.rejected),
        duplicates: BigInt(counts.duplicates),
        producer: row.producer ?? summary.producer,
        vantage: bothVantages(row.vantage, summary),
        evidence: inOrder([...row.evidence.split(','), ...summary.evidence]),
        warnings: [...new Set([...row.warnings.split('\n'), ...summary.warnings])]
          .filter((line) => line !== '')
          .join('\n'),
      },
    );
    const bytes = examined.readable.bytes - content.done.bytes;
    return this.#consists(sourceId, examined, mtimeNs, content.places, counts, bytes);
  }

  async #consists(
    sourceId: number,
    { readable, headSha256, startSha256, byLine }: Examined,
    mtimeNs: bigint,
    firstPlace: number,
    counts: SourceCounts,
    bytesRead: number,
  ): Promise<Content & SourceCounts> {
    const first = BigInt(sourceId) * PLACES + BigInt(firstPlace);
    await this.#changed(first, BigInt(sourceId + 1) * PLACES, sourceId);
    await this.store.rows(
      `create or replace temp table span as
       select min(coalesce(started_ns, ended_ns)) as oldest_ns,
         max(coalesce(ended_ns, started_ns)) filter (where coalesce(ended_ns, started_ns) <= ${mtimeNs + BELIEVED_AHEAD_NS}) as newest_ns
       from exchange where exchange_id >= ${first} and exchange_id < ${BigInt(sourceId + 1) * PLACES}`,
    );
    await this.store.rows(
      `create or replace temp table total as
       select least(s.oldest_ns, (select min(oldest_ns) from content where source_id = ${sourceId})) as oldest_ns,
         greatest(s.newest_ns, (select max(newest_ns) from content where source_id = ${sourceId})) as newest_ns
       from span s`,
    );
    await this.store.rows('delete from content where source_id = $source_id', { source_id: sourceId });
    await this.store.rows(
      `insert into content
       select $source_id, $read_bytes, $read_lines, $sha256, $head_sha256, $start_sha256, $by_line, $places,
         oldest_ns, newest_ns, (select intake from job)
       from total`,
      {
        source_id: sourceId,
        read_bytes: BigInt(readable.bytes),
        read_lines: BigInt(readable.lines),
        sha256: readable.sha256,
        head_sha256: headSha256,
        start_sha256: startSha256,
        by_line: byLine,
        places: BigInt(counts.places),
      },
    );
    await this.store.rows(
      `update job set bytes_read = bytes_read + $bytes, watermark_ns = greatest(watermark_ns, (select newest_ns from span))`,
      { bytes: BigInt(bytesRead) },
    );
    return { sourceId, done: readable, headSha256, startSha256, byLine, ...counts };
  }

  /** Notes that records of this range came or went: there is something to judge. */
  async #changed(from: bigint, to: bigint, sourceId: number): Promise<void> {
    await this.store.rows(
      `update job set intake = intake + 1, unjudged_ns = least(unjudged_ns,
         (select min(coalesce(started_ns, ended_ns)) from exchange where exchange_id >= $from and exchange_id < $to),
         (select min(at_ns) from companion where source_id = $source_id and companion_id >= $from))`,
      { from, to, source_id: sourceId },
    );
  }
}

interface SourceRow {
  readonly producer: string | null;
  readonly vantage: Vantage | 'mixed';
  readonly rejected: bigint;
  readonly evidence: string;
  readonly warnings: string;
}

/** A part without a record of its own says nothing of the side. */
function bothVantages(before: Vantage | 'mixed', summary: ReadSummary): Vantage | 'mixed' {
  if (before === summary.vantage || summary.vantage === 'unknown') return before;
  return before === 'unknown' ? summary.vantage : 'mixed';
}

function inOrder(evidence: readonly string[]): string {
  return EVIDENCE.filter((word) => evidence.includes(word)).join(',');
}
