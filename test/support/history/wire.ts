import { Signal } from './clock.js';

export type WireEnd = 'complete' | 'truncated' | 'client-aborted' | 'timed-out' | 'open';

export interface WireEvent {
  id: string | null;
  type: string | null;
  data: string;
  retryMs: number | null;
  atMs: number;
  /** Begun, but no blank line ended it. */
  partial: boolean;
}

export interface Identity {
  address: string;
  connection: number;
  userAgent: string;
  authorization: string | null;
}

/** One HTTP exchange as it went over the wire. */
export class WireExchange {
  endMs: number | null = null;
  status: number | null = null;
  contentType: string | null = null;
  responseSession: string | null = null;
  body: string | null = null;
  events: WireEvent[] = [];
  end: WireEnd = 'open';
  backends: { address: string; status: number | null; ms: number }[] = [];
  readonly done = new Signal();

  constructor(
    readonly startMs: number,
    readonly httpMethod: 'GET' | 'POST' | 'DELETE',
    readonly identity: Identity,
    readonly requestSession: string | null,
    readonly lastEventId: string | null,
    readonly protocolVersion: string | null,
    readonly requestBody: string | null,
    readonly traceId: string,
    readonly spanId: string,
  ) {}

  get stream(): boolean {
    return this.contentType === 'text/event-stream';
  }

  close(atMs: number, end: WireEnd): void {
    if (this.done.fired) return;
    this.endMs = atMs;
    this.end = end;
    this.done.fired = true;
  }
}

/** What was done to a history on purpose: the truth behind the findings. */
export interface Injected {
  fault: string;
  detectors: readonly string[];
  session: string | null;
}

export interface WireHistory {
  seed: number;
  /** Habits of its server. */
  profile: string;
  endMs: number;
  exchanges: readonly WireExchange[];
  injected: readonly Injected[];
}

/** Every history has an endpoint of its own, so that many can be judged in one run. */
export const pathOf = (seed: number): string => `/h${seed}/mcp`;

interface NamedMessage {
  id?: string | number;
  method?: string;
  params?: { name?: string };
}

/** The first request or notification in the body of a request. */
export function firstMessage(x: WireExchange): NamedMessage | null {
  if (x.requestBody === null) return null;
  const value = JSON.parse(x.requestBody) as NamedMessage | NamedMessage[];
  return (Array.isArray(value) ? value : [value]).find((message) => message.method !== undefined) ?? null;
}

/** Values of the headers `Mcp-Method` and `Mcp-Name`, which the stateless revision demands. */
export function routingHeaders(x: WireExchange): { method: string | null; name: string | null } {
  const message = x.protocolVersion !== null && x.protocolVersion >= '2026-07-28' ? firstMessage(x) : null;
  return { method: message?.method ?? null, name: message?.params?.name ?? null };
}
