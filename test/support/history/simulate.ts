import { Client } from './client.js';
import type { Step } from './clock.js';
import { FAULTS, type FaultName } from './faults/index.js';
import { wellBehaved } from './habits.js';
import type { Profile } from './profiles.js';
import { stateless } from './stateless.js';
import type { WireHistory } from './wire.js';
import { World } from './world.js';

/** After the last thing that happens the capture goes on for so long. */
const REST_MS = 180_000;

function close(world: World): WireHistory {
  const { clock } = world;
  clock.run(clock.nowMs + 3_600_000);
  const last = Math.max(...world.exchanges.map((x) => Math.max(x.startMs, x.endMs ?? 0)));
  const endMs = last + REST_MS;
  clock.nowMs = endMs;
  return { seed: world.seed, profile: world.profile.name, endMs, exchanges: world.exchanges, injected: world.injected };
}

/** Clients and servers that do nothing wrong, however odd: no finding of medium or above is right here. */
export function cleanHistory(seed: number, size = 12, profile?: Profile): WireHistory {
  const world = new World(seed, profile);
  const { random } = world;
  for (let n = random.int(1, 3); n > 0; n--) {
    const client = new Client(world, random.pick(['number', 'text'] as const));
    world.clock.spawn(
      random.chance(0.15) ? stateless(client, size) : wellBehaved(client, random.int(Math.ceil(size / 3), size)),
    );
  }
  return close(world);
}

/** The same with one or two faults of known kinds in it. */
export function faultyHistory(seed: number, fault?: FaultName): WireHistory {
  const names = Object.keys(FAULTS) as FaultName[];
  const world = new World(seed);
  const { random } = world;
  const name = fault ?? random.pick(names);
  const client = new Client(world, random.pick(['number', 'text'] as const));
  world.clock.spawn(
    (function* () {
      yield* wellBehaved(client, random.int(0, 4));
      yield random.int(200, 4_000);
      yield* FAULTS[name](client);
      yield random.int(200, 4_000);
      if (client.session !== null) yield* wellBehaved(client, random.int(0, 3));
    })(),
  );
  if (random.chance(0.4)) world.clock.spawn(wellBehaved(new Client(world), random.int(1, 6)));
  world.clock.spawn(deploys(world));
  return close(world);
}

/** Several faults, one after the other or at once, in several clients of one server. */
export function troubledHistory(seed: number): WireHistory {
  const names = Object.keys(FAULTS) as FaultName[];
  const world = new World(seed);
  const { random } = world;
  for (let n = random.int(1, 3); n > 0; n--) {
    const client = new Client(world, random.pick(['number', 'text'] as const));
    world.clock.spawn(troubled(client, names));
  }
  world.clock.spawn(deploys(world));
  return close(world);
}

/** Deploys happen while other things go wrong. */
function* deploys(world: World): Step {
  for (let n = world.random.int(0, 2); n > 0; n--) {
    yield world.random.int(5_000, 40_000);
    world.replaceBackend();
  }
}

function* troubled(client: Client, names: readonly FaultName[]): Step {
  const { random } = client.world;
  for (let n = random.int(2, 4); n > 0; n--) {
    if (client.session === null) yield* client.initialize();
    yield* wellBehaved(client, random.int(0, 2));
    yield random.int(200, 4_000);
    yield* FAULTS[random.pick(names)](client);
  }
}
