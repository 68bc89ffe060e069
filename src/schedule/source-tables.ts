import type { ReadSummary, RecordSink } from '../readers/reader.js';
import { EVIDENCE, type Vantage } from '../readers/record.js';
import type { SourceCounts } from '../store/source-writer.js';
import type { Store } from '../store/store.js';
import type { Examined } from './examine.js';
import type { Content, Holding, LedgerEntry } from './ledger.js';
import { TimeSpan } from './time-span.js';

const TABLES_BY_EXCHANGE = ['event', 'message', 'tool', 'exchange'] as const;
const TABLES_BY_SOURCE = ['companion', 'reject', 'source', 'content', 'holding'] as const;
const PLACES = 2n ** 32n;
/** Clocks of hosts differ; a record that is later than its file by more than this is not believed. */
const BELIEVED_AHEAD_NS = 86_400_000_000_000n;

type Read = (sink: RecordSink) => Promise<ReadSummary>;

/** Rows of the ledger and of sources. Everything here belongs into a transaction of the caller. */
export class SourceTables {
  constructor(readonly store: Store) {}

  /** @param isKnown there is a row already */
  async enter({ path, bytes, mtimeNs, state, reason }: LedgerEntry, isKnown: boolean): Promise<void> {
    if (isKnown) await this.store.rows('delete from ledger where path = $path', { path });
    await this.store.rows('insert into ledger values ($path, $bytes, $mtime_ns, $state, $reason)', {
      path,
      bytes: BigInt(bytes),
      mtime_ns: mtimeNs,
      state,
      reason,
    });
  }

  /** @param isKnown the file held something already */
  async hold({ path, member, sourceId, bytes, sha256, isWhole }: Holding, isKnown: boolean): Promise<void> {
    if (isKnown) await this.release(member);
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

  /** The row of a file that is gone, and holds nothing any more. */
  async leave(path: string): Promise<void> {
    await this.store.rows('delete from ledger where path = $path and path not in (select path from holding)', { path });
  }

  /** Sources go by other names: reports are to name the files that there are. */
  async renamed(): Promise<void> {
    await this.store.run('update job set intake = intake + 1');
  }

  /** Who held `from` holds a beginning of `to`. */
  async handOver(from: number, to: number): Promise<void> {
    await this.store.rows('update holding set source_id = $to, is_whole = false where source_id = $from', { from, to });
  }

  /** Takes a source out, with all its records. */
  async remove(sourceId: number): Promise<void> {
    await this.store.rows(
      `update job set intake = intake + 1,
         unjudged_ns = least(unjudged_ns, (select min(oldest_ns) from content where source_id = $source_id))`,
      { source_id: sourceId },
    );
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
  async readNew(sourceId: number, examined: Examined, mtimeNs: bigint, read: Read): Promise<Taken> {
    const writer = await this.store.writer(sourceId);
    const span = new TimeSpan(mtimeNs + BELIEVED_AHEAD_NS);
    const summary = await read(span.watching(writer));
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
    return this.#consists(sourceId, examined, null, counts, span);
  }

  /** Reads what was appended to a source. @returns what it now consists of */
  async readOn(content: Content, examined: Examined, mtimeNs: bigint, read: Read): Promise<Taken> {
    const { sourceId } = content;
    const [row] = await this.store.rows<SourceRow>(
      'select producer, vantage, rejected, evidence, warnings from source where source_id = $source_id',
      { source_id: sourceId },
    );
    if (row === undefined) throw new Error(`source ${sourceId} is in the ledger and not in the database`);
    const writer = await this.store.writer(sourceId, { places: content.places, rejected: Number(row.rejected) });
    const span = new TimeSpan(mtimeNs + BELIEVED_AHEAD_NS);
    const summary = await read(span.watching(writer));
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
    const taken = await this.#consists(sourceId, examined, content, counts, span);
    return { ...taken, rejected: taken.rejected - Number(row.rejected) };
  }

  async #consists(
    sourceId: number,
    { readable, headSha256, startSha256, byLine }: Examined,
    before: Content | null,
    counts: SourceCounts,
    span: TimeSpan,
  ): Promise<Taken> {
    const times = { oldest_ns: span.oldestNs, newest_ns: span.newestNs };
    await this.store.rows(
      `update job set intake = intake + 1, bytes_read = bytes_read + $bytes,
         unjudged_ns = least(unjudged_ns, cast($oldest_ns as bigint)),
         watermark_ns = greatest(watermark_ns, cast($newest_ns as bigint))`,
      { bytes: BigInt(readable.bytes - (before?.done.bytes ?? 0)), ...times },
    );
    if (before !== null) {
      const [old] = await this.store.rows<{ oldest_ns: bigint | null; newest_ns: bigint | null }>(
        'delete from content where source_id = $source_id returning oldest_ns, newest_ns',
        { source_id: sourceId },
      );
      times.oldest_ns = earlier(old?.oldest_ns ?? null, times.oldest_ns);
      times.newest_ns = later(old?.newest_ns ?? null, times.newest_ns);
    }
    await this.store.rows(
      `insert into content
       select $source_id, $read_bytes, $read_lines, $sha256, $head_sha256, $start_sha256, $by_line, $places,
         $oldest_ns, $newest_ns, intake
       from job`,
      {
        source_id: sourceId,
        read_bytes: BigInt(readable.bytes),
        read_lines: BigInt(readable.lines),
        sha256: readable.sha256,
        head_sha256: headSha256,
        start_sha256: startSha256,
        by_line: byLine,
        places: BigInt(counts.places),
        ...times,
      },
    );
    return {
      content: { sourceId, done: readable, headSha256, startSha256, byLine, places: counts.places },
      rejected: counts.rejected,
    };
  }
}

/** What was taken in. */
export interface Taken {
  readonly content: Content;
  /** Records that could not be read, of those read now. */
  readonly rejected: number;
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

function earlier(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || (b !== null && b < a) ? b : a;
}

function later(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || (b !== null && b > a) ? b : a;
}

function inOrder(evidence: readonly string[]): string {
  return EVIDENCE.filter((word) => evidence.includes(word)).join(',');
}
