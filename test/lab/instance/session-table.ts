import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { CounterEventStore } from './counter-event-store.js';
import { traceMessages } from './message-spans.js';
import type { InstanceSettings } from './settings.js';
import { makeServer, type ToolHost } from './tools.js';
import type { TruthLog } from './truth-log.js';

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  lastSeenMs: number;
  openRequests: number;
}

/** Where the SDK's transport keeps whether it may answer: a server that takes over a session has to say so. */
interface Established {
  readonly _webStandardTransport: { _initialized: boolean; sessionId: string };
}

/** The sessions of one instance, as an application around the SDK keeps them. */
export class SessionTable {
  readonly #sessions = new Map<string, Session>();
  readonly #settings: InstanceSettings;
  readonly #truth: TruthLog;
  readonly #host: ToolHost;

  constructor(settings: InstanceSettings, truth: TruthLog, host: ToolHost) {
    this.#settings = settings;
    this.#truth = truth;
    this.#host = host;
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      if (!isInitializeRequest(body)) return refuse(response, 400, -32000, 'Bad Request: Mcp-Session-Id is required');
      return (await this.#open(null)).handleRequest(request, response, body);
    }
    const session = this.#sessions.get(id);
    if (session !== undefined) return this.#serve(session, request, response, body);
    const http = request.method ?? '';
    switch (this.#settings.unknownSession) {
      case 'refuse': {
        const cursor = request.headers['last-event-id'];
        this.#truth.say({ what: 'refused', session: id, http, cursor: typeof cursor === 'string' ? cursor : null });
        return refuse(response, 404, -32001, 'Session not found');
      }
      case 'adopt': {
        this.#truth.say({ what: 'adopted', session: id });
        await this.#open(id);
        return this.#serve(this.#sessions.get(id)!, request, response, body);
      }
      case 'mint': {
        const fresh = randomUUID();
        this.#truth.say({ what: 'minted', session: fresh, instead: id, http });
        const transport = await this.#open(fresh);
        replaceHeaders(request, fresh);
        await this.#serve(this.#sessions.get(fresh)!, request, response, body);
        if (http === 'GET') await greet(transport, this.#settings.name);
      }
    }
  }

  /** Says something on the listening stream of every session. */
  async announce(text: string): Promise<void> {
    for (const { transport } of this.#sessions.values()) await greet(transport, text);
  }

  forgetIdle(limitMs: number): void {
    for (const [id, session] of this.#sessions) {
      if (session.openRequests === 0 && Date.now() - session.lastSeenMs > limitMs) {
        this.#truth.say({ what: 'forgot', session: id, why: 'idle' });
        this.#sessions.delete(id);
        void session.transport.close();
      }
    }
  }

  async closeAll(): Promise<void> {
    for (const [id, { transport }] of this.#sessions) {
      this.#truth.say({ what: 'forgot', session: id, why: 'stopped' });
      await transport.close();
    }
    this.#sessions.clear();
  }

  async #serve(session: Session, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    session.lastSeenMs = Date.now();
    // A listening stream is no use of the session: what counts is that the client asks for something.
    const isUse = request.method === 'POST';
    if (isUse) {
      session.openRequests += 1;
      response.once('close', () => {
        session.openRequests -= 1;
        session.lastSeenMs = Date.now();
      });
    }
    await session.transport.handleRequest(request, response, body);
  }

  /** A new session; under `takenOver` it is one that already talks. */
  async #open(takenOver: string | null): Promise<StreamableHTTPServerTransport> {
    const eventStore = this.#eventStore();
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: this.#settings.answersJson,
      retryInterval: 200,
      ...(eventStore === null ? {} : { eventStore }),
      onsessioninitialized: (id) => {
        this.#truth.say({ what: 'issued', session: id });
        this.#add(id, transport);
      },
      onsessionclosed: (id) => {
        this.#truth.say({ what: 'forgot', session: id, why: 'deleted' });
        this.#sessions.delete(id);
      },
    });
    if (takenOver !== null) {
      const inner = (transport as unknown as Established)._webStandardTransport;
      inner._initialized = true;
      inner.sessionId = takenOver;
      this.#add(takenOver, transport);
    }
    const server = makeServer(this.#settings.name, this.#host);
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    traceMessages(transport);
    return transport;
  }

  #add(id: string, transport: StreamableHTTPServerTransport): void {
    this.#sessions.set(id, { transport, lastSeenMs: Date.now(), openRequests: 0 });
  }

  #eventStore(): EventStore | null {
    if (this.#settings.events === 'none') return null;
    return this.#settings.events === 'sdk' ? new InMemoryEventStore() : new CounterEventStore();
  }
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

/** The new session knows nothing of the cursor of the old one. */
function replaceHeaders(request: IncomingMessage, session: string): void {
  const raw: string[] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index]!, request.rawHeaders[index + 1]!];
    if (name.toLowerCase() === 'last-event-id') continue;
    raw.push(name, name.toLowerCase() === 'mcp-session-id' ? session : value);
  }
  request.rawHeaders = raw;
  request.headers['mcp-session-id'] = session;
  delete request.headers['last-event-id'];
}

async function greet(transport: StreamableHTTPServerTransport, text: string): Promise<void> {
  await transport.send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } });
}
