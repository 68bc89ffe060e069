import { analyzeFiles } from '../../../src/cli/analyze-files.js';
import { withFolder } from './folder.js';
import type { Script } from './script.js';
import type { InputKind } from './seen.js';
import { writeCapture } from './write.js';

export interface Told {
  detector: string;
  severity: string;
  confidence: string;
  sessions: readonly string[];
  facts: Readonly<Record<string, unknown>>;
}

/** What the product says of a script, as one kind of input shows it. */
export async function told(script: Script, kind: InputKind = 'har', restMs?: number): Promise<readonly Told[]> {
  const document = await withFolder((root) =>
    analyzeFiles(writeCapture(script.history(restMs), kind, `${root}/x`), { reveal: true }),
  );
  const broken = document.detectors.filter(({ status }) => status === 'error');
  if (broken.length > 0) throw new Error(broken.map(({ id, reason }) => `${id}: ${reason}`).join('\n'));
  return document.findings;
}

/** What the product says of each of several scripts, read in one run. */
export async function toldOfEach(scripts: readonly Script[]): Promise<ReadonlyMap<Script, readonly Told[]>> {
  const document = await withFolder((root) =>
    analyzeFiles(
      scripts.flatMap((script) => writeCapture(script.history(), 'har', `${root}/h${script.seed}-x`)),
      { reveal: true },
    ),
  );
  const broken = document.detectors.filter(({ status }) => status === 'error');
  if (broken.length > 0) throw new Error(broken.map(({ id, reason }) => `${id}: ${reason}`).join('\n'));
  const own = (script: Script) =>
    document.findings.filter(({ evidence }) => evidence.some(({ source }) => source.includes(`/h${script.seed}-x/`)));
  return new Map(scripts.map((script) => [script, own(script)]));
}

/** Findings as `detector severity`, in alphabetical order. */
export const briefly = (findings: readonly Told[]): string[] =>
  findings.map(({ detector, severity }) => `${detector} ${severity}`).sort();
