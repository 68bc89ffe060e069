/** One event of a stream as a server sent it. */
export interface SentEvent {
  readonly id?: string;
  readonly data: string;
  readonly retryMs?: number;
  /** Since the event before, or the start of the exchange. */
  readonly afterMs: number;
  /** The stream was cut before the blank line that ends the event. */
  readonly partial?: true;
}

/** `open`: still running when the capture stopped. */
export type Ending = 'complete' | 'cut' | 'aborted' | 'timed-out' | 'open';

/** Who sends requests: one client program on one connection. */
export interface Party {
  readonly userAgent: string;
  readonly address: string;
  readonly connection: number;
  readonly authorization: string | null;
}

export interface Reply {
  /** null: no response came. */
  readonly status: number | null;
  readonly type: string | null;
  readonly body: string | null;
  /** null: no event stream. */
  readonly events: readonly SentEvent[] | null;
  readonly end: Ending;
  readonly tookMs: number;
  /** Absent: the session of the request is named; null: none is. */
  readonly session?: string | null;
  /** Instances tried, the serving one last. */
  readonly backends?: readonly string[];
  /** The recorder kept no body. */
  readonly unrecorded?: true;
  /** The next request does not wait for this one to end. */
  readonly meanwhile?: true;
}

export interface Ask {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly session: string | null;
  readonly cursor?: string;
  /** A JSON-RPC message; null: an empty body; absent: none recorded. */
  readonly message?: unknown;
  readonly party: Party;
  /** `MCP-Protocol-Version`, on all but `initialize`. */
  readonly version: string;
}

export interface Exchange {
  readonly startMs: number;
  readonly endMs: number;
  readonly ask: Ask;
  readonly reply: Reply;
  readonly answeredSession: string | null;
  readonly backends: readonly string[];
}
