import type { EndState } from '../record.js';
import type { SlotName } from './slot.js';

/** How an exchange ended, and the log's own word for it. */
export interface Ending {
  readonly state: EndState;
  readonly reason: string | null;
}

/** Reads a word about the end as it stands in the line, `-` included; null: not carried. */
export type ReadText = (slot: SlotName) => string | null;

/** What the same words mean in the logs of one kind of proxy. */
export interface Dialect {
  /** `access-log/nginx`, … */
  readonly format: string;
  /** Who the client is where both are logged: who holds the connection, or whom a proxy in front names. */
  readonly clientFrom: 'peer' | 'forwarded';
  /** Whether its logs can tell a clean end from a cut: only then a source is evidence of end states. */
  readonly knowsEnd: (read: ReadText) => boolean;
  readonly ending: (status: number | null, read: ReadText) => Ending;
}

export const UNKNOWN_END: Ending = { state: 'unknown', reason: null };
