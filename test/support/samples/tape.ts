import { accepted, json } from './replies.js';
import type { Ask, Exchange, Party, Reply } from './wire.js';

const DESKTOP: Party = {
  userAgent: 'desktop-assistant/2.1',
  address: '10.7.0.20',
  connection: 41,
  authorization: null,
};
const START = '2026-11-12T14:00:00.000Z';
const INSTANCE = '10.20.0.11:8080';

/** Another client program, or the same one somewhere else. */
export function party(differs: Partial<Party> = {}): Party {
  return { ...DESKTOP, ...differs };
}

/** What passed on the wire, in order, on a clock of its own. */
export class Tape {
  readonly exchanges: Exchange[] = [];
  /** On every request but `initialize`. */
  readonly version: string;
  #nowMs = Date.parse(START);

  constructor(version = '2025-11-25') {
    this.version = version;
  }

  wait(ms: number): this {
    this.#nowMs += ms;
    return this;
  }

  send(ask: Ask, reply: Reply): this {
    const startMs = this.#nowMs;
    const endMs = startMs + reply.tookMs;
    const answeredSession = reply.session === undefined ? ask.session : reply.session;
    const backends = reply.backends ?? [INSTANCE];
    this.exchanges.push({ startMs, endMs, ask, reply, answeredSession, backends });
    this.#nowMs = reply.meanwhile === true ? startMs + 150 : endMs + 250;
    return this;
  }

  /** A session from its beginning: `initialize`, then `notifications/initialized`. */
  open(id: string, how: { party?: Party; carrying?: string; reply?: Partial<Reply> } = {}): Session {
    const session = new Session(this, id, how.party ?? DESKTOP);
    session.initialize(how.carrying ?? null, how.reply);
    return session.initialized();
  }

  /** A session that had begun before the capture did. */
  join(id: string, as: Party = DESKTOP): Session {
    return new Session(this, id, as);
  }
}

/** One client in one session. */
export class Session {
  readonly #tape: Tape;
  readonly #party: Party;
  readonly id: string;

  constructor(tape: Tape, id: string, as: Party) {
    this.#tape = tape;
    this.id = id;
    this.#party = as;
  }

  /** `carrying`: a session id on the request, which should have none. */
  initialize(carrying: string | null, reply: Partial<Reply> = {}): this {
    const message = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: this.#party.userAgent.split('/')[0], version: '2.1' },
      },
    };
    const answer = json({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'depot', version: '1.4.0' },
      },
    });
    return this.#send({ method: 'POST', session: carrying, message }, { ...answer, session: this.id, ...reply });
  }

  initialized(): this {
    return this.notify('notifications/initialized', undefined, accepted());
  }

  /** Any POST. `headers` change what stands on the request. */
  post(message: unknown, reply: Reply, headers: { session?: string | null; cursor?: string } = {}): this {
    const ask = { method: 'POST', session: this.id, ...headers } as const;
    return this.#send(message === undefined ? ask : { ...ask, message }, reply);
  }

  notify(method: string, params: object | undefined, reply: Reply, headers: { session?: string | null } = {}): this {
    return this.post({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }, reply, headers);
  }

  /** `tools/call`. `token`: asks for progress. */
  call(id: unknown, tool: string, args: object, reply: Reply, token?: string): this {
    return this.post(callMessage(id, tool, args, token), reply);
  }

  get(reply: Reply, headers: { session?: string | null; cursor?: string } = {}): this {
    return this.#send({ method: 'GET', session: this.id, ...headers }, reply);
  }

  wait(ms: number): this {
    this.#tape.wait(ms);
    return this;
  }

  resume(cursor: string, reply: Reply): this {
    return this.get(reply, { cursor });
  }

  end(reply: Reply): this {
    return this.#send({ method: 'DELETE', session: this.id }, reply);
  }

  #send(ask: Omit<Ask, 'party' | 'version'>, reply: Reply): this {
    this.#tape.send({ ...ask, party: this.#party, version: this.#tape.version }, reply);
    return this;
  }
}

export function callMessage(id: unknown, tool: string, args: object, token?: string): object {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: args, ...meta } };
}
