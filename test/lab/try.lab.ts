import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import { launchChromium } from '../support/browser.js';
import { buildPrograms } from './build.js';
import { judge } from './judge.js';
import { findPrograms } from './programs.js';
import { bytesOf, recordingsOf } from './recordings.js';
import { SCENARIOS } from './scenarios/index.js';
import { Truth } from './truth.js';
import { World } from './world.js';

const wanted = process.env.LAB ?? 'controlNginx';
it('tries', async () => {
  const programs = findPrograms()!;
  const t0 = Date.now();
  const lap = (what: string) => console.log(`${((Date.now() - t0) / 1000).toFixed(1)} ${what}`);
  const built = await buildPrograms();
  lap('built');
  const browser = await launchChromium(programs.chromium);
  try {
    const out = process.env.LAB_OUT!;
    mkdirSync(out, { recursive: true });
    for (const name of wanted.split(',')) {
      const scenario = SCENARIOS[name]!;
      const world = await World.open({ programs, built, browser }, scenario.plan, join(out, name));
      lap(`${name} open`);
      try {
        await scenario.play(world);
      } finally {
        await world.stop();
      }
      lap(`${name} played`);
      const truth = Truth.read(world.folder);
      console.log(
        'merges',
        truth.merges.length,
        'refused',
        truth.refused.length,
        'twice',
        JSON.stringify(truth.ranTwice),
      );
      for (const recording of recordingsOf(world)) {
        const document = await analyzeFiles(recording.paths, { reveal: true });
        writeFileSync(
          join(world.folder, `result-${recording.name.replace('/', '-')}.json`),
          JSON.stringify(document, null, 1),
        );
        console.log(
          `-- ${recording.name}: ${document.totals.exchanges} exchanges, rejected ${document.totals.rejected}`,
        );
        const seen = truth.seenIn(bytesOf(recording));
        const j = judge(document, recording.name, scenario.happened(seen), scenario.remarks ?? []);
        console.log(`   expected ${j.expected} found ${j.found}`);
        for (const c of j.missing) console.log('   MISSING', c);
        for (const c of j.wrong) console.log('   WRONG', c);
        for (const c of j.readsAsClean) console.log('   READS AS CLEAN', c);
        for (const n of (document as unknown as { notJudged?: string[] }).notJudged ?? []) console.log('   note', n);
        const by = new Map<string, number>();
        for (const f of document.findings)
          by.set(
            `${f.severity} ${f.confidence} ${f.detector} ${f.explanation.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (x) => x.slice(0, 8))}`,
            1,
          );
        if (process.env.LAB_ALL || j.wrong.length || j.missing.length)
          for (const k of by.keys()) console.log('     ', k);
      }
      lap(`${name} judged`);
    }
  } finally {
    await browser.close();
    await built.remove();
  }
  expect(1).toBe(1);
});
