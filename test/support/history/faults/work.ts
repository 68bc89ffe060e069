import { Client, text } from '../client.js';
import type { Step } from '../clock.js';
import { price } from '../habits.js';
import { modern, modernStream } from '../stateless.js';
import { accept, current, cutCall, type Fault, fresh, record, show } from './tools.js';

const TOOLS = ['book_courier', 'wipe_shelf', 'send_note', 'set_label', 'find_parcel'];

/** The stream is cut before the answer, and the client calls again. */
const retryAfterCut = (where: 'same-session' | 'new-session' | 'same-id'): Fault =>
  function* (client) {
    record(client, `repeats after a cut, ${where}`, 'duplicate-tool-call', 'lost-response');
    const args = fresh(client);
    const tool = client.world.random.pick(TOOLS);
    const end = client.world.random.pick(['truncated', 'timed-out', 'client-aborted', 'complete'] as const);
    const running = yield* cutCall(client, {
      tool,
      args,
      cut: { after: client.world.random.int(0, 2), end },
      progress: 3,
    });
    yield client.world.random.int(300, 2_000);
    if (where === 'new-session') yield* client.initialize();
    const id = where === 'same-id' && running.message.id !== undefined ? { id: running.message.id } : {};
    yield* client.call({ tool, args, progress: 2, ...id });
  };

const answeredThenCut: Fault = function* (client) {
  record(client, 'repeats a call whose answer had come before the cut', 'duplicate-tool-call');
  const args = fresh(client);
  const tool = client.world.random.pick(TOOLS);
  const session = current(client);
  const priming = session.primes && session.profile.ids !== 'none' ? 1 : 0;
  const running = client.start({ tool, args, progress: 2 });
  yield running.answered;
  running.x.close(client.now, 'truncated');
  if (priming < 0) return;
  yield client.world.random.int(300, 2_000);
  yield* client.call({ tool, args, progress: 2 });
};

const timedOutAndCancelled: Fault = function* (client) {
  record(client, 'times out, cancels, calls again', 'duplicate-tool-call');
  const args = fresh(client);
  const tool = client.world.random.pick(TOOLS);
  const running = client.start({ tool, args, progress: 1, paceMs: 30_000 });
  yield 58_000;
  const note = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: running.message.id, reason: 'timeout' },
  };
  yield* client.answer(client.send({ method: 'POST', body: note }), 202, null);
  yield 500;
  yield* client.call({ tool, args, answer: 'json' });
  yield running.x.done;
};

const retryAfterError: Fault = function* (client) {
  record(client, 'repeats after 5xx', 'duplicate-tool-call');
  const args = fresh(client);
  const tool = client.world.random.pick(TOOLS);
  yield* client.refused(
    { method: 'POST', body: client.callMessage({ tool, args }) },
    client.world.random.pick([500, 502, 504]),
    'upstream trouble',
  );
  yield client.world.random.int(300, 2_000);
  yield* client.call({ tool, args, answer: 'json' });
};

const reissued: Fault = function* (client) {
  const guest = new Client(client.world);
  client.world.inject('stateless: issued again after a cut', ['duplicate-tool-call', 'lost-response'], null);
  const call = {
    name: client.world.random.pick(['book_courier', 'send_note', 'wipe_shelf']),
    arguments: fresh(client),
  };
  yield* modernStream(guest, modern(guest, 'tools/call', call), 3, 1);
  yield client.world.random.int(300, 1_500);
  yield* modernStream(guest, modern(guest, 'tools/call', call), 2, null);
};

const proxyRetry: Fault = function* (client) {
  record(client, 'a POST is sent to two upstreams', 'duplicate-tool-call');
  const message = client.callMessage({ tool: 'book_courier', args: fresh(client) });
  const x = client.send({ method: 'POST', body: message });
  yield 30_050;
  yield* client.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: text('booked') });
  x.backends = [
    { address: '10.20.0.11:8080', status: 504, ms: 30_001 },
    { address: '10.20.0.12:8080', status: 200, ms: 40 },
  ];
};

const lost = (end: 'truncated' | 'client-aborted' | 'timed-out' | 'complete'): Fault =>
  function* (client) {
    record(client, `an answer is lost, ${end}`, 'lost-response');
    const tool = client.world.random.pick(TOOLS);
    yield* cutCall(client, { tool, cut: { after: client.world.random.int(0, 2), end }, progress: 3 });
    yield client.world.random.int(300, 2_000);
    yield* client.ping();
  };

const noAnswerAtAll: Fault = function* (client) {
  record(client, 'no byte of an answer', 'lost-response');
  const x = client.send({ method: 'POST', body: client.callMessage({ tool: 'send_note', args: fresh(client) }) });
  client.route(x);
  yield client.world.random.int(1_000, 60_000);
  x.close(client.now, client.world.random.pick(['truncated', 'client-aborted'] as const));
  yield 400;
  yield* client.ping();
};

/** Sends two calls whose answers go where they do not belong. */
function* crossedAnswers(client: Client, ids: [number | string, number | string], swap: boolean): Step {
  const plans = [
    client.callMessage({ tool: 'tide_table', args: fresh(client), id: ids[0] }),
    client.callMessage({ tool: 'berth_price', args: fresh(client), id: ids[1] }),
  ] as const;
  const tide = { ...text('tides'), structuredContent: { high_water: '13:42', low_water: '19:55' } };
  const results = [tide, price(client)] as const;
  const posts = plans.map((message) => client.send({ method: 'POST', body: message }));
  for (const [at, x] of posts.entries()) {
    client.route(x);
    yield* accept(client, x);
    yield 700;
    const from = swap ? 1 - at : at;
    const stream = current(client).openStream('post');
    show(client, x, current(client).mintId(stream), { jsonrpc: '2.0', id: plans[from]?.id, result: results[from] });
    x.close(client.now + 3, 'complete');
  }
}

const wrongStream: Fault = function* (client) {
  record(client, 'answers on each other’s streams', 'misattributed-result');
  yield* crossedAnswers(client, [client.mint(), client.mint()], true);
};

const swapped: Fault = function* (client) {
  record(client, 'two in flight under one id, swapped', 'misattributed-result', 'jsonrpc-id-reuse');
  const id = client.mint();
  yield* crossedAnswers(client, [id, id], true);
};

const reusedInFlight: Fault = function* (client) {
  record(client, 'two in flight under one id, in their places', 'jsonrpc-id-reuse');
  const id = client.mint();
  yield* crossedAnswers(client, [id, id], false);
};

const reusedLater: Fault = function* (client) {
  record(client, 'one id for two requests, one after the other', 'jsonrpc-id-reuse');
  const id = client.mint();
  for (let n = 0; n < 3; n++) {
    yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json', id });
    yield 500;
  }
};

const unsolicited: Fault = function* (client) {
  record(client, 'an answer that nobody asked for', 'misattributed-result');
  const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
  const x = client.send({ method: 'POST', body: message });
  client.route(x);
  yield* accept(client, x);
  show(client, x, null, { jsonrpc: '2.0', id: 'nobody-7', result: text('whose is this') });
  yield 100;
  show(client, x, null, { jsonrpc: '2.0', id: message.id, result: text('this is mine') });
  x.close(client.now + 3, 'complete');
};

const twoAnswers: Fault = function* (client) {
  record(client, 'two different answers', 'misattributed-result');
  const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
  const x = client.send({ method: 'POST', body: message });
  client.route(x);
  yield* accept(client, x);
  for (const word of ['gate 4', 'gate 19']) {
    yield 300;
    show(client, x, null, { jsonrpc: '2.0', id: message.id, result: text(word) });
  }
  x.close(client.now + 3, 'complete');
};

export const WORK = {
  'retry-after-cut': retryAfterCut('same-session'),
  'retry-in-new-session': retryAfterCut('new-session'),
  'retry-same-id': retryAfterCut('same-id'),
  'answered-then-cut': answeredThenCut,
  'timed-out-cancelled': timedOutAndCancelled,
  'retry-after-error': retryAfterError,
  reissued,
  'proxy-retry': proxyRetry,
  'lost-truncated': lost('truncated'),
  'lost-aborted': lost('client-aborted'),
  'lost-timed-out': lost('timed-out'),
  'lost-drained': lost('complete'),
  'no-answer-at-all': noAnswerAtAll,
  'wrong-stream': wrongStream,
  swapped,
  'reused-in-flight': reusedInFlight,
  'reused-later': reusedLater,
  unsolicited,
  'two-answers': twoAnswers,
} satisfies Record<string, Fault>;
