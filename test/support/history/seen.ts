/** What one kind of input shows of a history: the judge's only view of the world. */

export type End = 'complete' | 'truncated' | 'client-aborted' | 'timed-out' | 'polling' | 'open' | 'unknown';

export interface SeenMessage {
  sender: 'client' | 'server';
  kind: 'request' | 'notification' | 'result' | 'error' | 'invalid';
  /** Typed id as JSON text. */
  id: string | null;
  method: string | null;
  tool: string | null;
  /** Canonical arguments of a call, without `_meta`. */
  arguments: string | null;
  progressToken: string | null;
  progress: number | null;
  cancels: string | null;
  isError: boolean;
  readsAsLoss: boolean;
  inputRetry: boolean;
  idempotencyKey: string | null;
  task: boolean;
  resultKeys: readonly string[] | null;
  errorCode: number | null;
  /** The whole message, canonical. */
  text: string;
  /** Index of the event that carried it. */
  event: number | null;
}

export interface SeenEvent {
  id: string | null;
  /** What a client would hold after it. */
  cursor: string | null;
  data: string | null;
  atMs: number | null;
  retryMs: number | null;
}

export interface SeenTool {
  readOnly: boolean;
  idempotent: boolean;
  destructive: boolean;
  outputKeys: readonly string[] | null;
}

export interface Seen {
  index: number;
  startMs: number;
  /** null: unfinished. */
  endMs: number | null;
  httpMethod: string;
  status: number | null;
  requestSession: string | null;
  responseSession: string | null;
  lastEventId: string | null;
  protocolVersion: string | null;
  stream: boolean;
  end: End;
  /** Client as far as the input tells clients apart: connection, credential, address. */
  client: string;
  userAgent: string | null;
  principal: string | null;
  backends: readonly string[];
  backendStatuses: readonly (number | null)[];
  sawRequestBody: boolean;
  /** Events or body were recorded. */
  sawAnswer: boolean;
  events: readonly SeenEvent[];
  /** Id of an event that was begun and never dispatched. */
  partialId: string | null;
  sent: readonly SeenMessage[];
  received: readonly SeenMessage[];
  /** First request or notification of the client, from body, header or span. */
  method: string | null;
  lossInBody: boolean;
  streamHeld: boolean;
  tools: ReadonlyMap<string, SeenTool>;
}

/** What a product must say, or may say, about a history. */
export interface Expected {
  detector: string;
  /** Ids that the finding names at least; null: not compared. */
  sessions: readonly string[] | null;
  /** null: the specification leaves it open. */
  severity: string | null;
  confidence: string | null;
  facts: Readonly<Record<string, string | number>>;
  /** `must`: its absence is a fault. `may`: the specification can be read both ways. */
  demand: 'must' | 'may';
  /** Sentence of the specification, or the reason why it is open. */
  because: string;
}

export type InputKind = 'har' | 'log' | 'spans';
