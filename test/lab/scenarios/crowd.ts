import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../client/caller.js';
import type { CallArguments, CallEnd, Recovery } from '../client/lab-client.js';
import type { World } from '../world.js';

export const QUICK = { steps: 1, stepMs: 20 };

/** Clients in Node that are connected and have seen the tools. */
export async function nodeCrowd(world: World, count: number, recovery: Recovery): Promise<Caller[]> {
  const clients = Array.from({ length: count }, (_, index) => world.nodeClient(`load-${index}`, recovery));
  await Promise.all(clients.map(greet));
  return clients;
}

/** Clients in Chromium that are connected and have seen the tools. */
export async function browserCrowd(world: World, count: number, recovery: Recovery): Promise<Caller[]> {
  const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
  const clients = await Promise.all(names.map((name) => world.browserClient(name, recovery)));
  await Promise.all(clients.map(greet));
  return clients;
}

async function greet(client: Caller): Promise<void> {
  await client.connect();
  await client.listTools();
}

/** Calls again until an answer comes, as an agent does that was told nothing. */
export async function callUntilAnswered(
  client: Caller,
  tool: string,
  call: CallArguments,
  tries = 3,
): Promise<CallEnd> {
  let end: CallEnd = 'unknown';
  for (let attempt = 0; attempt < tries && end !== 'answered'; attempt++) end = await client.call(tool, call);
  return end;
}

/** Everyone calls something of their own at their own rhythm, `rounds` times; no call is like another. */
export async function busy(clients: readonly Caller[], rounds: number, pauseMs: number, label: string): Promise<void> {
  await Promise.all(
    clients.map(async (client, index) => {
      await sleep((pauseMs / clients.length) * index);
      for (let round = 0; round < rounds; round++) {
        await client.call('set_label', { title: `${label} ${index} ${round}`, ...QUICK });
        await sleep(pauseMs);
      }
    }),
  );
}
