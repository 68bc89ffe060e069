import { randomOf } from './random.js';

const BACKENDS = 8;
const MEAN_GAP_MS = 10;
const LOSS_SHARE = 0.0005;

/**
 * HTTP exchanges of MCP sessions in the order of time, many sessions at once. The first of a session is its initialize.
 * @param {{ exchanges: number, perSession: number, atOnce: number, seed: number }} shape
 */
export function* traffic({ exchanges, perSession, atOnce, seed }) {
  const random = randomOf(seed);
  const live = [];
  let atMs = Date.UTC(2026, 10, 18, 8);
  for (let index = 0; index < exchanges; index++) {
    atMs += random.next() * 2 * MEAN_GAP_MS;
    const begins = live.length < Math.min(atOnce, Math.ceil(exchanges / perSession));
    const session = begins ? newSession(random, perSession) : live[random.below(live.length)];
    if (begins) live.push(session);
    const nth = session.nth++;
    if (session.nth === perSession) live.splice(live.indexOf(session), 1);
    const lost = nth > 1 && random.next() < LOSS_SHARE;
    yield {
      atMs,
      durationMs: random.below(300),
      session: session.id,
      backend: session.backend,
      client: session.client,
      nth,
      isFirst: nth === 0,
      status: lost ? 404 : nth === 1 ? 202 : 200,
      bytes: 100 + random.below(2000),
    };
  }
}

function newSession(random, perSession) {
  return {
    id: random.uuid(),
    backend: `10.0.0.${1 + random.below(BACKENDS)}:8080`,
    client: `192.0.2.${1 + random.below(250)}`,
    nth: 0,
    perSession,
  };
}
