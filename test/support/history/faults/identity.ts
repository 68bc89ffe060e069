import type { Client } from '../client.js';
import { text } from '../client.js';
import type { Step } from '../clock.js';
import { notice } from '../listening.js';
import { accept, ask, current, cursorOf, cutCall, type Fault, fresh, hasIds, notFound, record, show } from './tools.js';

/** The resume of S1 is answered under a new session; what the client makes of it differs. */
const mergeOnResume = (consequence: 'adopted' | 'delivered' | 'refused'): Fault =>
  function* (client) {
    if (!hasIds(client)) return;
    record(client, `merge on resume, ${consequence}`, 'epoch-merge', 'lost-response');
    const running = yield* cutCall(client, { cut: { after: 2, end: 'truncated' } });
    yield client.world.random.int(300, 1_500);
    const x = ask(client, cursorOf(running));
    const minted = client.world.session(client.version);
    yield* accept(client, x, minted.id);
    const stream = minted.openStream('get');
    if (consequence !== 'refused') show(client, x, minted.mintId(stream), notice(client.world.random.hex(8)));
    yield client.world.random.int(100, 900);
    x.close(client.now, 'client-aborted');
    yield 200;
    if (consequence === 'adopted') client.session = minted;
    else yield* client.initialize();
    yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
  };

const mergeOnRequest: Fault = function* (client) {
  record(client, 'merge on a request', 'epoch-merge');
  const minted = client.world.session(client.version);
  const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
  const x = client.send({ method: 'POST', body: message });
  yield* client.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: text('recovered in place') }, minted.id);
  yield client.world.random.int(100, 900);
  if (client.world.random.chance(0.6)) client.session = minted;
  else yield* client.initialize();
  yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
};

const headerAbsent: Fault = function* (client) {
  if (!client.world.profile.echoes) return;
  record(client, 'header absent where the endpoint echoes it', 'epoch-merge');
  for (const session of [current(client).echoed, null]) {
    const message = client.callMessage({ tool: 'find_parcel', args: fresh(client) });
    const x = client.send({ method: 'POST', body: message });
    yield* client.answer(x, 200, { jsonrpc: '2.0', id: message.id, result: text('ok') }, session);
    yield client.world.random.int(100, 900);
  }
};

interface Mask {
  status: number;
  body(id: number | string | undefined): object | string;
}

const MASKS: readonly Mask[] = [
  { status: 200, body: (id) => ({ jsonrpc: '2.0', id, error: { code: -32002, message: 'Server not initialized' } }) },
  { status: 200, body: (id) => ({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Session not found' } }) },
  {
    status: 400,
    body: () => ({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
    }),
  },
  { status: 401, body: () => 'Unauthorized: Session not found' },
  { status: 503, body: () => ({ error: 'unknown session on this instance' }) },
];

const masked: Fault = function* (client) {
  record(client, 'a loss told with another status', 'masked-session-loss');
  const mask = client.world.random.pick(MASKS);
  current(client).alive = false;
  for (let n = client.world.random.int(1, 3); n > 0; n--) {
    const message = client.callMessage({ tool: 'send_note', args: fresh(client) });
    const x = client.send({ method: 'POST', body: message });
    yield* client.answer(x, mask.status, mask.body(message.id), null);
    yield client.world.random.int(200, 3_000);
  }
  yield* client.initialize();
};

const maskedInStream: Fault = function* (client) {
  record(client, 'a loss told inside a stream', 'masked-session-loss');
  current(client).alive = false;
  const x = client.send({ method: 'POST', body: client.request('ping') });
  client.route(x);
  yield* accept(client, x, null);
  show(client, x, null, { error: 'Session not found' });
  x.close(client.now + 3, 'complete');
  yield 500;
  yield* client.initialize();
};

const stale: Fault = function* (client) {
  const uses = client.world.random.pick([1, 2, 3, 5, 9, 10, 13]);
  record(client, `the dead id is used ${uses} times`, ...(uses > 1 ? ['stale-session-reuse'] : []));
  current(client).alive = false;
  for (let n = 0; n <= uses; n++) {
    yield* notFound(client, client.world.random.chance(0.2) ? 'GET' : 'POST');
    yield client.world.random.int(300, 20_000);
  }
  if (client.world.random.chance(0.6)) yield* client.initialize();
  else client.session = null;
};

const flapping: Fault = function* (client) {
  record(client, 'replicas without shared state', 'session-flapping');
  const turns = [
    true,
    false,
    true,
    ...Array.from({ length: client.world.random.int(1, 10) }, () => client.world.random.chance(0.4)),
  ];
  for (const known of turns) {
    if (known) yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
    else yield* lostHere(client);
    yield client.world.random.int(200, 2_000);
  }
  yield* client.call({ tool: 'find_parcel', args: fresh(client), answer: 'json' });
};

function* lostHere(client: Client): Step {
  const x = yield* notFound(client, 'POST');
  const others = client.world.backends.filter((address) => address !== current(client).backend);
  client.route(x, client.world.random.pick(others));
}

export const IDENTITY = {
  'merge-resume-adopted': mergeOnResume('adopted'),
  'merge-resume-delivered': mergeOnResume('delivered'),
  'merge-resume-refused': mergeOnResume('refused'),
  'merge-request': mergeOnRequest,
  'header-absent': headerAbsent,
  masked,
  'masked-in-stream': maskedInStream,
  stale,
  flapping,
} satisfies Record<string, Fault>;
