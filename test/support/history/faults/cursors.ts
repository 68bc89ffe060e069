import { Client, text } from '../client.js';
import {
  accept,
  ask,
  current,
  cursorOf,
  cutCall,
  emptyResume,
  type Fault,
  fresh,
  hasIds,
  notFound,
  record,
  show,
} from './tools.js';

/** Retries a lost session with a new one, and keeps the old cursor. */
const crossEpoch: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'the cursor of a lost session in a new one', 'cross-epoch-cursor', 'lost-response');
  const running = yield* cutCall(client, { progress: 4, cut: { after: 4, end: 'truncated' } });
  yield client.world.random.int(200, 900);
  const cursor = cursorOf(running);
  current(client).alive = false;
  yield* notFound(client, 'GET', cursor);
  yield 100;
  yield* client.initialize();
  yield 100;
  if (client.world.random.chance(0.5)) {
    const x = ask(client, cursor);
    yield* client.answer(
      x,
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: unknown event' } },
      null,
    );
    return;
  }
  const stream = current(client).openStream('get');
  const x = ask(client, cursor);
  yield* accept(client, x);
  yield client.world.random.int(50, 500);
  show(client, x, current(client).mintId(stream), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  yield client.world.random.int(5_200, 9_000);
  x.close(client.now, 'client-aborted');
};

const unissued: Fault = function* (client) {
  record(client, 'a cursor that nobody issued', 'unissued-cursor');
  const made = { none: 'mark-77', uuid: client.world.random.uuid(), counter: 'e90210' } as Record<string, string>;
  const cursor = made[client.world.profile.ids] ?? `${client.world.random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 26)}_7`;
  if (client.world.random.chance(0.5)) {
    const x = ask(client, cursor);
    yield* client.answer(
      x,
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Invalid event ID format' } },
      null,
    );
  } else yield* emptyResume(client, cursor, 6_000);
};

/** The last frame was cut; the client takes its id all the same. */
const partialFrame: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'the cursor of a frame that was cut', 'unissued-cursor');
  const running = client.start({ tool: 'book_courier', args: fresh(client), progress: 2, paceMs: 400, silent: true });
  yield 1_000;
  const id = current(client).mintId(running.stream);
  const data = JSON.stringify({ jsonrpc: '2.0', id: running.message.id, result: text('pickup booked, and so on') });
  running.x.events.push({ id, type: 'message', data, retryMs: null, atMs: client.now, partial: true });
  running.stream.connection = null;
  running.x.close(client.now, 'complete');
  yield 700;
  const x = ask(client, id);
  yield* client.answer(x, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'unknown event' } }, null);
};

const dropped: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'reconnects without its cursor', 'cursor-dropped', 'lost-response');
  yield* cutCall(client);
  yield client.world.random.int(200, 1_500);
  yield* emptyResume(client, null, 8_000);
};

const onPost: Fault = function* (client) {
  record(client, 'a cursor on every POST', 'cursor-on-post');
  const running = yield* client.call({ tool: 'book_courier', args: fresh(client), progress: 2 });
  const cursor = cursorOf(running) ?? 'mark-1';
  for (let n = 0; n < 3; n++) {
    const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
    const x = client.send({ method: 'POST', cursor, body: message });
    yield* client.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: text('ok') });
    yield client.world.random.int(100, 2_000);
  }
};

const headerMissing: Fault = function* (client) {
  record(client, 'the session header is left out', 'session-header-missing');
  for (let n = client.world.random.int(1, 3); n > 0; n--) {
    const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
    yield* client.refused({ method: 'POST', session: null, body: message }, 400, {
      jsonrpc: '2.0',
      id: message.id,
      error: { code: -32000, message: 'Bad Request: header required' },
    });
    yield client.world.random.int(100, 900);
  }
};

const staleInitialize: Fault = function* (client) {
  record(client, 'initialize with a stale id', 'initialize-with-session');
  const id = client.id;
  current(client).alive = false;
  yield* notFound(client, 'POST');
  yield 200;
  yield* client.initialize(id);
};

const shared: Fault = function* (client) {
  record(client, 'two principals under one id', 'shared-session');
  const thief = new Client(client.world);
  thief.nextId = 500;
  thief.session = client.session;
  thief.version = client.version;
  for (let n = client.world.random.int(2, 4); n > 0; n--) {
    yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
    yield* thief.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
    yield client.world.random.int(100, 900);
  }
  yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
};

const weak: Fault = function* (client) {
  record(client, 'ids that can be guessed', 'weak-session-id');
  const start = client.world.seed * 10;
  const sequential = client.world.random.chance(0.5);
  for (let n = 0; n < 4; n++) {
    current(client).alive = false;
    yield* client.initialize(null, sequential ? `session-${start + n}` : (start + n).toString(36));
    yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
  }
};

const churn: Fault = function* (client) {
  record(client, 'a session for every call', 'session-churn');
  for (let n = 0; n < 12; n++) {
    current(client).alive = false;
    yield* client.initialize();
    yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
    yield client.world.random.int(300, 5_000);
  }
};

export const CURSORS = {
  'cross-epoch': crossEpoch,
  unissued,
  'partial-frame': partialFrame,
  dropped,
  'cursor-on-post': onPost,
  'header-missing': headerMissing,
  'stale-initialize': staleInitialize,
  shared,
  weak,
  churn,
} satisfies Record<string, Fault>;
