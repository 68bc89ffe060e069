import { Client, progress, text } from '../client.js';
import type { Step } from '../clock.js';
import { notice } from '../listening.js';
import { accept, ask, current, cursorOf, cutCall, type Fault, fresh, hasIds, record, replay, show } from './tools.js';

/** Cuts a call, waits until the server has finished it, and resumes with a replay from a place of its own choice. */
const wrongReplay = (fault: string, detector: string, from: (cursorAt: number) => number): Fault =>
  function* (client) {
    if (!hasIds(client)) return;
    record(client, fault, detector);
    const running = yield* cutCall(client, { progress: 4, paceMs: 300, cut: { after: 2, end: 'truncated' } });
    yield 2_500;
    const cursor = cursorOf(running);
    const x = ask(client, cursor);
    yield* accept(client, x);
    const at = running.stream.kept.findIndex((event) => event.id === cursor);
    replay(client, x, running.stream, Math.max(0, from(at)));
    yield 5;
    x.close(client.now, 'complete');
  };

const inclusive = wrongReplay('starts with the last one', 'replayed-events', (at) => at);
const earlier = wrongReplay('starts from the beginning', 'replayed-events', () => 0);
const replayWithGap = wrongReplay('leaves one out', 'event-gap', (at) => at + 2);

/** Only contiguous families tell that something is missing. */
const gap: Fault = function* (client) {
  if (['go', 'rmcp'].includes(client.world.profile.ids)) yield* replayWithGap(client);
};

/** The client had the answer and asks again from before it. */
const answerAgain: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'an answer is replayed', 'replayed-events');
  const running = yield* client.call({ tool: 'book_courier', args: fresh(client), progress: 2 });
  yield 500;
  const x = ask(client, cursorOf(running));
  yield* accept(client, x);
  replay(client, x, running.stream, running.stream.kept.length - 1);
  yield 5;
  x.close(client.now, 'complete');
};

/** The resume of one stream brings what another stream has delivered. */
function* mixedReplay(client: Client, owner: Client): Step {
  const other = owner.start({ tool: 'book_courier', args: fresh(owner), progress: 3, paceMs: 200 });
  yield other.x.done;
  const running = yield* cutCall(client, { progress: 3, paceMs: 300, cut: { after: 1, end: 'truncated' } });
  yield 2_500;
  const x = ask(client, cursorOf(running));
  yield* accept(client, x);
  replay(client, x, other.stream, 1);
  replay(client, x, running.stream, running.stream.kept.findIndex((event) => event.id === cursorOf(running)) + 1);
  yield 5;
  x.close(client.now, 'complete');
}

const foreignWithin: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'another stream of the session is replayed', 'foreign-replay');
  yield* mixedReplay(client, client);
};

const foreignAcross: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'another session is replayed', 'foreign-replay');
  const stranger = new Client(client.world);
  yield* stranger.initialize();
  yield* mixedReplay(client, stranger);
};

const collision: Fault = function* (client) {
  if (!hasIds(client)) return;
  record(client, 'ids begin again', 'event-id-collision');
  const first = yield* client.call({ tool: 'book_courier', args: fresh(client), progress: 2 });
  const ids = first.x.events.filter((event) => event.data !== '').map((event) => event.id);
  yield 500;
  const message = client.callMessage({ tool: 'book_courier', args: fresh(client), progress: 2 });
  const x = client.send({ method: 'POST', body: message });
  client.route(x);
  yield* accept(client, x);
  for (const [at, id] of ids.entries()) {
    yield 200;
    const done = at === ids.length - 1;
    show(
      client,
      x,
      id,
      done ? { jsonrpc: '2.0', id: message.id, result: text('again') } : progress(message, at + 1, 2),
    );
  }
  x.close(client.now, 'complete');
};

const broadcast: Fault = function* (client) {
  if (!hasIds(client) || current(client).listening) return;
  record(client, 'one message on two streams', 'broadcast-message');
  const stream = current(client).openStream('get');
  const [a, b] = [ask(client, null), ask(client, null)];
  yield* accept(client, a);
  yield* accept(client, b);
  for (let n = 0; n < 3; n++) {
    yield client.world.random.int(600, 2_000);
    const id = current(client).mintId(stream);
    const message = notice(client.world.random.hex(8));
    show(client, a, id, message);
    show(client, b, id, message);
  }
  yield 3_000;
  a.close(client.now, 'client-aborted');
  b.close(client.now, 'client-aborted');
};

const answerOnGet: Fault = function* (client) {
  record(client, 'a response on a listening stream', 'broadcast-message');
  const get = ask(client, null);
  yield* accept(client, get);
  const running = client.start({ tool: 'find_parcel', args: fresh(client), paceMs: 900 });
  yield running.x.done;
  const answer = running.x.events.find((event) => event.data.includes('"result"'));
  show(client, get, null, answer?.data ?? '{}');
  yield 6_000;
  get.close(client.now, 'client-aborted');
};

const regression: Fault = function* (client) {
  record(client, 'progress goes back', 'progress-regression');
  const message = client.callMessage({ tool: 'book_courier', args: fresh(client), progress: 4 });
  const x = client.send({ method: 'POST', body: message });
  client.route(x);
  yield* accept(client, x);
  const stream = current(client).openStream('post');
  for (const n of client.world.random.pick([
    [1, 3, 2],
    [2, 2, 3],
  ])) {
    yield 300;
    show(client, x, current(client).mintId(stream), progress(message, n, 4));
  }
  yield 300;
  show(client, x, current(client).mintId(stream), { jsonrpc: '2.0', id: message.id, result: text('done') });
  x.close(client.now + 4, 'complete');
};

export const EVENTS = {
  inclusive,
  earlier,
  gap,
  'answer-again': answerAgain,
  'foreign-within': foreignWithin,
  'foreign-across': foreignAcross,
  collision,
  broadcast,
  'answer-on-get': answerOnGet,
  'progress-regression': regression,
} satisfies Record<string, Fault>;
