import { type Identity, type WireEnd, type WireEvent, WireExchange, type WireHistory } from './wire.js';

/** An event as a script writes it: id, data, and milliseconds after the start of its exchange. */
export interface Shown {
  id?: string | null;
  data: object | string;
  atMs?: number;
  retryMs?: number;
  partial?: boolean;
}

export interface Reply {
  status?: number | null;
  /** `undefined`: the session of the request when the server echoes, else none. */
  session?: string | null;
  json?: object;
  text?: string;
  events?: readonly Shown[];
  end?: WireEnd;
  /** How long it took. */
  ms?: number;
  backends?: { address: string; status: number | null; ms: number }[];
}

export interface Ask {
  session?: string | null;
  cursor?: string | null;
  version?: string | null;
  body?: object | null;
  who?: Identity;
  /** Starts so long after the previous exchange started, beside it. */
  besideMs?: number;
}

export interface Server {
  echoes?: boolean;
  session?: string;
  version?: string;
}

let scripts = 0;

export const person = (n: number): Identity => ({
  address: `10.9.0.${n}`,
  connection: n,
  userAgent: `field-client/${n}`,
  authorization: `Bearer field-${n}`,
});

export const call = (id: number | string, tool: string, args: object = {}, meta: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: tool, arguments: args, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) },
});
export const request = (id: number | string, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
export const notification = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', method, params });
export const result = (id: number | string, value: object = { content: [{ type: 'text', text: 'done' }] }): object => ({
  jsonrpc: '2.0',
  id,
  result: value,
});
export const failure = (id: number | string | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
export const step = (progressToken: number | string, progress: number): object =>
  notification('notifications/progress', { progressToken, progress, total: 10 });

/** A conversation between one client and one server, written down exchange by exchange. */
export class Script {
  readonly exchanges: WireExchange[] = [];
  readonly seed = 40_000 + scripts++;
  readonly session: string;
  nowMs = Date.UTC(2026, 5, 1, 8, 0, 0);
  #latestMs = this.nowMs;
  #lastStartMs = this.nowMs;
  readonly #echoes: boolean;
  readonly #version: string;

  constructor(server: Server = {}) {
    this.#echoes = server.echoes ?? true;
    this.session = server.session ?? `5e55-0000-4000-8000-${String(this.seed).padStart(12, '0')}`;
    this.#version = server.version ?? '2025-11-25';
  }

  wait(ms: number): this {
    this.nowMs = Math.max(this.nowMs, this.#latestMs) + ms;
    return this;
  }

  /** `initialize` and what follows it. */
  open(session: string | null = this.session, who?: Identity, id: number | string = 0): this {
    const asWho = who === undefined ? {} : { who };
    const answer = { protocolVersion: this.#version, capabilities: {}, serverInfo: { name: 'field', version: '1' } };
    this.post(
      request(id, 'initialize', {
        protocolVersion: this.#version,
        capabilities: {},
        clientInfo: { name: 'field', version: '1' },
      }),
      { json: result(id, answer), session },
      { session: null, version: null, ...asWho },
    );
    return this.post(notification('notifications/initialized'), { status: 202 }, { session, ...asWho });
  }

  post(body: object | null, reply: Reply = {}, ask: Ask = {}): this {
    return this.#add('POST', { body, ...ask }, reply);
  }

  get(cursor: string | null, reply: Reply = {}, ask: Ask = {}): this {
    return this.#add('GET', { cursor, ...ask }, { events: [], ...reply });
  }

  delete(reply: Reply = {}, ask: Ask = {}): this {
    return this.#add('DELETE', ask, reply);
  }

  #add(method: 'GET' | 'POST' | 'DELETE', ask: Ask, reply: Reply): this {
    const startMs = ask.besideMs === undefined ? this.nowMs : this.#lastStartMs + ask.besideMs;
    const session = ask.session === undefined ? this.session : ask.session;
    const x = new WireExchange(
      startMs,
      method,
      ask.who ?? person(1),
      session,
      ask.cursor ?? null,
      ask.version === undefined ? this.#version : ask.version,
      ask.body === undefined || ask.body === null ? null : JSON.stringify(ask.body),
      hex(this.seed, this.exchanges.length, 32),
      hex(this.seed, this.exchanges.length, 16),
    );
    x.status = reply.status === undefined ? 200 : reply.status;
    x.responseSession =
      reply.session !== undefined
        ? reply.session
        : this.#echoes && x.status !== null && x.status < 300
          ? session
          : null;
    x.backends = reply.backends ?? [{ address: '10.8.0.1:8080', status: null, ms: 0 }];
    this.#fill(x, reply);
    const latest = Math.max(startMs, ...x.events.map((event) => event.atMs));
    const endMs = Math.max(startMs + (reply.ms ?? 40), latest + 5);
    if (reply.end !== 'open') x.close(endMs, reply.end ?? 'complete');
    this.exchanges.push(x);
    this.#lastStartMs = startMs;
    this.#latestMs = Math.max(this.#latestMs, reply.end === 'open' ? latest : endMs);
    if (ask.besideMs === undefined) this.nowMs = (reply.end === 'open' ? latest : endMs) + 100;
    return this;
  }

  #fill(x: WireExchange, reply: Reply): void {
    if (reply.json !== undefined) {
      x.contentType = 'application/json';
      x.body = JSON.stringify(reply.json);
    } else if (reply.text !== undefined) {
      x.contentType = 'text/plain';
      x.body = reply.text;
    } else if (reply.events !== undefined && x.status !== null && x.status < 300) {
      x.contentType = 'text/event-stream';
      x.events = reply.events.map((event, at) => shownEvent(event, x.startMs + (event.atMs ?? 10 + at * 10)));
    }
  }

  history(restMs = 180_000): WireHistory {
    const endMs = Math.max(this.nowMs, this.#latestMs) + restMs;
    return { seed: this.seed, profile: 'script', endMs, exchanges: this.exchanges, injected: [] };
  }
}

function shownEvent(event: Shown, atMs: number): WireEvent {
  const data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data);
  return {
    id: event.id ?? null,
    type: 'message',
    data,
    retryMs: event.retryMs ?? null,
    atMs,
    partial: event.partial ?? false,
  };
}

const hex = (seed: number, n: number, length: number): string =>
  (seed * 4096 + n + 1).toString(16).padStart(length, 'a');
