import { readdir, readFile } from 'node:fs/promises';
import { PostmortemError } from '../error.js';

/** A finding that a sample's label asks for; what it does not say is not judged. */
export interface Expectation {
  readonly detector: string;
  readonly sessions?: readonly string[];
  readonly severity?: string;
  readonly confidence?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** A folder `positive-NAME` or `negative-NAME` of captures. */
export interface Sample {
  readonly detector: string;
  readonly name: string;
  readonly kind: 'positive' | 'negative';
  readonly folder: string;
  readonly inputs: readonly string[];
  readonly expect: readonly Expectation[];
  /** Detectors that must not answer; `*`: no finding of medium or above beyond those expected. */
  readonly forbid: readonly string[];
}

/** As much of a finding as a label speaks of. */
export interface LabelledFinding {
  readonly detector: string;
  readonly sessions: readonly string[];
  readonly severity: string;
  readonly confidence: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const LABEL = 'expect.json';
const SERIOUS = new Set(['medium', 'high', 'critical']);

/**
 * The samples of a detector: `FOLDER/ID/{positive,negative}-NAME/`, captures with an `expect.json`. Without one a
 * positive sample expects the detector to answer, and a negative one that it does not.
 * @throws PostmortemError `detector-invalid` when a label is broken
 */
export async function samplesOf(folder: string, detector: string): Promise<Sample[]> {
  const root = `${folder}/${detector}`;
  const names = await readdir(root).catch(() => []);
  const samples: Sample[] = [];
  for (const name of names.sort()) {
    const kind = /^(positive|negative)-/.exec(name)?.[1];
    if (kind === 'positive' || kind === 'negative')
      samples.push(await readSample(`${root}/${name}`, detector, name, kind));
  }
  return samples;
}

async function readSample(folder: string, detector: string, name: string, kind: Sample['kind']): Promise<Sample> {
  const files = (await readdir(folder)).filter((file) => file !== LABEL && !file.startsWith('.')).sort();
  const label = await readLabel(`${folder}/${LABEL}`);
  return {
    detector,
    name,
    kind,
    folder,
    inputs: (label?.inputs ?? files).map((file) => `${folder}/${file}`),
    expect: label?.expect ?? (kind === 'positive' ? [{ detector }] : []),
    forbid: label?.forbid ?? (kind === 'negative' ? [detector] : []),
  };
}

interface Label {
  readonly inputs?: readonly string[];
  readonly expect?: readonly Expectation[];
  readonly forbid?: readonly string[];
}

async function readLabel(path: string): Promise<Label | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return JSON.parse(text) as Label;
  } catch (cause) {
    throw new PostmortemError(
      'detector-invalid',
      `${path}: is no JSON`,
      'A label is { "expect": […], "forbid": […] }.',
      {
        cause,
      },
    );
  }
}

/** What keeps the findings from meeting the label, one sentence each; empty: met. */
export function judgeSample(sample: Pick<Sample, 'expect' | 'forbid'>, findings: readonly LabelledFinding[]): string[] {
  const missing = sample.expect.flatMap((wanted) => {
    const same = findings.filter((finding) => isSameThing(wanted, finding));
    const differences = same.map((finding) => differencesOf(wanted, finding));
    if (differences.some((list) => list.length === 0)) return [];
    const [least] = differences.sort((a, b) => a.length - b.length);
    return [`${nameOf(wanted)}: ${least === undefined ? 'not found' : `found, but ${least.join(', ')}`}`];
  });
  const unwanted = sample.forbid.flatMap((detector) =>
    findings
      .filter((finding) =>
        detector === '*'
          ? SERIOUS.has(finding.severity) && !sample.expect.some((wanted) => isSameThing(wanted, finding))
          : finding.detector === detector,
      )
      .map(({ detector: id, severity, sessions }) => `forbidden: ${id} ${severity} [${sessions.join(', ')}]`),
  );
  return [...missing, ...unwanted];
}

function isSameThing(wanted: Expectation, finding: LabelledFinding): boolean {
  return (
    finding.detector === wanted.detector &&
    (wanted.sessions ?? []).every((session) => finding.sessions.includes(session))
  );
}

function differencesOf(wanted: Expectation, finding: LabelledFinding): string[] {
  const found: string[] = [];
  if (wanted.severity !== undefined && wanted.severity !== finding.severity)
    found.push(`severity is ${finding.severity}`);
  if (wanted.confidence !== undefined && wanted.confidence !== finding.confidence) {
    found.push(`confidence is ${finding.confidence}`);
  }
  for (const [name, value] of Object.entries(wanted.facts ?? {})) {
    const fact = finding.facts[name];
    if (JSON.stringify(fact) !== JSON.stringify(value)) found.push(`${name} is ${JSON.stringify(fact)}`);
  }
  return found;
}

function nameOf({ detector, sessions = [] }: Expectation): string {
  return sessions.length === 0 ? detector : `${detector} [${sessions.join(', ')}]`;
}
