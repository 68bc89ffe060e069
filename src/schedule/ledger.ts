import type { Store } from '../store/store.js';
import type { Beginning } from './measure.js';

/** A file as it was when it was last dealt with. */
export interface LedgerEntry {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeNs: bigint;
  /** `partial`: a log whose last line was not whole. */
  readonly state: 'read' | 'partial' | 'foreign' | 'failed';
  readonly reason: string | null;
}

/** What a source consists of. */
export interface Content {
  readonly sourceId: number;
  readonly done: Beginning;
  readonly headSha256: string;
  readonly startSha256: string;
  readonly byLine: boolean;
  readonly places: number;
}

/** That a file holds a source. */
export interface Holding {
  readonly path: string;
  readonly member: string;
  readonly sourceId: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly isWhole: boolean;
}

/** The first bytes of every content are looked up by digests of this many. */
export const HEAD = 64;
export const START = 1024;

/** What earlier runs have read, in memory. Changed only after the database was. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>();
  readonly contents = new Map<number, Content>();
  /** By member. */
  readonly holdings = new Map<string, Holding>();
  readonly #byHead = new Map<string, Set<number>>();
  readonly #byStart = new Map<string, Set<number>>();
  /** Digest of a whole content that is shorter than `HEAD`, by its length. */
  readonly #short = new Map<number, Map<string, number>>();

  static async load(store: Store): Promise<Ledger> {
    const ledger = new Ledger();
    const entries = await store.rows<{
      path: string;
      bytes: bigint;
      mtime_ns: bigint;
      state: LedgerEntry['state'];
      reason: string | null;
    }>('select path, bytes, mtime_ns, state, reason from ledger');
    for (const { path, bytes, mtime_ns: mtimeNs, state, reason } of entries) {
      ledger.entries.set(path, { path, bytes: Number(bytes), mtimeNs, state, reason });
    }
    return ledger;
  }

  /** Contents and holdings: only needed once a file has changed. */
  async loadContents(store: Store): Promise<void> {
    for (const row of await store.rows<ContentRow>('select * from content')) {
      this.add({
        sourceId: row.source_id,
        done: { bytes: Number(row.read_bytes), lines: Number(row.read_lines), sha256: row.sha256 },
        headSha256: row.head_sha256,
        startSha256: row.start_sha256,
        byLine: row.by_line,
        places: Number(row.places),
      });
    }
    for (const row of await store.rows<HoldingRow>('select * from holding')) {
      const { path, member, source_id: sourceId, bytes, sha256, is_whole: isWhole } = row;
      this.holdings.set(member, { path, member, sourceId, bytes: Number(bytes), sha256, isWhole });
    }
  }

  add(content: Content): void {
    this.remove(content.sourceId);
    this.contents.set(content.sourceId, content);
    const { bytes, sha256 } = content.done;
    if (bytes < HEAD) {
      const same = this.#short.get(bytes) ?? new Map<string, number>();
      this.#short.set(bytes, same.set(sha256, content.sourceId));
    } else addTo(this.#byHead, content.headSha256, content.sourceId);
    if (bytes >= START) addTo(this.#byStart, content.startSha256, content.sourceId);
  }

  remove(sourceId: number): void {
    const content = this.contents.get(sourceId);
    if (content === undefined) return;
    this.contents.delete(sourceId);
    this.#short.get(content.done.bytes)?.delete(content.done.sha256);
    this.#byHead.get(content.headSha256)?.delete(sourceId);
    this.#byStart.get(content.startSha256)?.delete(sourceId);
  }

  /** Contents that begin like this, as far as both go. `head` is unpacked, and whole when shorter than `START`. */
  alike(head: Uint8Array, sha256: (bytes: Uint8Array) => string): Content[] {
    const found = new Set<number>();
    for (const [length, same] of this.#short) {
      const id = length <= head.length ? same.get(sha256(head.subarray(0, length))) : undefined;
      if (id !== undefined) found.add(id);
    }
    if (head.length >= HEAD) {
      const sameStart = head.length >= START ? this.#byStart.get(sha256(head.subarray(0, START))) : undefined;
      for (const id of sameStart ?? []) found.add(id);
      for (const id of this.#byHead.get(sha256(head.subarray(0, HEAD))) ?? []) {
        if (head.length < START || this.contents.get(id)!.done.bytes < START) found.add(id);
      }
    }
    return [...found].map((id) => this.contents.get(id)!);
  }

  holdingsOf(sourceId: number): Holding[] {
    return [...this.holdings.values()].filter((holding) => holding.sourceId === sourceId);
  }
}

interface ContentRow {
  readonly source_id: number;
  readonly read_bytes: bigint;
  readonly read_lines: bigint;
  readonly sha256: string;
  readonly head_sha256: string;
  readonly start_sha256: string;
  readonly by_line: boolean;
  readonly places: bigint;
}

interface HoldingRow {
  readonly path: string;
  readonly member: string;
  readonly source_id: number;
  readonly bytes: bigint;
  readonly sha256: string;
  readonly is_whole: boolean;
}

function addTo(index: Map<string, Set<number>>, key: string, id: number): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}
