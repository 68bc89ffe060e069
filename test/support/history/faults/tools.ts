import type { CallPlan, Client, Running } from '../client.js';
import { lastId } from '../client.js';
import type { Step } from '../clock.js';
import type { ServerSession, ServerStream } from '../server.js';
import type { WireExchange } from '../wire.js';

/** A fault: what a client, a server or what lies between them does wrong, once. */
export type Fault = (client: Client) => Step;

export const current = (client: Client): ServerSession => client.session as ServerSession;
export const hasIds = (client: Client): boolean => client.world.profile.ids !== 'none';
export const fresh = (client: Client): Record<string, unknown> => ({ code: `QX-${client.world.random.hex(10)}` });

/** Records what was done, for the session that the client has now. */
export function record(client: Client, fault: string, ...detectors: string[]): void {
  client.world.inject(fault, detectors, client.id);
}

/** A streamed call whose connection ends before the answer; the server works on. */
export function* cutCall(client: Client, plan: Partial<CallPlan> = {}): Step<Running> {
  const { random } = client.world;
  const progress = plan.progress ?? random.int(2, 4);
  const running = client.start({
    tool: 'book_courier',
    args: fresh(client),
    cut: { after: random.int(1, progress), end: 'truncated' },
    ...plan,
    progress,
  });
  yield running.x.done;
  return running;
}

/** Opens a GET that asks for the rest of a stream, without an answer yet. */
export function ask(client: Client, cursor: string | null): WireExchange {
  const x = client.send({ method: 'GET', cursor });
  client.route(x);
  return x;
}

/** Status and headers of an event stream. */
export function* accept(client: Client, x: WireExchange, session = current(client).echoed): Step {
  yield client.world.random.int(8, 30);
  x.status = 200;
  x.contentType = 'text/event-stream';
  x.responseSession = session;
}

export function show(client: Client, x: WireExchange, id: string | null, data: object | string): void {
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  x.events.push({ id, type: 'message', data: body, retryMs: null, atMs: client.now, partial: false });
}

/** An accepted GET that brings nothing. */
export function* emptyResume(client: Client, cursor: string | null, holdMs: number): Step<WireExchange> {
  const x = ask(client, cursor);
  yield* accept(client, x);
  yield holdMs;
  x.close(client.now, 'complete');
  return x;
}

/** The server refuses with the body that it has for unknown sessions. */
export function* notFound(
  client: Client,
  method: 'GET' | 'POST' | 'DELETE',
  cursor: string | null = null,
): Step<WireExchange> {
  const { unknown } = client.world.profile;
  const body = unknown.contentType === 'text/plain' ? unknown.body : (JSON.parse(unknown.body) as object);
  const message = method === 'POST' ? client.callMessage({ tool: 'find_parcel', args: fresh(client) }) : null;
  return yield* client.refused({ method, body: message, cursor }, unknown.status, body);
}

export const cursorOf = (running: Running): string | null => lastId(running.shown);

/** Replays kept events to a resume that does not deserve them. */
export function replay(client: Client, x: WireExchange, stream: ServerStream, from: number): void {
  for (const event of stream.kept.slice(from)) x.events.push({ ...event, atMs: client.now });
}
