/** What a server does with a session id that it does not know. */
export type UnknownSession =
  /** 404, as the specification asks for. */
  | 'refuse'
  /** Answers under a new session, as if the client had asked for one. */
  | 'mint'
  /** Takes the id as its own: what servers do that never look at it, or that share their sessions. */
  | 'adopt';

/** How one server instance of the lab behaves; handed to its process as JSON. */
export interface InstanceSettings {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly unknownSession: UnknownSession;
  /** `counter`: e1, e2 … per session; `sdk`: the store that the SDK ships; `none`: streams without ids. */
  readonly events: 'counter' | 'sdk' | 'none';
  /** Sessions without a request for so long are forgotten; null: never. */
  readonly idleLimitMs: number | null;
  /** Answers calls with one JSON document instead of a stream. */
  readonly answersJson: boolean;
  /** Dies at once when this tool has taken effect: the moment at which a retry does harm. */
  readonly diesAfter: string | null;
}

export type InstanceCommand = 'drain' | 'announce';
export const SETTINGS_VARIABLE = 'LAB_INSTANCE';
