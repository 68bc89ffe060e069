import { setTimeout as sleep } from 'node:timers/promises';
import { happening, ranTwiceOf } from '../claims.js';
import type { Recovery } from '../client/lab-client.js';
import type { Happening, Scenario } from '../scenario.js';
import type { Truth } from '../truth.js';
import { browserCrowd, callUntilAnswered } from './crowd.js';

/** A strict instance takes the place of the old one while a call runs; all that goes wrong is the client's doing. */
function deployUnder(
  name: string,
  recovery: Recovery,
  events: 'counter' | 'sdk',
  happened: (truth: Truth) => readonly Happening[],
): Scenario {
  return {
    name,
    plan: { proxy: 'haproxy', balance: 'sticky', instances: { a1: { events }, b1: { events } }, inUse: ['a1'] },
    async play(world) {
      const agents = await browserCrowd(world, 2, recovery);
      const work = agents.map((agent, i) =>
        callUntilAnswered(agent, 'create_issue', { title: `login broken ${i}`, steps: 10, stepMs: 300 }),
      );
      await sleep(1000);
      await world.replace('a1', 'b1', []);
      await Promise.all(work);
    },
    happened,
  };
}

export const repeatsSilently = deployUnder('client that retries 404 silently', 'repeat-silently', 'counter', (truth) =>
  ranTwiceOf(truth),
);

export const carriesCursor = deployUnder('client that resumes with the old cursor', 'carry-cursor', 'sdk', (truth) =>
  truth.refused.map((session) => happening('cross-epoch-cursor', session.slice(0, 8))),
);

export const keepsDeadSession = deployUnder('client that keeps the dead session', 'none', 'counter', (truth) =>
  truth.refused.map((session) => happening('stale-session-reuse', session.slice(0, 8))),
);
