import type { Step } from './clock.js';
import { Signal } from './clock.js';
import { toolList } from './profiles.js';
import type { ServerSession, ServerStream } from './server.js';
import type { WireEvent, WireExchange } from './wire.js';
import type { Sent, World } from './world.js';

export interface Rpc {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** How a call goes. Times are milliseconds. */
export interface CallPlan {
  tool: string;
  args: Record<string, unknown>;
  answer?: 'json' | 'stream';
  progress?: number;
  paceMs?: number;
  result?: object;
  error?: { code: number; message: string };
  /** The connection ends after so many events; the server works on. */
  cut?: { after: number; end: 'truncated' | 'client-aborted' | 'timed-out' | 'complete' };
  /** The server closes the connection after so many events and wants the client to come back. */
  pollAfter?: number;
  id?: number | string;
  params?: Record<string, unknown>;
  /** Never answered. */
  silent?: boolean;
}

/** A call under way: the exchange that asked, the stream of the answer. */
export interface Running {
  x: WireExchange;
  stream: ServerStream;
  message: Rpc;
  answered: Signal;
  /** Exchanges that showed this stream to the client. */
  shown: WireExchange[];
}

/** One MCP client with its habits. */
export class Client {
  readonly identity;
  session: ServerSession | null = null;
  version: string;
  /** The next JSON-RPC id. */
  nextId = 0;

  constructor(
    readonly world: World,
    readonly ids: 'number' | 'text' = 'number',
  ) {
    this.identity = world.identity();
    this.version = world.random.pick(world.profile.versions);
  }

  get id(): string | null {
    return this.session?.id ?? null;
  }

  get now(): number {
    return this.world.clock.nowMs;
  }

  mint(): number | string {
    const n = this.nextId++;
    return this.ids === 'number' ? n : `req-${n}-${this.world.random.hex(8)}`;
  }

  request(method: string, params?: Record<string, unknown>): Rpc {
    return { jsonrpc: '2.0', id: this.mint(), method, ...(params === undefined ? {} : { params }) };
  }

  send(sent: Sent): WireExchange {
    const version = this.version >= '2025-06-18' && this.session !== null ? this.version : null;
    return this.world.send(this.identity, { session: this.id, version, ...sent });
  }

  /** The server answers with a whole body. */
  *answer(
    x: WireExchange,
    status: number,
    body: object | string | null,
    session: string | null = this.session?.echoed ?? null,
    delayMs = this.world.random.int(8, 60),
  ): Step {
    this.route(x);
    yield delayMs;
    x.status = status;
    x.responseSession = session;
    x.contentType = body === null ? null : typeof body === 'string' ? 'text/plain' : 'application/json';
    x.body = body === null ? null : typeof body === 'string' ? body : JSON.stringify(body);
    x.close(this.now, 'complete');
  }

  route(x: WireExchange, backend = this.session?.backend ?? this.world.backends[0] ?? ''): void {
    x.backends = [{ address: backend, status: null, ms: 0 }];
  }

  /** `initialize`, `notifications/initialized`, `tools/list`. */
  *initialize(stale: string | null = null, id: string | null = null): Step {
    const { random } = this.world;
    this.session = null;
    const message = this.request('initialize', {
      protocolVersion: this.version,
      capabilities: {},
      clientInfo: { name: 'bench-client', version: '3.2.1' },
    });
    const x = this.world.send(this.identity, { method: 'POST', session: stale, body: message });
    const session = this.world.session(this.version, id);
    this.route(x, session.backend);
    yield random.int(10, 40);
    yield* this.answer(x, 200, initialised(message, this.version, this.world.profile.name), session.id);
    x.backends = [{ address: session.backend, status: 200, ms: 5 }];
    this.session = session;
    yield random.int(20, 300);
    const noted = this.send({ method: 'POST', body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
    yield* this.answer(noted, 202, null);
    yield random.int(20, 300);
    yield* this.list();
  }

  *list(): Step {
    const message = this.request('tools/list');
    const x = this.send({ method: 'POST', body: message });
    yield* this.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: toolList() });
  }

  *ping(): Step {
    const message = this.request('ping');
    const x = this.send({ method: 'POST', body: message });
    yield* this.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: {} });
  }

  /** Sends a message that the server refuses. */
  *refused(sent: Sent, status: number, body: object | string): Step<WireExchange> {
    const x = this.send(sent);
    yield* this.answer(x, status, body, null);
    return x;
  }

  callMessage(plan: CallPlan): Rpc {
    const id = plan.id ?? this.mint();
    const meta = (plan.progress ?? 0) > 0 ? { _meta: { progressToken: typeof id === 'number' ? id : `t-${id}` } } : {};
    return {
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: plan.tool, arguments: plan.args, ...meta, ...plan.params },
    };
  }

  /** Sends a call and lets the server work on it; returns at once. */
  start(plan: CallPlan): Running {
    const session = this.session as ServerSession;
    const message = this.callMessage(plan);
    const x = this.send({ method: 'POST', body: message });
    this.route(x);
    const running: Running = { x, stream: session.openStream('post'), message, answered: new Signal(), shown: [x] };
    this.world.clock.spawn(this.work(running, plan, session));
    return running;
  }

  *work(running: Running, plan: CallPlan, session: ServerSession): Step {
    const { random } = this.world;
    const { x, stream, message } = running;
    const paceMs = plan.paceMs ?? random.int(60, 900);
    const reply =
      plan.error !== undefined ? { error: plan.error } : { result: plan.result ?? text(`done ${random.hex(12)}`) };
    const answer = { jsonrpc: '2.0', id: message.id, ...reply };
    yield random.int(5, 40);
    if ((plan.answer ?? 'stream') === 'json') {
      yield paceMs;
      running.answered.fired = true;
      yield* this.answer(x, 200, answer, session.echoed, 5);
      return;
    }
    x.status = 200;
    x.contentType = 'text/event-stream';
    x.responseSession = session.echoed;
    stream.connection = x;
    let sent = 0;
    const pass = function* (this: void): Step {
      sent += 1;
      if (plan.cut?.after === sent) {
        yield random.int(20, 200);
        x.close(clock.nowMs, plan.cut.end);
      }
      if (plan.pollAfter === sent) {
        yield random.int(5, 50);
        stream.connection?.close(clock.nowMs, 'complete');
        stream.connection = null;
      }
    };
    const { clock } = this.world;
    if (plan.cut?.after === 0) {
      yield random.int(20, 200);
      x.close(this.now, plan.cut.end);
    }
    if (session.primes && session.profile.ids !== 'none') {
      session.emit(stream, '', plan.pollAfter === undefined ? null : 500);
      yield* pass();
    }
    for (let n = 1; n <= (plan.progress ?? 0); n++) {
      yield paceMs;
      session.emit(stream, JSON.stringify(progress(message, n, plan.progress ?? 1)));
      yield* pass();
    }
    yield paceMs;
    if (plan.silent === true) return;
    session.emit(stream, JSON.stringify(answer));
    running.answered.fired = true;
    yield* pass();
    yield random.int(1, 10);
    stream.connection?.close(this.now, 'complete');
    stream.connection = null;
  }

  /** Asks for the rest of a stream as the specification says, and waits for its end. */
  *resume(running: Running, cursor = lastId(running.shown)): Step<WireExchange> {
    const session = this.session as ServerSession;
    const x = this.send({ method: 'GET', cursor });
    this.route(x);
    running.shown.push(x);
    yield this.world.random.int(8, 30);
    x.status = 200;
    x.contentType = 'text/event-stream';
    x.responseSession = session.echoed;
    const { stream } = running;
    const missed = cursor === null ? [] : session.after(stream, cursor);
    stream.connection = x;
    for (const event of missed) session.deliver(stream, event);
    if (running.answered.fired) {
      yield this.world.random.int(2, 20);
      stream.connection = null;
      x.close(this.now, 'complete');
      return x;
    }
    if (missed.length === 0 && session.primes) session.emit(stream, '');
    yield x.done;
    return x;
  }

  /** Calls, waits, and resumes until the answer is there. */
  *call(plan: CallPlan): Step<Running> {
    const running = this.start(plan);
    yield running.x.done;
    for (let tries = 0; !answeredIn(running) && tries < 8; tries++) {
      yield plan.pollAfter === undefined ? this.world.random.int(200, 1_200) : this.world.random.int(520, 700);
      yield* this.resume(running);
    }
    return running;
  }
}

export const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });

export const progress = (message: Rpc, n: number, total: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: {
    progressToken: (message.params?._meta as { progressToken: string | number } | undefined)?.progressToken,
    progress: n,
    total,
  },
});

export const initialised = (message: Rpc, version: string, name: string): object => ({
  jsonrpc: '2.0',
  id: message.id,
  result: {
    protocolVersion: version,
    capabilities: { tools: {} },
    serverInfo: { name: `${name}-tools`, version: '1.4.0' },
  },
});

/** The id that a client holds after what it was shown. */
export function lastId(shown: readonly WireExchange[]): string | null {
  const ids = shown.flatMap((x) => x.events.filter((event) => !event.partial).map((event: WireEvent) => event.id));
  return ids.filter((id) => id !== null).at(-1) ?? null;
}

/** The client was shown the answer. */
export function answeredIn(running: Running): boolean {
  const own = JSON.stringify(running.message.id);
  if (running.x.body !== null) return true;
  return running.shown.some((x) =>
    x.events.some(
      (event) =>
        !event.partial &&
        new RegExp(`"id":${own.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[,}]`).test(event.data) &&
        /"(result|error)"/.test(event.data),
    ),
  );
}
