import { sessionFacts, sessionHash, sessionTag } from '../mcp/session-id.js';
import type { SessionRow } from './rows.js';

/** Fewest and most hex digits of a hash that stands for a session id. */
const HASH_PREFIX = /^(?:sha256:)?([0-9a-f]{8,64})$/i;
const KEY_DIGITS = 8;

/** Raw session ids of one run, in memory only: each with the tag that stands for it. */
export class SessionVault {
  readonly #tags = new Map<string, string>();
  readonly #raws = new Map<string, string>();

  /** Tag of a raw id, remembered. */
  tag(raw: string): string {
    let tag = this.#tags.get(raw);
    if (tag === undefined) {
      tag = sessionTag(raw);
      this.#tags.set(raw, tag);
    }
    return tag;
  }

  /** Whether a raw id has been seen. */
  has(raw: string): boolean {
    return this.#tags.has(raw);
  }

  reveal(tag: string): string | null {
    if (this.#raws.size !== this.#tags.size) for (const [raw, known] of this.#tags) this.#raws.set(known, raw);
    return this.#raws.get(tag) ?? null;
  }

  rows(): SessionRow[] {
    return Array.from(this.#tags.keys(), sessionFacts);
  }

  /** Ids that are a prefix of another id's SHA-256, with that other id; both as tags. */
  aliases(): [alias: string, canonical: string][] {
    const candidates = [...this.#tags.keys()].filter((raw) => HASH_PREFIX.test(raw));
    if (candidates.length === 0) return [];
    const byPrefix = new Map<string, { hash: string; tag: string }[]>();
    for (const [raw, tag] of this.#tags) {
      const hash = sessionHash(raw);
      const key = hash.slice(0, KEY_DIGITS);
      const same = byPrefix.get(key);
      if (same === undefined) byPrefix.set(key, [{ hash, tag }]);
      else same.push({ hash, tag });
    }
    return candidates.flatMap((raw): [string, string][] => {
      const prefix = HASH_PREFIX.exec(raw)?.[1]?.toLowerCase() ?? '';
      const found = byPrefix.get(prefix.slice(0, KEY_DIGITS))?.filter(({ hash }) => hash.startsWith(prefix)) ?? [];
      return found.length === 1 && found[0] !== undefined ? [[this.tag(raw), found[0].tag]] : [];
    });
  }
}
