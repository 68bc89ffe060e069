import { Random } from '../support/history/random.js';
import type { Hit } from './traffic.js';

/** What a server says to a request of a session it may or may not know. */
export interface Answer {
  readonly known: boolean;
  readonly backend: string | null;
  /** Seconds until the answer. */
  readonly took?: number;
  /** Instead of 404. */
  readonly status?: number;
}

/** A session at the moment of a request; times in seconds. */
export interface Moment {
  readonly random: Random;
  readonly at: number;
  readonly age: number;
  readonly idle: number;
  readonly owner: string | null;
}

export interface World {
  readonly seed: number;
  readonly sessions: number;
  /** When a session begins. */
  readonly begin: (random: Random) => number;
  /** How many requests it makes after it is initialised. */
  readonly calls: (random: Random) => number;
  readonly pause: (random: Random, call: number) => number;
  /** The instance that a new session begins on; null: the log does not say. */
  readonly place: (random: Random, at: number) => string | null;
  readonly answer: (moment: Moment) => Answer;
  readonly until?: number;
  /** After a refusal: begin anew (the default), or keep on with the old session. */
  readonly stubborn?: boolean;
}

/** Traffic of many sessions, each for itself: initialize, initialized, calls with pauses, and a new session after a 404. */
export function traffic(world: World): Hit[] {
  const random = new Random(world.seed);
  const hits: Hit[] = [];
  const until = world.until ?? Number.POSITIVE_INFINITY;
  for (let index = 0; index < world.sessions; index++) session(world, random, `s${world.seed}-${index}`, hits, until);
  return hits.filter((hit) => hit.at < until).sort((a, b) => a.at - b.at);
}

function session(world: World, random: Random, id: string, hits: Hit[], until: number): void {
  const born = world.begin(random);
  const owner = world.place(random, born);
  open(hits, id, born, owner);
  let at = born + 1;
  const calls = world.calls(random);
  for (let call = 0; call < calls && at < until; call++) {
    const idle = world.pause(random, call);
    at += idle;
    const { known, backend, took, status } = world.answer({ random, at, age: at - born, idle, owner });
    hits.push({
      at,
      took: took ?? 0.05 + random.next() * 0.3,
      status: known ? 200 : (status ?? 404),
      session: id,
      backend,
    });
    at += took ?? 0.4;
    if (!known && !world.stubborn) {
      open(hits, `${id}n`, at + 0.2, world.place(random, at));
      return;
    }
  }
}

function open(hits: Hit[], id: string, at: number, backend: string | null): void {
  hits.push({ at, status: 200, answered: id, backend }, { at: at + 0.4, status: 202, session: id, backend });
  hits.push({ at: at + 0.8, status: 200, session: id, backend });
}

export const uniform = (low: number, high: number) => (random: Random) => low + random.next() * (high - low);

/** As many short ones as long ones on a logarithmic scale. */
export const logUniform = (low: number, high: number) => (random: Random) =>
  Math.exp(Math.log(low) + random.next() * (Math.log(high) - Math.log(low)));

export const exponential = (mean: number) => (random: Random) => -Math.log(1 - random.next()) * mean;
