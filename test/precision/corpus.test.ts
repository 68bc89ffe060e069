import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from '../support/history/judge.js';
import { readHar } from '../support/history/read-har.js';
import type { Expected } from '../support/history/seen.js';

interface Label {
  title: string;
  inputs: string[];
  expect: {
    detector: string;
    sessions?: string[];
    severity?: string;
    confidence?: string;
    facts?: Record<string, unknown>;
  }[];
  forbid: string[];
}

const CASES = join(process.cwd(), '..', 'shared', 'corpus', 'cases');
const RANK = ['info', 'low', 'medium', 'high', 'critical'];
/** Told by the other inputs of a case, not by its HAR. */
const NEEDS_MORE = new Set(['054-retry-at-the-next-hop']);

function meets(want: Label['expect'][number], said: Expected): boolean {
  return (
    said.detector === want.detector &&
    (said.sessions === null || (want.sessions ?? []).every((session) => said.sessions?.includes(session))) &&
    (said.severity === null || want.severity === undefined || said.severity === want.severity) &&
    (said.confidence === null || want.confidence === undefined || said.confidence === want.confidence) &&
    Object.entries(want.facts ?? {}).every(([key, value]) => said.facts[key] === undefined || said.facts[key] === value)
  );
}

function grave(said: Expected): boolean {
  return said.demand === 'must' && RANK.indexOf(said.severity ?? 'critical') >= RANK.indexOf('medium');
}

describe.skipIf(!existsSync(CASES))('the judge reads the specification as the labelled cases do', () => {
  const folders = existsSync(CASES) ? readdirSync(CASES) : [];
  for (const folder of folders) {
    const label = JSON.parse(readFileSync(join(CASES, folder, 'case.json'), 'utf8')) as Label;
    if (!label.inputs.includes('capture.har') || NEEDS_MORE.has(folder)) continue;
    it(`${folder}: ${label.title}`, () => {
      const said = judge('har', readHar(readFileSync(join(CASES, folder, 'capture.har'), 'utf8')));
      for (const want of label.expect) {
        if (want.detector === 'load-correlated-failure') continue;
        expect(
          said.some((one) => meets(want, one)),
          `${JSON.stringify(want)} in ${JSON.stringify(said, null, 1)}`,
        ).toBe(true);
      }
      for (const name of label.forbid) {
        const wrong = said.filter((one) =>
          name === '*'
            ? grave(one) && !label.expect.some((want) => want.detector === one.detector)
            : one.demand === 'must' && one.detector === name,
        );
        expect(wrong, `forbidden: ${name}`).toEqual([]);
      }
    });
  }
});
