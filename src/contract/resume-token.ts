import { hash } from 'node:crypto';

/** What a client persists as one: an event id means nothing without the session that issued it. */
export interface ResumeToken {
  /** Value of `Mcp-Session-Id`; null: the request carried none; undefined: not observed. */
  readonly sessionId?: string | null | undefined;
  /** Value of `Last-Event-ID`, with the same two kinds of absence. */
  readonly lastEventId?: string | null | undefined;
}

/**
 * Fingerprint of a resume token: SHA-256 of session id, one zero byte and last event id (UTF-8), in lower-case hex.
 * An absent part counts as empty.
 */
export function fingerprint(token: ResumeToken): string {
  return hash('sha256', `${token.sessionId ?? ''}\0${token.lastEventId ?? ''}`, 'hex');
}
