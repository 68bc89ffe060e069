import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, ranTwiceUnseenBySpans, reusedOf } from '../claims.js';
import type { Scenario } from '../scenario.js';
import { browserCrowd, busy, callUntilAnswered, nodeCrowd } from './crowd.js';

/** One of two instances is killed while calls run; its users are sent to the other one, which knows none of them. */
export const killed: Scenario = {
  name: 'kill -9 of an instance',
  plan: { proxy: 'haproxy', balance: 'sticky', instances: { a1: {}, a2: {} }, inUse: ['a1', 'a2'] },
  async play(world) {
    const agents = await browserCrowd(world, 2, 'start-again');
    const load = await nodeCrowd(world, 20, 'start-again');
    const traffic = busy(load, 12, 200, 'load');
    await sleep(500);
    const work = agents.map((agent, i) =>
      callUntilAnswered(agent, 'create_issue', { title: `login broken ${i}`, steps: 8, stepMs: 300 }),
    );
    await sleep(700);
    await world.instance('a1').kill();
    await world.route('a2');
    await Promise.all([traffic, ...work]);
  },
  happened: (truth) => [causeOf('scale-in'), ...ranTwiceUnseenBySpans(truth), ...reusedOf(truth)],
};

/** Sessions that nobody uses for a while are forgotten, those in use are not. */
export const idleEviction: Scenario = {
  name: 'idle eviction',
  plan: {
    proxy: 'nginx',
    balance: 'sticky',
    instances: { a1: { idleLimitMs: 2000 }, a2: { idleLimitMs: 2000 } },
    inUse: ['a1', 'a2'],
  },
  async play(world) {
    const active = await nodeCrowd(world, 12, 'start-again');
    const resting = Array.from({ length: 10 }, (_, index) => world.nodeClient(`resting-${index}`, 'start-again'));
    await Promise.all(resting.map((client) => client.connect()));
    await busy(resting, 2, 100, 'before');
    const traffic = busy(active, 14, 250, 'load');
    await sleep(2800);
    await busy(resting, 2, 100, 'after');
    await traffic;
  },
  happened: (truth) => [causeOf('idle-eviction'), ...reusedOf(truth)],
};
