import { type Client, lastId } from './client.js';
import type { Step } from './clock.js';
import type { ServerSession } from './server.js';
import type { WireExchange } from './wire.js';

/** Opens the listening stream and lets it live beside everything else. */
export function* listening(client: Client): Step {
  const { random, clock } = client.world;
  const session = client.session as ServerSession;
  if (session.listening) return;
  session.listening = client.world.profile.listens;
  const x = client.send({ method: 'GET' });
  client.route(x);
  if (!client.world.profile.listens) {
    yield* client.answer(
      x,
      405,
      { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Method not allowed.' } },
      null,
    );
    return;
  }
  clock.spawn(listen(client, session, x, random.int(0, 3)));
}

/** A listening stream: notifications, a cut, a resume with the cursor, the end. */
function* listen(client: Client, session: ServerSession, first: WireExchange, notifications: number): Step {
  const { random } = client.world;
  const stream = session.openStream('get');
  const shown = [first];
  yield random.int(8, 30);
  for (let x = first; ; ) {
    x.status = 200;
    x.contentType = 'text/event-stream';
    x.responseSession = session.echoed;
    stream.connection = x;
    if (session.primes && stream.count === 0) session.emit(stream, '');
    for (let n = 0; n < notifications; n++) {
      yield random.int(500, 6_000);
      if (!session.alive) break;
      session.emit(stream, JSON.stringify(notice(random.hex(10))));
    }
    yield random.int(3_000, 20_000);
    const cursor = lastId(shown);
    const again = session.alive && cursor !== null && random.chance(0.4) && shown.length < 3;
    stream.connection = null;
    x.close(client.now, again ? 'truncated' : 'client-aborted');
    if (!again || client.session !== session) session.listening = false;
    if (!again) return;
    yield random.int(300, 1_500);
    if (client.session !== session) return;
    if (random.chance(0.5)) session.emit(stream, JSON.stringify(notice(random.hex(10))));
    const missed = session.after(stream, cursor);
    x = client.send({ method: 'GET', cursor });
    client.route(x);
    shown.push(x);
    yield random.int(8, 30);
    stream.connection = x;
    for (const event of missed) session.deliver(stream, event);
  }
}

export const notice = (detail: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', logger: 'jobs', data: `pump ${detail}` },
});
