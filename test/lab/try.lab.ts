import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
it('says of each recording exactly what happened', async () => {
  const disagreements: string[] = [];
  const programs = findPrograms()!;
  const t0 = Date.now();
  const lap = (what: string) => console.log(`${((Date.now() - t0) / 1000).toFixed(1)} ${what}`);
  const built = await buildPrograms();
  lap('built');
  const browser = await launchChromium(programs.chromium);
  try {
    const out = process.env.LAB_OUT ?? mkdtempSync(join(tmpdir(), 'mcp-postmortem-lab-'));
    mkdirSync(out, { recursive: true });
    for (const name of wanted.split(',')) {
      const scenario = SCENARIOS[name]!;
      const folder = join(out, name);
      if (!process.env.LAB_REPLAY) {
        const world = await World.open({ programs, built, browser }, scenario.plan, folder);
        lap(`${name} open`);
        try {
          await scenario.play(world);
        } finally {
          await world.stop();
        }
        lap(`${name} played`);
      }
      const truth = Truth.read(folder);
      console.log(
        'merges',
        truth.merges.length,
        'refused',
        truth.refused.length,
        'twice',
        truth.ranTwice
          .map((t) => `${t.tool} ${t.call}`)
          .slice(0, 5)
          .join(),
      );
      for (const recording of recordingsOf(folder)) {
        const document = await analyzeFiles(recording.paths, { reveal: true });
        writeFileSync(
          join(folder, `result-${recording.name.replace('/', '-')}.json`),
          JSON.stringify(document, null, 1),
        );
        console.log(
          `-- ${recording.name}: ${document.totals.exchanges} exchanges, rejected ${document.totals.rejected}`,
        );
        const seen = truth.seenIn(bytesOf(recording));
        const j = judge(document, recording.name, scenario.happened(seen), scenario.remarks ?? []);
        console.log(`   expected ${j.expected} found ${j.found}`);
        for (const c of j.missing) disagreements.push(`${name}, ${recording.name}: missing ${c}`);
        for (const c of j.wrong) disagreements.push(`${name}, ${recording.name}: wrong ${c}`);
        for (const c of j.readsAsClean) disagreements.push(`${name}, ${recording.name}: reads as clean ${c}`);
        for (const c of j.missing.slice(0, 4)) console.log('   MISSING', c);
        for (const c of j.wrong.slice(0, 4)) console.log('   WRONG', c);
        for (const c of j.readsAsClean.slice(0, 4)) console.log('   READS AS CLEAN', c);
        for (const n of (document as unknown as { notJudged?: string[] }).notJudged ?? []) console.log('   note', n);
        const by = new Map<string, number>();
        const key = (f: (typeof document.findings)[number]) =>
          `${f.severity} ${f.confidence} ${f.detector} ${f.explanation.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'S')}`;
        for (const f of document.findings) by.set(key(f), (by.get(key(f)) ?? 0) + 1);
        for (const [k, n] of by) console.log('     ', n, k);
      }
      lap(`${name} judged`);
    }
  } finally {
    await browser.close();
    await built.remove();
  }
  expect(disagreements).toEqual([]);
});
