import { type Client, text } from './client.js';
import type { Step } from './clock.js';
import { listening } from './listening.js';
import type { ServerSession } from './server.js';
import { modern } from './stateless.js';

/** Things that well-behaved clients and servers do, in any order. None of them deserves a finding of medium or above. */
export type Habit = (client: Client) => Step;

const canResume = (client: Client): boolean => client.world.profile.ids !== 'none';

function fresh(client: Client): Record<string, unknown> {
  return { code: `PX-${client.world.random.hex(10)}` };
}

const jsonCall: Habit = function* (client) {
  yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
};

const streamedCall: Habit = function* (client) {
  const { random } = client.world;
  yield* client.call({
    tool: random.pick(['book_courier', 'wipe_shelf', 'send_note']),
    args: fresh(client),
    progress: random.int(0, 4),
  });
};

const cutAndResumed: Habit = function* (client) {
  if (!canResume(client)) return;
  const { random } = client.world;
  const progress = random.int(2, 5);
  yield* client.call({
    tool: 'book_courier',
    args: fresh(client),
    progress,
    cut: { after: random.int(1, progress), end: 'truncated' },
  });
};

const polled: Habit = function* (client) {
  if (client.session?.primes !== true || !canResume(client)) return;
  const { random } = client.world;
  yield* client.call({
    tool: 'book_courier',
    args: fresh(client),
    progress: random.int(1, 3),
    paceMs: random.int(800, 2_500),
    pollAfter: random.int(1, 2),
  });
};

const parallel: Habit = function* (client) {
  const { random } = client.world;
  const running = Array.from({ length: random.int(2, 4) }, () =>
    client.start({
      tool: 'berth_price',
      args: fresh(client),
      answer: random.pick(['json', 'stream'] as const),
      result: price(client),
    }),
  );
  for (const one of running) yield one.x.done;
};

export const price = (client: Client): object => ({
  ...text('a price'),
  structuredContent: { berth: client.world.random.hex(4), euros: client.world.random.int(10, 90) },
});

const cancelled: Habit = function* (client) {
  const { random } = client.world;
  const running = client.start({ tool: 'send_note', args: fresh(client), progress: 2, paceMs: 2_000, silent: true });
  yield random.int(500, 1_500);
  const note = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: running.message.id, reason: 'user' },
  };
  const x = client.send({ method: 'POST', body: note });
  yield* client.answer(x, 202, null);
  yield random.int(50, 300);
  running.stream.connection = null;
  running.x.close(client.now, 'complete');
};

const failingTool: Habit = function* (client) {
  const args = fresh(client);
  const result = { ...text('Session not found in the booking ledger'), isError: true };
  yield* client.call({ tool: 'find_parcel', args, result, answer: 'json' });
  yield client.world.random.int(200, 2_000);
  yield* client.call({ tool: 'find_parcel', args, result: text('found after all'), answer: 'json' });
};

const badArguments: Habit = function* (client) {
  yield* client.call({
    tool: 'send_note',
    args: fresh(client),
    answer: 'json',
    error: { code: -32602, message: 'Invalid params: code' },
  });
};

const steadyPolling: Habit = function* (client) {
  const args = fresh(client);
  for (let n = 0; n < client.world.random.int(3, 6); n++) {
    yield* client.call({ tool: 'job_status', args, answer: 'json', paceMs: 30 });
    yield 2_000;
  }
};

const serverAsks: Habit = function* (client) {
  const session = client.session as ServerSession;
  const { random } = client.world;
  const running = client.start({ tool: 'send_note', args: fresh(client), progress: 1, paceMs: 2_500 });
  yield 800;
  const id = `srv-${random.hex(6)}`;
  session.emit(
    running.stream,
    JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: 'Which quay?' } }),
  );
  yield random.int(100, 600);
  const x = client.send({ method: 'POST', body: { jsonrpc: '2.0', id, result: { action: 'accept', content: {} } } });
  yield* client.answer(x, 202, null);
  yield running.x.done;
};

const tasked: Habit = function* (client) {
  if (client.version !== '2025-11-25') return;
  const taskId = client.world.random.uuid();
  const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId } } };
  yield* client.call({
    tool: 'book_courier',
    args: fresh(client),
    answer: 'json',
    params: { task: { ttl: 60_000 } },
    result: { task: { taskId, status: 'working' } },
  });
  for (const status of ['working', 'working', 'completed']) {
    yield 1_500;
    yield* plain(client, 'tasks/get', { taskId }, { taskId, status });
  }
  yield* plain(client, 'tasks/result', { taskId }, { ...text('booked'), ...related });
};

function* plain(client: Client, method: string, params: Record<string, unknown>, result: object): Step {
  const message = client.request(method, params);
  const x = client.send({ method: 'POST', body: message });
  yield* client.answer(x, 200, { jsonrpc: '2.0', id: message.id, result });
}

const batch: Habit = function* (client) {
  if (client.version !== '2025-03-26') return;
  const messages = [client.request('ping'), client.request('resources/list')];
  const x = client.send({ method: 'POST', body: messages });
  const results = messages.map((message, at) => ({
    jsonrpc: '2.0',
    id: message.id,
    result: at === 0 ? {} : { resources: [] },
  }));
  yield* client.answer(x, 200, results);
};

const refreshedToken: Habit = function* (client) {
  client.identity.authorization = `Bearer ${client.world.random.hex(24)}`;
  yield* client.ping();
};

const serverError: Habit = function* (client) {
  const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
  yield* client.refused(
    { method: 'POST', body: message },
    client.world.random.pick([429, 500, 502]),
    'upstream trouble',
  );
};

const lostAndRecovered: Habit = function* (client) {
  const args = fresh(client);
  const { random } = client.world;
  const { unknown } = client.world.profile;
  (client.session as ServerSession).alive = false;
  const message = client.callMessage({ tool: 'book_courier', args });
  const x = client.send({ method: 'POST', body: message });
  yield* client.answer(
    x,
    404,
    unknown.contentType === 'text/plain' ? unknown.body : (JSON.parse(unknown.body) as object),
    null,
  );
  yield random.int(50, 500);
  yield* client.initialize();
  const again = random.chance(0.5) && message.id !== undefined ? { id: message.id } : {};
  yield* client.call({ tool: 'book_courier', args, answer: 'json', ...again });
};

const deletedAndNew: Habit = function* (client) {
  const session = client.session as ServerSession;
  session.alive = false;
  const x = client.send({ method: 'DELETE' });
  yield* client.answer(x, client.world.random.pick([200, 204]), null, null);
  yield client.world.random.int(500, 5_000);
  yield* client.initialize();
};

const left: Habit = function* (client) {
  const { random } = client.world;
  yield random.int(10, 3_000);
};

export const HABITS: readonly Habit[] = [
  jsonCall,
  streamedCall,
  cutAndResumed,
  polled,
  parallel,
  cancelled,
  failingTool,
  badArguments,
  steadyPolling,
  listening,
  serverAsks,
  tasked,
  batch,
  refreshedToken,
  serverError,
  lostAndRecovered,
  deletedAndNew,
  left,
];

/** A client of both eras asks for the new one first; the refusal is no loss of anything. */
function* firstContact(client: Client): Step {
  if (client.world.random.chance(0.1)) {
    const { x } = modern(client, 'server/discover');
    yield* client.answer(
      x,
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unsupported protocol version' } },
      null,
    );
    yield 100;
  }
  yield* client.initialize();
}

/** A client that does a number of these things one after the other. */
export function* wellBehaved(client: Client, steps: number): Step {
  const { random } = client.world;
  if (client.session === null) yield* firstContact(client);
  for (let n = 0; n < steps; n++) {
    // Pauses are long now and then, whatever comes after them: idleness must explain nothing.
    yield random.chance(0.15) ? random.int(5_000, 60_000) : random.int(100, 3_000);
    const retired = client.session !== null && !client.world.backends.includes(client.session.backend);
    yield* (retired ? lostAndRecovered : random.pick(HABITS))(client);
  }
}
