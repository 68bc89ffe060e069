import { showTag } from '../mcp/session-id.js';
import type { Store } from '../store/store.js';

/** How ids that are live credentials are printed. */
export interface IdText {
  session(tag: string): string;
  /** Some servers put the session id into their event ids. */
  eventId(eventId: string): string;
}

/** Shortened: the first characters and a joinable tag. */
export const SHORTENED: IdText = { session: showTag, eventId: (eventId) => eventId };

/** With `--reveal`: whole, where this run has read them. */
export function revealed(store: Store): IdText {
  return {
    session: (tag) => store.reveal(tag) ?? showTag(tag),
    eventId: (eventId) => store.revealEventId(eventId),
  };
}
