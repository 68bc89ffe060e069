import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Console } from '../../src/cli/console.js';
import { samplesFolder } from '../../src/cli/detectors-test.js';
import { revealed } from '../../src/cli/id-text.js';
import { findInputs, loadInputs } from '../../src/cli/load.js';
import { detectorRow, inOrder } from '../../src/detect/detector-row.js';
import { boundParameters } from '../../src/detect/parameters.js';
import {
  type Detector,
  loadRegistry,
  type Registry,
  type Relation,
  relationsInOrder,
} from '../../src/detect/registry.js';
import { deriveRelations } from '../../src/detect/runner.js';
import { judgeSample, type Sample, samplesOf } from '../../src/detect/samples.js';
import { findingsOf } from '../../src/incident/findings.js';
import { loadViews } from '../../src/incident/views.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { type Conjunct, conjunctsOf, without } from '../support/history/conjuncts.js';
import { withFolder } from '../support/history/folder.js';
import { nearMissScripts } from '../support/history/near-misses.js';
import { faultyHistory, troubledHistory } from '../support/history/simulate.js';
import { writeCapture } from '../support/history/write.js';

/** Runs for minutes: `MUTATE=1 npx vitest run test/precision/conditions.test.ts`, one detector with `DETECTOR=id`. */
const WANTED = process.env.MUTATE === '1';
/** Conditions that change no finding here: they keep out what cannot be compared (NULL), or spare work. */
const GUARDS = join(import.meta.dirname, 'guards.txt');
const HISTORIES = 40;
const ONLY = process.env.DETECTOR ?? null;

/** Conversations and histories that other tests judge: any change of what is said of them fails there. */
async function loadHistories(registry: Registry): Promise<Store> {
  const store = await openStore({ path: ':memory:', threads: 1, memoryLimit: '300MB' });
  await withFolder(async (root) => {
    const scripts = nearMissScripts().map((script) => script.history());
    const seeds = Array.from({ length: HISTORIES }, (_, n) => n + 1);
    const told = [...scripts, ...seeds.map((seed) => troubledHistory(seed))];
    const paths = [
      ...told.flatMap((history) => writeCapture(history, 'har', `${root}/h${history.seed}-x`)),
      ...seeds.flatMap((seed) => writeCapture(faultyHistory(900 + seed), 'log', `${root}/l${seed}-x`)),
    ];
    await loadInputs(store, await findInputs(paths, {}), {}, 'by-path', new Console(true, () => undefined));
  });
  const reads = registry.detectors.flatMap((detector) => detector.reads);
  await deriveRelations(store, registry, reads);
  return store;
}

async function answers(store: Store, detector: Detector, sql: string): Promise<string> {
  const rows = await store.rows(sql, boundParameters(detector.meta, {}));
  return rows
    .map((row) => [row.session, row.other_session, row.severity, row.confidence].join(' '))
    .sort()
    .join('\n');
}

interface Loaded {
  sample: Sample;
  store: Store;
  views: Awaited<ReturnType<typeof loadViews>>;
}

async function load(registry: Registry, detector: Detector): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const sample of await samplesOf(samplesFolder(undefined), detector.meta.id)) {
    const store = await openStore({ path: ':memory:', threads: 1, memoryLimit: '100MB' });
    await loadInputs(store, await findInputs(sample.inputs, {}), {}, 'by-path', new Console(true, () => undefined));
    await deriveRelations(store, registry, [...detector.reads, ...(registry.reports.get('evidence')?.reads ?? [])]);
    loaded.push({ sample, store, views: await loadViews(store, registry, []) });
  }
  return loaded;
}

async function problems(detector: Detector, sql: string, { sample, store, views }: Loaded): Promise<string[]> {
  const rows = await store.rows(sql, boundParameters(detector.meta, {}));
  const outcome = { detector, status: 'findings', reason: null, rows: inOrder(rows.map(detectorRow)), ms: 0 } as const;
  const findings = findingsOf(outcome, views, revealed(store)).map(({ finding }) => finding);
  const own = { expect: sample.expect.filter((one) => one.detector === detector.meta.id), forbid: sample.forbid };
  return judgeSample(own, findings);
}

/** Relations that only this detector reads, itself or through each other. */
function ownRelations(registry: Registry, detector: Detector): string[] {
  const others = registry.detectors.filter((one) => one !== detector).flatMap(({ reads }) => reads);
  const shared = new Set(relationsInOrder(registry, others).map(({ name }) => name));
  return relationsInOrder(registry, detector.reads)
    .map(({ name }) => name)
    .filter((name) => !shared.has(name));
}

interface Bench {
  registry: Registry;
  loaded: Loaded[];
  histories: Store;
}

async function answersDiffer(
  { registry, histories }: Bench,
  detector: Detector,
  name: string | null,
  sql: string,
  dependents: readonly Relation[],
): Promise<boolean> {
  const before = await answers(histories, detector, detector.sql);
  if (name === null) return (await answers(histories, detector, sql)) !== before;
  await histories.materialise(name, sql);
  for (const relation of dependents) await histories.materialise(relation.name, relation.sql);
  const changed = (await answers(histories, detector, detector.sql)) !== before;
  await restore(registry, detector, [histories], name);
  return changed;
}

async function noticed(bench: Bench, detector: Detector, name: string | null, sql: string): Promise<boolean> {
  const { registry, loaded, histories } = bench;
  const after = name === null ? [] : relationsInOrder(registry, detector.reads).filter((one) => one.name !== name);
  const dependents = after.filter((one) => relationsInOrder(registry, one.reads).some((read) => read.name === name));
  try {
    for (const one of loaded) {
      if (name !== null) {
        await one.store.materialise(name, sql);
        for (const relation of dependents) await one.store.materialise(relation.name, relation.sql);
      }
      if ((await problems(detector, name === null ? sql : detector.sql, one)).length > 0) return true;
    }
    return await histories.withTimeLimit(20_000, () => answersDiffer(bench, detector, name, sql, dependents));
  } catch {
    if (name !== null) await restore(registry, detector, [histories], name);
    return true;
  }
}

async function restore(registry: Registry, detector: Detector, stores: Store[], name: string): Promise<void> {
  for (const store of stores) {
    for (const relation of relationsInOrder(registry, detector.reads)) {
      const touched =
        relation.name === name || relationsInOrder(registry, relation.reads).some((read) => read.name === name);
      if (touched) await store.materialise(relation.name, relation.sql);
    }
  }
}

/** How tables are joined and how much evidence is listed decides no finding. */
const decides = ({ text }: Conjunct): boolean =>
  !/^\w+\.(\w+) = \w+\.\1$/.test(text) && !/^(\w+\.)?nth( <= \d+| = 1)$/.test(text);

const said = (file: string, { text }: Conjunct): string => `${file}: ${text.replace(/\s+/g, ' ')}`;

describe.skipIf(!WANTED)('every condition of a detector decides something', () => {
  it('and samples, conversations or histories notice when it is gone', { timeout: 3_600_000 }, async () => {
    const registry = await loadRegistry(null);
    const histories = await loadHistories(registry);
    const survivors: string[] = [];
    for (const detector of registry.detectors) {
      if (detector.meta.id === 'load-correlated-failure' || (ONLY !== null && detector.meta.id !== ONLY)) continue;
      const loaded = await load(registry, detector);
      const bench = { registry, loaded, histories };
      for (const conjunct of conjunctsOf(detector.sql).filter(decides)) {
        const sql = without(detector.sql, conjunct);
        if (!(await noticed(bench, detector, null, sql))) survivors.push(said(detector.meta.id, conjunct));
      }
      for (const name of ownRelations(registry, detector)) {
        const relation = registry.relations.get(name);
        for (const conjunct of conjunctsOf(relation?.sql ?? '').filter(decides)) {
          const sql = without(relation?.sql ?? '', conjunct);
          if (!(await noticed(bench, detector, name, sql))) survivors.push(said(name, conjunct));
        }
        await restore(
          registry,
          detector,
          loaded.map(({ store }) => store),
          name,
        );
      }
      for (const { store } of loaded) await store.close();
    }
    const guards = new Set(readFileSync(GUARDS, 'utf8').split('\n'));
    expect(survivors.filter((one) => !guards.has(one))).toEqual([]);
  });
});
