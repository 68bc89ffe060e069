import { describe, expect, test } from 'vitest';
import { exponential, logUniform, traffic, uniform } from './fleet.js';
import { claimsOf, type Hit, relation } from './traffic.js';
import * as worlds from './worlds.js';

const sentences = async (hits: readonly Hit[]) =>
  (await relation(hits, 'load_shortfall', 'select cause, failures, needed, sentence from load_shortfall')).map(
    ({ cause, failures, needed, sentence }) => ({
      cause,
      failures: Number(failures),
      needed: needed === null ? null : Number(needed),
      sentence,
    }),
  );

describe('losses without a cause claim none', () => {
  // Of 14,000 histories of these kinds none claimed a cause; here a sample of others.
  for (const [name, make] of Object.entries(worlds.causeless)) {
    test(name, async () => {
      const hits = Array.from({ length: 12 }, (_, index) =>
        make(7000 + index).map((hit) => ({ ...hit, endpoint: `/mcp-${index}` })),
      ).flat();
      expect(hits.some(({ status }) => status === 404)).toBe(true);
      expect((await claimsOf(hits)).map(({ facts }) => facts.sentence)).toEqual([]);
    });
  }
});

test('a thousand refusals of one dead session are one loss, and one loss has no provable cause', async () => {
  const calm = traffic(worlds.calm);
  const dead: Hit[] = [{ at: 10, status: 200, answered: 'dead-session-1', backend: '10.0.0.1:8080' }];
  for (let index = 0; index < 1000; index++)
    dead.push({ at: 100 + index * 3, status: 404, session: 'dead-session-1', backend: '10.0.0.1:8080' });
  expect(await claimsOf([...calm, ...dead])).toEqual([]);
  expect(await sentences([...calm, ...dead])).toMatchObject([{ cause: 'any', failures: 1, needed: 4 }]);
});

test('traffic that lost nothing has nothing to explain and nothing missing', async () => {
  const hits = traffic(worlds.calm);
  expect(await claimsOf(hits)).toEqual([]);
  expect(await sentences(hits)).toEqual([]);
});

test('four sessions lost behind a clear idle limit are not enough, and it says so', async () => {
  const losses = new Set<string>();
  const hits = worlds
    .idleEviction(1800)(18)
    .filter(({ status, session }) => {
      if (status === 404) losses.add(session!);
      return status !== 404 || losses.size <= 4;
    });
  expect(await claimsOf(hits)).toEqual([]);
  expect(await sentences(hits)).toMatchObject([{ failures: 4, needed: 1 }]);
});

test('a pattern short of its evidence is named as possible, with how many more would decide it', async () => {
  const two = [...worlds.idleEviction(1800)(18)];
  const lost = [...new Set(two.filter(({ status }) => status === 404).map(({ session }) => session!))].slice(0, 5);
  const kept = [...new Set(two.map(({ session }) => session ?? ''))]
    .filter((id) => id !== '' && !id.endsWith('n'))
    .slice(0, 8);
  const hits = two.filter(({ session, answered }) => [...lost, ...kept].includes(session ?? answered ?? ''));
  expect(await claimsOf(hits)).toEqual([]);
  const told = await sentences(hits);
  expect(told[0]?.sentence).toMatch(/idle-eviction|failures/);
});

test('old sessions that were lost after long pauses are told by the pause, not by their age as well', async () => {
  const claims = await claimsOf(worlds.idleEviction(28_800)(12));
  expect(claims.map(({ cause }) => cause)).toEqual(['idle-eviction']);
});

test('an instance that gets all the traffic while others are idle is no failure', async () => {
  const hits = traffic({ ...worlds.calm, place: () => '10.0.0.2:8080' });
  expect(await claimsOf(hits)).toEqual([]);
});

test('a deploy behind a shared store loses nothing and is silent', async () => {
  const hits = worlds.rollingDeploy(11).map((hit) => (hit.status === 404 ? { ...hit, status: 200 } : hit));
  expect(await claimsOf(hits)).toEqual([]);
});

test('slow tools that end at the gateway’s time-out while their owner answers others are no dead owner', async () => {
  const hits = traffic({
    ...worlds.calm,
    sessions: 80,
    calls: (random) => random.int(3, 6),
    pause: uniform(10, 60),
    begin: uniform(0, 1200),
    answer: ({ random, owner }) =>
      random.chance(0.1) ? { known: false, status: 504, backend: owner, took: 60 } : { known: true, backend: owner },
  });
  expect((await claimsOf(hits)).map(({ cause }) => cause)).toEqual([]);
});

describe('restarts under the same names are none of the nine causes', () => {
  const plain: Readonly<Record<string, worlds.Make>> = {
    one: worlds.restarts([1500]),
    two: worlds.restarts([1000, 2200]),
    'three among pauses of all lengths': worlds.restarts([7200, 14_400, 21_600], {
      sessions: 100,
      begin: uniform(0, 28_800),
      pause: logUniform(5, 3600),
    }),
    'one in the middle of a rush': worlds.restarts([1200], {
      sessions: 200,
      begin: (random) => 900 + exponential(300)(random),
      pause: uniform(5, 60),
    }),
  };
  for (const [name, make] of Object.entries(plain)) {
    test(name, async () => {
      const hits = Array.from({ length: 12 }, (_, index) =>
        make(500 + index).map((hit) => ({ ...hit, endpoint: `/mcp-${index}` })),
      ).flat();
      expect((await claimsOf(hits)).map(({ facts }) => facts.sentence)).toEqual([]);
    });
  }
});
