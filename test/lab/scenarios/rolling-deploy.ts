import { setTimeout as sleep } from 'node:timers/promises';
import { causeOf, lostAnswersOf, mergesOf, ranTwiceOf, ranTwiceUnseenBySpans, reusedOf } from '../claims.js';
import type { Scenario } from '../scenario.js';
import { browserCrowd, busy, callUntilAnswered, nodeCrowd } from './crowd.js';

const LONG = { steps: 10, stepMs: 300 };

/** Both instances are replaced, one after the other, by ones that mint a session for an id they do not know. */
export const rollingDeployMinted: Scenario = {
  name: 'rolling deploy, sessions minted',
  plan: {
    proxy: 'nginx',
    balance: 'sticky',
    instances: { a1: {}, a2: {}, b1: { unknownSession: 'mint' }, b2: { unknownSession: 'mint' } },
    inUse: ['a1', 'a2'],
  },
  async play(world) {
    const agents = await browserCrowd(world, 2, 'none');
    const load = await nodeCrowd(world, 10, 'none');
    await busy(load, 2, 100, 'before');
    const work = agents.map((agent, i) =>
      callUntilAnswered(agent, 'create_issue', { title: `login broken ${i}`, ...LONG }),
    );
    await sleep(700);
    await world.replace('a1', 'b1', ['a2']);
    await world.replace('a2', 'b2', ['b1']);
    await busy(load, 3, 100, 'after');
    await Promise.all(work);
  },
  happened: (truth) => [causeOf('rolling-deploy'), ...mergesOf(truth), ...ranTwiceOf(truth), ...lostAnswersOf(truth)],
};

/** The same with instances that answer 404, and clients that start again as the specification asks. */
export const rollingDeployRefused: Scenario = {
  name: 'rolling deploy, sessions refused',
  plan: {
    proxy: 'haproxy',
    balance: 'sticky',
    instances: { a1: {}, a2: {}, b1: {}, b2: {} },
    inUse: ['a1', 'a2'],
  },
  async play(world) {
    const agents = await browserCrowd(world, 2, 'start-again');
    const load = await nodeCrowd(world, 20, 'start-again');
    const traffic = busy(load, 14, 200, 'load');
    await sleep(600);
    const work = agents.map((agent, i) =>
      callUntilAnswered(agent, 'create_issue', { title: `login broken ${i}`, ...LONG }),
    );
    await sleep(700);
    await world.replace('a1', 'b1', ['a2']);
    await sleep(200);
    await world.replace('a2', 'b2', ['b1']);
    await Promise.all([traffic, ...work]);
  },
  happened: (truth) => [
    causeOf('rolling-deploy'),
    ...ranTwiceUnseenBySpans(truth),
    ...lostAnswersOf(truth),
    ...reusedOf(truth),
  ],
};
