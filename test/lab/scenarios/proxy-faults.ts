import { setTimeout as sleep } from 'node:timers/promises';
import { arrow, happening, perhaps, ranTwiceOf } from '../claims.js';
import type { RecordingName } from '../recordings.js';
import type { Scenario } from '../scenario.js';
import { browserCrowd, callUntilAnswered, nodeCrowd } from './crowd.js';

const LOGS: readonly RecordingName[] = ['access log', 'proxy logs'];

/** An instance acts and dies before it has said a word; the proxy sends the same POST to the next one. */
export const retriedPost: Scenario = {
  name: 'proxy retry of a POST',
  plan: {
    proxy: 'nginx',
    balance: 'round-robin',
    retriesPosts: true,
    instances: {
      a1: { answersJson: true, unknownSession: 'adopt', diesAfter: 'create_issue' },
      a2: { answersJson: true, unknownSession: 'adopt' },
    },
    inUse: ['a1'],
  },
  async play(world) {
    const [agent] = await browserCrowd(world, 1, 'none');
    await world.route('a1', 'a2');
    // One of two requests goes to the instance that will die of it.
    for (const title of ['one', 'two']) await agent!.call('create_issue', { title, steps: 1, stepMs: 20 });
    await sleep(200);
  },
  happened: (truth) =>
    truth.ranTwice.flatMap(({ tool, sessions }) => {
      const who = arrow(sessions.slice(0, 1));
      // The client got one answer to one request, and the spans of the first run died with it: neither can know.
      const goneFrom: readonly RecordingName[] = ['HAR', 'OTLP/JSON', 'OTLP/protobuf'];
      return [
        { ...happening('duplicate-tool-call', `${tool} ${who}`, ['all']), goneFrom: [...goneFrom, ...LOGS] },
        { ...happening('duplicate-tool-call', `null ${who}`, LOGS), goneFrom: [...goneFrom, 'all'] },
      ];
    }),
};

/** The proxy cuts streams that are silent for six seconds; the tool takes seven, and the client comes back for the answer. */
export const readTimeoutResumed: Scenario = {
  name: 'read time-out in the proxy, resumed',
  plan: { proxy: 'nginx', balance: 'sticky', readTimeoutS: 6, instances: { a1: {}, a2: {} }, inUse: ['a1', 'a2'] },
  async play(world) {
    const agents = await browserCrowd(world, 2, 'none');
    const load = await nodeCrowd(world, 6, 'none');
    await Promise.all(
      [...agents, ...load].map((client, i) =>
        sleep(i * 700).then(() => client.call('create_issue', { title: `slow ${i}`, steps: 1, stepMs: 7000 })),
      ),
    );
  },
  happened: () => [happening('stream-cutoff', '', ['access log', 'proxy logs', 'OTLP/JSON', 'OTLP/protobuf', 'all'])],
};

/** The same in front of a server whose streams cannot be resumed: the answer is lost, and the agent asks again. */
export const readTimeoutLost: Scenario = {
  name: 'read time-out in the proxy, answer lost',
  plan: { proxy: 'haproxy', balance: 'sticky', readTimeoutS: 2, instances: { a1: { events: 'none' } }, inUse: ['a1'] },
  async play(world) {
    const agents = await browserCrowd(world, 2, 'none');
    await Promise.all(
      agents.map((agent, i) =>
        callUntilAnswered(agent, 'create_issue', { title: `slow ${i}`, steps: 1, stepMs: 2600 }, 2),
      ),
    );
  },
  happened: (truth) => [
    ...ranTwiceOf(truth),
    ...truth.ranTwice.flatMap(({ sessions }) => sessions.map((session) => perhaps('lost-response', arrow([session])))),
  ],
};
