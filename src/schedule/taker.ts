import { PostmortemError } from '../error.js';
import type { Source } from '../readers/input/open.js';
import { HEAD_BYTES } from '../readers/input/sniff.js';
import type { RecordSink } from '../readers/reader.js';
import { findSources, readSource } from '../readers/registry.js';
import type { Store } from '../store/store.js';
import type { Examined } from './examine.js';
import type { JobHost } from './host.js';
import type { Content, Holding, Ledger, LedgerEntry } from './ledger.js';
import { prefixDigest } from './measure.js';
import { partOf } from './part.js';
import type { FoundFile } from './scan.js';
import { SourceTables, type Taken } from './source-tables.js';

/** Files that are opened to see whether a new one is the beginning of theirs. */
const MAX_COMPARED = 20;

/** Takes examined sources into the database, and keeps the ledger in step with it. */
export class Taker {
  read = 0;
  rejected = 0;
  readonly #tables: SourceTables;
  #lastId: number | null = null;

  constructor(
    readonly store: Store,
    readonly ledger: Ledger,
    readonly host: JobHost,
  ) {
    this.#tables = new SourceTables(store);
  }

  /**
   * Reads what is new of a source, in one transaction.
   * @param entry the file's row, when the file is done with thereby
   * @throws PostmortemError what could not be read; nothing of it is in the database then
   */
  async take(file: FoundFile, examined: Examined, entry: LedgerEntry | null): Promise<void> {
    const [best] = examined.known;
    if (best !== undefined && best.done.bytes === examined.readable.bytes) {
      return this.#hold(holdingOf(file, examined, best.sourceId, true), entry);
    }
    const before = best?.byLine === true ? best : null;
    const longer = before === null ? await this.#longerOne(examined) : null;
    if (longer !== null) return this.#hold(holdingOf(file, examined, longer.sourceId, false), entry);
    // Readers learn from the head: while a log is no longer than that, it is read again as a whole.
    const isContinued = before !== null && before.done.bytes >= HEAD_BYTES;
    const done = isContinued ? before.done : { bytes: 0, lines: 0 };
    const part = partOf(examined.source, done, examined.readable.bytes);
    const read = (sink: RecordSink) => this.#readPart(part, file, sink);
    const sourceId = isContinued ? before.sourceId : this.#nextId();
    let taken: Taken | null = null;
    await this.store.transaction(async () => {
      taken = isContinued
        ? await this.#tables.readOn(before, examined, file.mtimeNs, read)
        : await this.#tables.readNew(sourceId, examined, file.mtimeNs, read);
      if (before !== null) await this.#tables.handOver(before.sourceId, sourceId);
      if (before !== null && !isContinued) await this.#tables.remove(before.sourceId);
      await this.#record(holdingOf(file, examined, sourceId, true), entry);
    });
    this.#taken(taken!, before, holdingOf(file, examined, sourceId, true), entry);
  }

  /** A file with several sources, or with none, is done with. */
  async finish(entry: LedgerEntry, members: readonly string[]): Promise<void> {
    const kept = new Set(members);
    const dropped = [...this.ledger.holdings.values()].filter(
      ({ path, member }) => path === entry.path && !kept.has(member),
    );
    await this.store.transaction(async () => {
      for (const { member } of dropped) await this.#tables.release(member);
      await this.#tables.enter(entry, this.ledger.entries.has(entry.path));
    });
    for (const { member } of dropped) this.ledger.holdings.delete(member);
    this.ledger.entries.set(entry.path, entry);
  }

  /**
   * Documents that no file holds any more were written anew: what they were is taken out. A log that was emptied has
   * happened all the same, and stays.
   */
  async removeReplaced(): Promise<void> {
    const replaced = await this.store.rows<{ source_id: number }>(
      'select source_id from content where not by_line and source_id not in (select source_id from holding) order by 1',
    );
    for (const { source_id: sourceId } of replaced) {
      await this.store.transaction(() => this.#tables.remove(sourceId));
      this.ledger.remove(sourceId);
    }
  }

  async #record(holding: Holding, entry: LedgerEntry | null): Promise<void> {
    await this.#tables.hold(holding, this.ledger.holdings.has(holding.member));
    if (entry !== null) await this.#tables.enter(entry, this.ledger.entries.has(entry.path));
  }

  /**
   * Files that are gone, and whose content lies under another name now: they were renamed, compressed, or were copies.
   * What is gone altogether stays known, should it come back.
   */
  async releaseRenamed(present: ReadonlySet<string>): Promise<void> {
    const heldElsewhere = new Set(
      [...this.ledger.holdings.values()]
        .filter(({ path, isWhole }) => isWhole && present.has(path))
        .map(({ sourceId }) => sourceId),
    );
    const left = [...this.ledger.holdings.values()].filter(
      ({ path, sourceId }) => !present.has(path) && heldElsewhere.has(sourceId),
    );
    if (left.length === 0) return;
    await this.store.transaction(async () => {
      for (const { member, path } of left) {
        await this.#tables.release(member);
        await this.#tables.leave(path);
      }
      await this.#tables.renamed();
    });
    for (const { member, path } of left) {
      this.ledger.holdings.delete(member);
      this.ledger.entries.delete(path);
    }
  }

  /** Nothing is read: the content is known under another name. */
  async #hold(holding: Holding, entry: LedgerEntry | null): Promise<void> {
    await this.store.transaction(async () => {
      await this.#record(holding, entry);
      await this.#tables.renamed();
    });
    this.ledger.holdings.set(holding.member, holding);
    if (entry !== null) this.ledger.entries.set(entry.path, entry);
  }

  #taken({ content, rejected }: Taken, before: Content | null, holding: Holding, entry: LedgerEntry | null): void {
    if (before !== null) {
      for (const other of this.ledger.holdingsOf(before.sourceId)) {
        this.ledger.holdings.set(other.member, { ...other, sourceId: content.sourceId, isWhole: false });
      }
      this.ledger.remove(before.sourceId);
    }
    this.ledger.add(content);
    this.ledger.holdings.set(holding.member, holding);
    if (entry !== null) this.ledger.entries.set(entry.path, entry);
    this.read += 1;
    this.rejected += rejected;
  }

  async #readPart(part: Source, file: FoundFile, sink: RecordSink) {
    const watched: RecordSink = {
      capture: (capture) => sink.capture(capture),
      companion: (record) => sink.companion(record),
      reject: (locator, reason) => sink.reject(locator, reason),
      skip: (count) => sink.skip(count),
      duplicate: (count) => sink.duplicate(count),
      progress: (bytes) => {
        this.host.throwIfInterrupted();
        this.host.progress(`${file.path}: ${Math.floor(bytes / 2 ** 20)} MB read`);
      },
    };
    try {
      const summary = await readSource(part, watched, file.input.options, file.input.format);
      for (const warning of summary.warnings) this.host.warning(`${file.path}: ${warning}`);
      return summary;
    } catch (cause) {
      throw cause instanceof PostmortemError ? cause : brokenReader(part.path, cause);
    }
  }

  /** A log that this one is the beginning of, and that still lies there to compare. */
  async #longerOne({ longer, readable }: Examined): Promise<Content | null> {
    for (const content of longer.slice(0, MAX_COMPARED)) {
      for (const { path, member, isWhole } of this.ledger.holdingsOf(content.sourceId)) {
        if (!isWhole) continue;
        const { sources } = await findSources([path]);
        const source = sources.find((candidate) => candidate.path === member);
        if (source !== undefined && (await prefixDigest(source, readable.bytes)) === readable.sha256) return content;
      }
    }
    return null;
  }

  #nextId(): number {
    this.#lastId ??= [...this.ledger.contents.keys()].reduce((most, id) => Math.max(most, id), 0);
    this.#lastId += 1;
    return this.#lastId;
  }
}

function holdingOf(file: FoundFile, { source, diskSha256 }: Examined, sourceId: number, isWhole: boolean): Holding {
  return { path: file.path, member: source.path, sourceId, bytes: source.bytes, sha256: diskSha256, isWhole };
}

function brokenReader(path: string, cause: unknown): PostmortemError {
  const what = cause instanceof Error ? `${cause.name}: ${cause.message.slice(0, 200)}` : String(cause);
  const hint = 'This is a fault of mcp-postmortem. The other inputs were read.';
  return new PostmortemError('input-unreadable', `${path}: reading failed unexpectedly (${what})`, hint, { cause });
}
