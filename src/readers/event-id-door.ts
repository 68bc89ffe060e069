import { parseEventId } from '../contract/event-id.js';
import type { IdParts } from './rows.js';
import type { SessionVault } from './session-vault.js';

/** Ids up to this length are not hidden: their tag is the id. */
const SHORT = 12;
/** What may follow a session id at the start of an event id. */
const SEPARATORS = '_-:/.#|~@';
/** Event ids are mostly met once or twice: only the latest are remembered. */
const REMEMBERED = 4_096;

/** Takes event ids apart for the tables, and takes the session ids out of those that embed one. */
export class EventIdDoor {
  readonly #vault: SessionVault;
  readonly #parts = new Map<string, IdParts>();
  readonly #raws = new Map<string, string>();

  constructor(vault: SessionVault) {
    this.#vault = vault;
  }

  /** Columns of an id by its shape. Of a session in it only the tag is given. */
  parts(id: string, sessions: readonly string[]): IdParts {
    const parts = this.#parse(id);
    if (parts.stream === null || parts.stream.length <= SHORT) return parts;
    const stream = this.#withoutSession(parts.stream, sessions);
    return stream === parts.stream ? parts : { ...parts, stream };
  }

  /**
   * The id as it is kept: without the session that a C# id encodes, and without any of `sessions`, or of the sessions
   * seen before, written out in it.
   */
  cleaned(id: string, sessions: readonly string[]): string {
    if (id.length <= SHORT) return id;
    const encoded = id.includes(':') ? this.#withoutEncoded(id) : id;
    const cleaned = this.#withoutSession(encoded, sessions);
    if (cleaned !== id) this.#raws.set(cleaned, id);
    return cleaned;
  }

  reveal(cleaned: string): string {
    return this.#raws.get(cleaned) ?? cleaned;
  }

  #parse(id: string): IdParts {
    const known = this.#parts.get(id);
    if (known !== undefined) return known;
    const { family, stream, seq, session } = parseEventId(id);
    const parts = { family, stream, seq, session: session === null ? null : this.#vault.tag(session) };
    if (this.#parts.size >= REMEMBERED) this.#parts.clear();
    this.#parts.set(id, parts);
    return parts;
  }

  #withoutEncoded(id: string): string {
    const { session } = parseEventId(id);
    if (session === null || session.length <= SHORT) return id;
    return `${this.#vault.tag(session)}${id.slice(id.indexOf(':'))}`;
  }

  #withoutSession(text: string, sessions: readonly string[]): string {
    let out = text;
    for (const session of sessions) {
      if (session.length > SHORT && out.includes(session)) out = out.replaceAll(session, this.#vault.tag(session));
    }
    if (out !== text) return out;
    for (let end = SHORT + 1; end < text.length; end += 1) {
      if (!SEPARATORS.includes(text[end]!)) continue;
      const start = text.slice(0, end);
      if (this.#vault.has(start)) return this.#vault.tag(start) + text.slice(end);
    }
    return text;
  }
}
