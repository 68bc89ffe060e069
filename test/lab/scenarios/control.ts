import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.js';
import type { Plan, World } from '../world.js';
import { browserCrowd, busy, nodeCrowd, QUICK } from './crowd.js';

/** Nothing goes wrong: calls of every kind, streams that are closed to be polled, news on the listening streams, goodbyes. */
function control(proxy: Plan['proxy'], events: 'counter' | 'sdk'): Scenario {
  return {
    name: `control, ${proxy}`,
    plan: { proxy, balance: 'sticky', instances: { a1: { events }, a2: { events } }, inUse: ['a1', 'a2'] },
    play,
    happened: () => [],
  };
}

async function play(world: World): Promise<void> {
  const agents = await browserCrowd(world, 2, 'start-again');
  const load = await nodeCrowd(world, 6, 'start-again');
  const traffic = busy(load, 8, 200, 'load');
  await Promise.all(
    agents.map(async (agent, i) => {
      await agent.call('create_issue', { title: `login broken ${i}`, steps: 4, stepMs: 100 });
      // Asking the same thing at its own rhythm is no fault.
      for (let round = 0; round < 4; round++) {
        await agent.call('search_docs', { title: 'login', ...QUICK });
        await sleep(150);
      }
      await Promise.all([
        agent.call('export_report', { title: `weekly ${i}`, steps: 4, stepMs: 250 }),
        agent.call('set_label', { title: `parallel ${i}`, ...QUICK }),
      ]);
      await agent.call('delete_branch', { title: `old ${i}`, ...QUICK });
    }),
  );
  for (const name of ['a1', 'a2']) world.instance(name).announce();
  await traffic;
  await Promise.all([...agents, ...load].map((client) => client.close(true)));
  await sleep(200);
}

export const controlNginx = control('nginx', 'counter');
export const controlHaproxy = control('haproxy', 'sdk');
