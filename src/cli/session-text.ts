import { showTag } from '../mcp/session-id.js';
import type { Store } from '../store/store.js';

/** Prints a session's tag: shortened, or with `--reveal` the id itself where this run has read it. */
export type SessionText = (tag: string) => string;

export function shortenedSessions(): SessionText {
  return showTag;
}

export function revealedSessions(store: Store): SessionText {
  return (tag) => store.reveal(tag) ?? tag;
}
