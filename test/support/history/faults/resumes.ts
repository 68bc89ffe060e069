import type { Client } from '../client.js';
import type { Step } from '../clock.js';
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
  record,
  replay,
} from './tools.js';

const sameCursor: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'one cursor again and again', 'futile-resume', 'lost-response');
  const running = yield* cutCall(client);
  for (let n = client.world.random.int(3, 8); n > 0; n--) {
    yield client.world.random.int(500, 1_500);
    yield* emptyResume(client, cursorOf(running), client.world.random.int(5, 200));
  }
};

const silent: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'a resume without a byte', 'futile-resume', 'lost-response');
  const running = yield* cutCall(client);
  yield client.world.random.int(500, 1_500);
  yield* emptyResume(client, cursorOf(running), client.world.random.pick([20, 60_000]));
};

const loop: Fault = function* (client) {
  record(client, 'a listening stream in a loop', 'futile-resume');
  for (let n = client.world.random.int(5, 9); n > 0; n--) {
    yield* emptyResume(client, null, client.world.random.int(20, 900));
    yield 1_000;
  }
};

const concurrent: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'two resumes of one cursor at once', 'concurrent-resume');
  const running = yield* cutCall(client, { progress: 3, paceMs: 500, cut: { after: 1, end: 'truncated' } });
  yield 300;
  const [a, b] = [ask(client, cursorOf(running)), ask(client, cursorOf(running))];
  yield* accept(client, a);
  yield* accept(client, b);
  yield 3_000;
  const from = running.stream.kept.findIndex((event) => event.id === cursorOf(running)) + 1;
  replay(client, a, running.stream, from);
  yield 200;
  a.close(client.now, 'complete');
  b.close(client.now + 5, 'client-aborted');
};

function* refuse(client: Client, cursor: string | null, status: number, message: string): Step {
  const x = ask(client, cursor);
  yield* client.answer(x, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }, null);
}

const refused: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'a resume is refused', 'resume-refused');
  const running = yield* client.call({ tool: 'book_courier', args: fresh(client), progress: 2 });
  yield 900;
  yield* refuse(
    client,
    cursorOf(running),
    client.world.random.pick([400, 401, 403, 500]),
    'Bad Request: event is no longer available',
  );
};

const held: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'the old stream is held', 'resume-refused');
  const running = yield* client.call({ tool: 'book_courier', args: fresh(client), progress: 2 });
  for (let n = client.world.random.int(2, 3); n > 0; n--) {
    yield 1_500;
    yield* refuse(client, cursorOf(running), 409, 'Conflict: a stream is already open for this session');
  }
};

const cutoff: Fault = function* (client) {
  record(client, 'listening streams end at one age', 'stream-cutoff');
  const ageMs = client.world.random.pick([30_000, 60_000, 100_000]);
  for (let n = client.world.random.int(5, 7); n > 0; n--) {
    yield* emptyResume(client, null, ageMs + client.world.random.int(0, 200));
    yield client.world.random.int(100, 1_000);
  }
  yield* client.call({ tool: 'find_parcel', args: { session: current(client).backend }, answer: 'json' });
};

export const RESUMES = {
  'same-cursor': sameCursor,
  silent,
  loop,
  concurrent,
  refused,
  held,
  cutoff,
} satisfies Record<string, Fault>;
