import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, happening, reusedOf } from '../claims.js';
import type { Scenario } from '../scenario.js';
import { busy, nodeCrowd } from './crowd.js';

/** One instance becomes three behind round robin, and nobody shares sessions: two requests of three meet a stranger. */
export const roundRobin: Scenario = {
  name: 'round robin without stickiness',
  plan: { proxy: 'nginx', balance: 'round-robin', instances: { a1: {}, a2: {}, a3: {} }, inUse: ['a1'] },
  async play(world) {
    const load = await nodeCrowd(world, 6, 'none');
    await busy(load, 2, 100, 'before');
    await world.route('a1', 'a2', 'a3');
    await busy(load, 9, 100, 'after');
  },
  happened: (truth) => [
    ...truth.refused.map((session) => happening('session-flapping', session.slice(0, 8))),
    causeOf('affinity-loss'),
    ...reusedOf(truth),
  ],
};

/** A third instance joins and takes over a share of the users; their sessions stay behind. */
export const scaleOut: Scenario = {
  name: 'scale-out',
  plan: { proxy: 'nginx', balance: 'sticky', instances: { a1: {}, a2: {}, a3: {} }, inUse: ['a1', 'a2'] },
  async play(world) {
    const load = await nodeCrowd(world, 24, 'start-again');
    const traffic = busy(load, 14, 200, 'load');
    await sleep(1300);
    await world.route('a1', 'a2', 'a3');
    await traffic;
  },
  happened: (truth) => [causeOf('scale-out'), ...reusedOf(truth)],
};
