import { describe, expect, test } from 'vitest';
import { type Claim, claimsOf, type Hit, relation } from './traffic.js';
import * as worlds from './worlds.js';

const causes = (claims: readonly Claim[]) => claims.map(({ cause }) => cause);
const SEEDS = [11, 15, 18];

/** Several histories in one database, each at an endpoint of its own. */
const together = (make: worlds.Make): Hit[] =>
  SEEDS.flatMap((seed) => make(seed).map((hit) => ({ ...hit, endpoint: `/mcp-${seed}` })));

describe('a history with one cause is told by that cause alone', () => {
  const told: Readonly<Record<string, readonly [string, worlds.Make]>> = {
    'a deploy that replaces two instances of three': ['rolling-deploy', worlds.rollingDeploy],
    'a deploy that replaces every instance': ['rolling-deploy', worlds.fullDeploy],
    'two instances of four taken away': ['scale-in', worlds.scaleIn],
    'an instance added that takes over sessions of others': ['scale-out', worlds.scaleOut],
    'requests spread over instances that share nothing': ['affinity-loss', worlds.affinityLoss],
    'the same without a backend column': ['affinity-loss', worlds.affinityLossUnseen],
    'an idle limit of ten minutes': ['idle-eviction', worlds.idleEviction(600)],
    'an idle limit, without a backend column': ['idle-eviction', worlds.idleEvictionUnseen],
    'an age limit of two hours': ['lifetime', worlds.lifetime],
    'an owner that hangs, then 404 from another instance': ['dead-owner', worlds.deadOwner(404)],
    'an owner that hangs, then 504 from the proxy': ['dead-owner', worlds.deadOwner(504)],
    'sessions dropped in rushes of traffic': ['overload', worlds.overload],
    'sessions dropped every night at three': ['periodic', worlds.periodic],
  };
  for (const [name, [cause, make]] of Object.entries(told)) {
    test(`${name}: ${cause}`, async () => {
      const claims = await claimsOf(together(make));
      expect(claims.length).toBeGreaterThan(0);
      expect(new Set(causes(claims))).toEqual(new Set([cause]));
      // One finding per window: never two for one endpoint.
      expect(claims.length).toBeLessThanOrEqual(SEEDS.length);
      for (const { facts, exchanges } of claims) {
        expect(Number(facts.failed_inside)).toBeGreaterThanOrEqual(5);
        expect(facts.p_value).toBeLessThan(0.01);
        expect(exchanges.length).toBe(Math.min(50, Number(facts.failed_inside)));
        expect(String(facts.sentence)).toMatch(/\d.*\.$/);
      }
    });
  }
});

test('a known constant between the longest pause survived and the shortest fatal one is named', async () => {
  const [claim] = await claimsOf(worlds.idleEviction(1800)(18));
  expect(claim).toMatchObject({ cause: 'idle-eviction', severity: 'medium', confidence: 'probable' });
  expect(claim!.facts).toMatchObject({ threshold_s: 1800, constant_s: 1800 });
  expect(claim!.facts.sentence).toContain('30 min');
});

test('a limit that is no known constant is given as the middle of what is known, without a name', async () => {
  const [claim] = await claimsOf(worlds.idleEviction(1300)(18));
  expect(claim!.cause).toBe('idle-eviction');
  expect(claim!.facts.constant_s).toBeNull();
  expect(Number(claim!.facts.threshold_s)).toBeGreaterThan(Number(claim!.facts.longest_survived_s));
  expect(Number(claim!.facts.threshold_s)).toBeLessThan(Number(claim!.facts.shortest_fatal_s));
});

test('a deploy names the instances that went and those that came', async () => {
  const [claim] = await claimsOf(worlds.rollingDeploy(11));
  expect(claim).toMatchObject({ cause: 'rolling-deploy', severity: 'high' });
  expect(claim!.facts).toMatchObject({ backends_gone: 'a1, a2', backends_new: 'b1, b2', failed_outside: 0n });
});

test('a deploy and an idle limit in one capture are two findings, each with its own losses', async () => {
  const deploy = worlds.rollingDeploy(11);
  const idle = worlds
    .idleEviction(1800)(18)
    .map((hit) => ({ ...hit, backend: 'a3', at: hit.at + 4000 }));
  const claims = await claimsOf([...deploy, ...idle]);
  expect(causes(claims).sort()).toEqual(['idle-eviction', 'rolling-deploy']);
  const [first, second] = claims.map(({ exchanges }) => new Set(exchanges));
  expect([...first!].filter((id) => second!.has(id))).toEqual([]);
});

test('failed resumes count as attempts: they went elsewhere while the session lived on at its owner', async () => {
  const hits: Hit[] = [];
  for (let index = 0; index < 12; index++) {
    const [session, at, owner] = [`r-${index}`, index * 200, index % 2 === 0 ? 'a:1' : 'b:1'];
    const other = owner === 'a:1' ? 'b:1' : 'a:1';
    hits.push({ at, status: 200, answered: session, backend: owner });
    const resume = { method: 'GET', session, lastEventId: 'e7' };
    hits.push({ ...resume, at: at + 20, status: 200, answered: session, backend: owner, lastEventId: 'e5' });
    hits.push({ ...resume, at: at + 40, status: 400, backend: other });
    hits.push({ at: at + 60, status: 200, session, answered: session, backend: owner });
  }
  const claims = await claimsOf(hits);
  expect(causes(claims)).toEqual(['affinity-loss']);
  expect(claims[0]!.facts).toMatchObject({ unit: 'resume', failed_inside: 12n, kept_inside: 0n, failed_outside: 0n });
});

test('a server that counts calls alone closes the stream with the session, and the limit is found all the same', async () => {
  const quiet = worlds.idleEviction(1800)(18);
  const before = new Map<string, number>();
  const streams: Hit[] = [];
  for (const hit of quiet) {
    const id = hit.session ?? hit.answered ?? '';
    const since = before.get(id) ?? hit.at;
    before.set(id, hit.at + 0.4);
    const pause = hit.at - since;
    if (pause < 60) continue;
    streams.push({ ...hit, at: since + 1, took: Math.min(pause, 1800) - 5, method: 'GET', status: 200 });
  }
  const [claim] = await claimsOf([...quiet, ...streams]);
  expect(claim!.cause).toBe('idle-eviction');
  expect(claim!.facts.threshold_s).toBe(1800);
});

test('what happens to one endpoint says nothing about another', async () => {
  const idle = worlds
    .idleEviction(600)(18)
    .map((hit) => ({ ...hit, endpoint: '/one' }));
  const fine = worlds
    .idleEviction(600)(19)
    .map((hit) => ({ ...hit, endpoint: '/two', status: 200 }));
  const claims = await claimsOf([...idle, ...fine]);
  expect(causes(claims)).toEqual(['idle-eviction']);
  expect(Number(claims[0]!.facts.kept_outside)).toBeLessThanOrEqual(40);
});

test('the same rows come out whatever the order of reading', async () => {
  const hits = worlds.rollingDeploy(11);
  const forth = await relation(hits, 'load_claim', 'select cause, p_value, from_ns from load_claim');
  const back = await relation([...hits].reverse(), 'load_claim', 'select cause, p_value, from_ns from load_claim');
  expect(back).toEqual(forth);
});
