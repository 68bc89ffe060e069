import { setTimeout as sleep } from 'node:timers/promises';
import { arrow, happening, lostAnswersOf, perhaps, ranTwiceUnseenBySpans, reusedOf } from '../claims.js';
import type { Recovery } from '../client/lab-client.js';
import type { Happening, Scenario } from '../scenario.js';
import type { Truth } from '../truth.js';
import { browserCrowd, callUntilAnswered } from './crowd.js';

/** A strict instance takes the place of the old one while a call runs; all that goes wrong is the client's doing. */
function deployUnder(
  name: string,
  recovery: Recovery,
  events: 'counter' | 'sdk',
  clients: number,
  happened: (truth: Truth) => readonly Happening[],
): Scenario {
  return {
    name,
    plan: { proxy: 'haproxy', balance: 'sticky', instances: { a1: { events }, b1: { events } }, inUse: ['a1'] },
    async play(world) {
      const agents = await browserCrowd(world, clients, recovery);
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

/** What the client did not get, and what it did about it. */
const interrupted = (truth: Truth) => [...ranTwiceUnseenBySpans(truth), ...lostAnswersOf(truth), ...reusedOf(truth)];

export const repeatsSilently = deployUnder(
  'client that retries 404 silently',
  'repeat-silently',
  'counter',
  2,
  interrupted,
);

export const carriesCursor = deployUnder(
  'client that resumes with the old cursor',
  'carry-cursor',
  'sdk',
  1,
  (truth) => {
    const [issued, fresh] = truth.issued;
    return [
      ...interrupted(truth),
      happening('cross-epoch-cursor', arrow([fresh ?? '', issued ?? '']), ['HAR', 'all']),
      // The call that is tried again resumes again, while the first attempt still listens.
      perhaps('concurrent-resume', arrow([fresh ?? ''])),
    ];
  },
);

export const keepsDeadSession = deployUnder('client that keeps the dead session', 'none', 'counter', 2, (truth) => [
  ...truth.refused.map((session) => happening('stale-session-reuse', arrow([session]))),
  ...truth.refused.map((session) => happening('lost-response', arrow([session]), ['HAR', 'all'])),
]);
