import type { Client, Rpc } from './client.js';
import { progress, text } from './client.js';
import type { Step } from './clock.js';
import { toolList } from './profiles.js';
import type { WireExchange } from './wire.js';

export const STATELESS = '2026-07-28';

/** A request of the revision without sessions: it names its version in body and header. */
export function modern(
  client: Client,
  method: string,
  params: Record<string, unknown> = {},
): { x: WireExchange; message: Rpc } {
  const id = client.mint();
  const token = method === 'tools/call' ? { progressToken: id } : {};
  const meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS, ...token };
  const message: Rpc = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } };
  const x = client.world.send(client.identity, { method: 'POST', version: STATELESS, body: message });
  client.route(x, client.world.random.pick(client.world.backends));
  return { x, message };
}

export function* modernAnswer(
  client: Client,
  sent: { x: WireExchange; message: Rpc },
  result: object,
  status = 200,
): Step {
  yield client.world.random.int(10, 80);
  const { x, message } = sent;
  x.status = status;
  x.contentType = 'application/json';
  x.body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...result });
  x.close(client.now, 'complete');
}

/** A streamed answer; `cutAfter` ends the connection after so many events. */
export function* modernStream(
  client: Client,
  sent: { x: WireExchange; message: Rpc },
  events: number,
  cutAfter: number | null,
): Step {
  const { x, message } = sent;
  yield client.world.random.int(10, 80);
  x.status = 200;
  x.contentType = 'text/event-stream';
  const put = (data: object): void => {
    x.events.push({
      id: null,
      type: 'message',
      data: JSON.stringify(data),
      retryMs: null,
      atMs: client.now,
      partial: false,
    });
  };
  for (let n = 1; n <= events; n++) {
    yield client.world.random.int(200, 1_500);
    if (cutAfter !== null && n > cutAfter) break;
    put(progress(message, n, events));
  }
  if (cutAfter === null)
    put({
      jsonrpc: '2.0',
      id: message.id,
      result: { ...text(`done ${client.world.random.hex(8)}`), resultType: 'complete' },
    });
  yield client.world.random.int(2, 50);
  x.close(client.now, cutAfter === null ? 'complete' : 'truncated');
}

const complete = (value: object): object => ({ result: { ...value, resultType: 'complete' } });

/** A client of the stateless revision doing nothing wrong. */
export function* stateless(client: Client, steps: number): Step {
  const { random } = client.world;
  yield* modernAnswer(client, modern(client, 'server/discover'), complete({ supportedVersions: [STATELESS] }));
  yield* modernAnswer(client, modern(client, 'tools/list'), complete(toolList()));
  for (let n = 0; n < steps; n++) {
    yield random.int(100, 2_500);
    const call = {
      name: random.pick(['find_parcel', 'book_courier', 'send_note']),
      arguments: { code: random.hex(10) },
    };
    const act = random.int(0, 5);
    if (act <= 1) yield* modernAnswer(client, modern(client, 'tools/call', call), complete(text('ok')));
    else if (act === 2) yield* modernStream(client, modern(client, 'tools/call', call), random.int(1, 3), null);
    else if (act === 3) yield* asked(client, call);
    else if (act === 4)
      yield* modernAnswer(
        client,
        modern(client, 'resources/subscribe'),
        { error: { code: -32601, message: 'Method not found' } },
        404,
      );
    else yield* hungUp(client, call);
  }
}

/** The server asks for input; the client sends the same call with the answer. */
function* asked(client: Client, call: Record<string, unknown>): Step {
  const state = client.world.random.hex(12);
  yield* modernAnswer(client, modern(client, 'tools/call', call), {
    result: {
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create', params: {} } },
      requestState: state,
    },
  });
  yield client.world.random.int(500, 4_000);
  const again = { ...call, inputResponses: { q1: { action: 'accept', content: {} } }, requestState: state };
  yield* modernAnswer(client, modern(client, 'tools/call', again), complete(text('booked')));
}

/** Closing the stream is how this revision cancels. */
function* hungUp(client: Client, call: Record<string, unknown>): Step {
  const { x } = modern(client, 'tools/call', call);
  yield client.world.random.int(30, 80);
  x.status = 200;
  x.contentType = 'text/event-stream';
  yield client.world.random.int(500, 3_000);
  x.close(client.now, 'client-aborted');
}
