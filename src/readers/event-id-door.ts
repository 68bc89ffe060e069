import { parseEventId } from '../contract/event-id.js';
import type { IdParts } from './rows.js';
import type { SessionVault } from './session-vault.js';

/** Ids up to this length are not hidden: their tag is the id. */
const SHORT = 12;
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
  parts(id: string): IdParts {
    const known = this.#parts.get(id);
    if (known !== undefined) return known;
    const { family, stream, seq, session } = parseEventId(id);
    const safeStream = stream === null || session === null ? stream : this.#withoutSession(stream, [session]);
    const parts = { family, stream: safeStream, seq, session: session === null ? null : this.#vault.tag(session) };
    if (this.#parts.size >= REMEMBERED) this.#parts.clear();
    this.#parts.set(id, parts);
    return parts;
  }

  /** The id as it is kept: without the session that a C# id encodes, and without any of `sessions` written out in it. */
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
    return out;
  }
}
