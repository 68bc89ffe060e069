import { exponential, logUniform, type Moment, traffic, uniform, type World } from './fleet.js';
import type { Hit } from './traffic.js';

const HOUR = 3600;
const BACKENDS = ['10.0.0.1:8080', '10.0.0.2:8080', '10.0.0.3:8080'];
const kept = ({ owner }: Moment) => ({ known: true, backend: owner });
const lost = ({ owner }: Moment) => ({ known: false, backend: owner });

/** An hour of sticky sessions on three instances that lose nothing. */
export const calm: World = {
  seed: 1,
  sessions: 60,
  begin: uniform(0, 3000),
  calls: (random) => random.int(4, 9),
  pause: uniform(20, 240),
  place: (random) => random.pick(BACKENDS),
  answer: kept,
};

export type Make = (seed: number) => Hit[];

/** Instances live from and to these seconds; a session whose owner is gone is unknown to whoever gets its request. */
function fleet(
  seed: number,
  lives: Readonly<Record<string, readonly [number, number]>>,
  over: Partial<World> = {},
): Hit[] {
  const alive = (at: number) => Object.keys(lives).filter((name) => lives[name]![0] <= at && at < lives[name]![1]);
  return traffic({
    ...calm,
    seed,
    place: (random, at) => random.pick(alive(at)),
    answer: ({ random, at, owner }) => {
      const known = owner !== null && alive(at).includes(owner);
      return { known, backend: known ? owner : random.pick(alive(at)) };
    },
    ...over,
  });
}

export const rollingDeploy: Make = (seed) =>
  fleet(seed, { a1: [0, 1500], a2: [0, 1560], a3: [0, 9e9], b1: [1490, 9e9], b2: [1550, 9e9] });
export const fullDeploy: Make = (seed) =>
  fleet(seed, { a1: [0, 1500], a2: [0, 1600], a3: [0, 1700], b1: [1495, 9e9], b2: [1595, 9e9], b3: [1695, 9e9] });
export const scaleIn: Make = (seed) => fleet(seed, { a1: [0, 9e9], a2: [0, 9e9], a3: [0, 1700], a4: [0, 1700] });

/** A new instance takes its share of all sessions, by the hash of their ids. */
export const scaleOut: Make = (seed) => {
  const moved = new Map<number, boolean>();
  return traffic({
    ...calm,
    seed,
    place: (random, at) => random.pick(at < 1600 ? BACKENDS : [...BACKENDS, 'new:8080']),
    answer: ({ random, at, age, owner }) => {
      const born = Math.round((at - age) * 1000);
      if (!moved.has(born)) moved.set(born, random.chance(0.35));
      const goes = at > 1600 && at - age < 1600 && moved.get(born)!;
      return goes ? { known: false, backend: 'new:8080' } : { known: true, backend: owner };
    },
  });
};

const stray = (backends: readonly (string | null)[], shown: boolean) => (seed: number) =>
  traffic({
    ...calm,
    seed,
    sessions: 25,
    stubborn: true,
    place: (random) => random.pick(backends),
    answer: ({ random, owner }) => {
      const backend = random.pick(backends);
      return { known: backend === owner, backend: shown ? backend : null };
    },
  });
export const affinityLoss: Make = stray(BACKENDS, true);
/** The same, seen by a log that does not know instances. */
export const affinityLossUnseen: Make = (seed) => affinityLoss(seed).map((hit) => ({ ...hit, backend: null }));

const idleWorld = (limit: number): Partial<World> => ({
  sessions: 40,
  begin: uniform(0, 12 * HOUR),
  calls: () => 3,
  pause: (random, call) => (call < 2 ? uniform(3, 25)(random) : logUniform(limit / 15, limit * 5)(random)),
  answer: (moment) => (moment.idle > limit ? lost(moment) : kept(moment)),
});
export const idleEviction =
  (limit: number): Make =>
  (seed) =>
    traffic({ ...calm, seed, ...idleWorld(limit) });
export const idleEvictionUnseen: Make = (seed) => idleEviction(1800)(seed).map((hit) => ({ ...hit, backend: null }));

export const lifetime: Make = (seed) =>
  traffic({
    ...calm,
    seed,
    sessions: 40,
    begin: uniform(0, 2 * HOUR),
    calls: (random) => random.int(3, 14),
    pause: uniform(200, 1500),
    answer: (moment) => (moment.age > 2 * HOUR ? lost(moment) : kept(moment)),
  });

/** An instance hangs from some moment on: who asks for it waits for the time-out, then is answered by another one. */
export const deadOwner =
  (status: number): Make =>
  (seed) =>
    traffic({
      ...calm,
      seed,
      place: (random, at) => random.pick(at < 1500 ? BACKENDS : BACKENDS.slice(1)),
      answer: ({ random, at, owner }) =>
        at > 1500 && owner === BACKENDS[0]
          ? { known: false, backend: status === 404 ? BACKENDS[1]! : owner, status, took: 5 + random.next() * 0.1 }
          : { known: true, backend: owner },
    });

/** Five rushes of traffic in two hours; in a rush sessions are dropped now and then. */
export const overload: Make = (seed) => {
  const rush = (at: number) => at % 1400 > 900 && at % 1400 < 1100;
  return traffic({
    ...calm,
    seed,
    sessions: 300,
    begin: (random) =>
      random.chance(0.5) ? uniform(0, 7000)(random) : random.int(0, 4) * 1400 + 880 + random.next() * 160,
    calls: (random) => random.int(3, 6),
    pause: uniform(5, 40),
    answer: (moment) => (rush(moment.at) && moment.random.chance(0.06) ? lost(moment) : kept(moment)),
  });
};

/** Load goes up and down over an hour, and the more there is, the more sessions are dropped. */
export const risingLoad: Make = (seed) =>
  traffic({
    ...calm,
    seed,
    sessions: 400,
    begin: (random) => 1800 + (random.next() + random.next() + random.next() - 1.5) * 1000,
    calls: (random) => random.int(3, 6),
    pause: uniform(5, 40),
    answer: (moment) => {
      const load = Math.max(0, 1 - Math.abs(moment.at - 1850) / 900);
      return moment.random.chance(0.08 * load * load) ? lost(moment) : kept(moment);
    },
  });

/** Each night at three something drops half of the sessions that are in use. */
export const periodic: Make = (seed) =>
  traffic({
    ...calm,
    seed,
    sessions: 500,
    begin: uniform(0, 8 * 24 * HOUR),
    calls: (random) => random.int(5, 20),
    pause: uniform(60, 1200),
    answer: (moment) => {
      const ofDay = (1_790_000_000 + moment.at) % 86_400;
      return ofDay > 3 * HOUR && ofDay < 3.3 * HOUR && moment.random.chance(0.5) ? lost(moment) : kept(moment);
    },
  });

/** Every instance forgets everything at these moments and answers again at once, under its old name. */
export const restarts =
  (times: readonly number[], over: Partial<World> = {}): Make =>
  (seed) =>
    traffic({
      ...calm,
      seed,
      answer: ({ at, age, owner }) => ({ known: !times.some((time) => at - age < time && at >= time), backend: owner }),
      ...over,
    });

const rate = (perRequest: number) => (moment: Moment) =>
  moment.random.chance(perRequest) ? lost(moment) : kept(moment);

/** Traffic whose losses have no cause, in the shapes that real traffic has. */
export const causeless: Readonly<Record<string, Make>> = {
  'lost at any request': (seed) => traffic({ ...calm, seed, answer: rate(0.06) }),
  'lost at any moment': (seed) =>
    traffic({ ...calm, seed, answer: (m) => (m.random.chance(1 - Math.exp(-m.idle / 2000)) ? lost(m) : kept(m)) }),
  'lost at any moment, pauses of all lengths': (seed) =>
    traffic({
      ...calm,
      seed,
      begin: uniform(0, 12 * HOUR),
      pause: logUniform(2, 7200),
      answer: (m) => (m.random.chance(1 - Math.exp(-m.idle / 7200)) ? lost(m) : kept(m)),
    }),
  'lost at any request, pauses of all lengths': (seed) =>
    traffic({ ...calm, seed, begin: uniform(0, 12 * HOUR), pause: logUniform(2, 7200), answer: rate(0.08) }),
  'shared state behind random routing': (seed) =>
    traffic({
      ...calm,
      seed,
      answer: ({ random }) => ({ known: !random.chance(0.06), backend: random.pick(BACKENDS) }),
    }),
  'many instances, few sessions each': (seed) => {
    const many = Array.from({ length: 20 }, (_, index) => `pod-${index}`);
    return traffic({ ...calm, seed, place: (random) => random.pick(many), answer: rate(0.08) });
  },
  'rushes of traffic': (seed) =>
    traffic({
      ...calm,
      seed,
      sessions: 120,
      begin: (random) =>
        random.chance(0.5) ? uniform(0, 3600)(random) : random.int(0, 2) * 1200 + random.next() * 150,
      pause: exponential(30),
      answer: rate(0.03),
    }),
  'a week of days and nights': (seed) =>
    traffic({
      ...calm,
      seed,
      sessions: 150,
      begin: (random) => random.int(0, 6) * 24 * HOUR + uniform(8 * HOUR, 18 * HOUR)(random),
      pause: (random) => (random.chance(0.1) ? uniform(8 * HOUR, 16 * HOUR)(random) : logUniform(10, 3600)(random)),
      answer: rate(0.05),
    }),
  'clients of two kinds': (seed) =>
    traffic({
      ...calm,
      seed,
      begin: uniform(0, 6 * HOUR),
      pause: (random, call) => (call === 0 ? logUniform(5, 3000)(random) : uniform(1, 10)(random)),
      answer: (m) => (m.random.chance(m.idle > 300 ? 0.3 : 0.01) ? lost(m) : kept(m)),
    }),
  'slow answers': (seed) =>
    traffic({
      ...calm,
      seed,
      answer: (m) => ({ known: !m.random.chance(0.06), backend: m.owner, took: exponential(3)(m.random) }),
    }),
};
