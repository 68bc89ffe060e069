import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../../../src/cli/out.js';
import { loadConfig } from '../../../src/schedule/config.js';
import type { JobHost } from '../../../src/schedule/host.js';
import { type Intake, takeIn } from '../../../src/schedule/intake.js';
import { type JobResult, runJob } from '../../../src/schedule/run.js';
import { scanInputs } from '../../../src/schedule/scan.js';
import { withState } from '../../../src/schedule/state.js';

/** A folder with an inbox and a configuration. */
export interface Place {
  readonly root: string;
  readonly inbox: string;
  readonly config: string;
  readonly state: string;
  readonly reports: string;
  remove(): void;
}

/** @param more lines of YAML behind the usual ones */
export function makePlace(more = '', name = 'job'): Place {
  const root = mkdtempSync(join(tmpdir(), `${name}-`));
  const inbox = join(root, 'in');
  mkdirSync(inbox);
  const config = join(root, 'mcp-postmortem.yaml');
  writeFileSync(config, `inputs:\n  - path: in\nstate: state/job.duckdb\nsettle: 0s\nthreads: 1\n${more}\n`);
  const remove = () => rmSync(root, { recursive: true, force: true });
  return { root, inbox, config, state: join(root, 'state/job.duckdb'), reports: join(root, 'reports'), remove };
}

/** A host that keeps what is said. */
export function quietHost(said: string[] = [], now = () => Date.now()): JobHost {
  return {
    version: '0.0.0',
    write: writeAtomically,
    note: (text) => void said.push(text),
    warning: (text) => void said.push(text),
    error: (error) => void said.push(String(error)),
    progress: () => {},
    throwIfInterrupted: () => {},
    onInterrupt: () => () => {},
    now,
  };
}

export async function runOnce(
  place: Place,
  host: JobHost = quietHost(),
  env: NodeJS.ProcessEnv = {},
): Promise<JobResult> {
  return runJob(await loadConfig(place.config, env), 0, host, () => new Map());
}

/** The first half of a run: reads what is new, judges nothing. */
export async function takeOnce(place: Place, host: JobHost = quietHost()): Promise<Intake> {
  const config = await loadConfig(place.config, {});
  return withState(config, 0, host, (store) => takeIn(store, scanInputs(config.inputs, null), config, host));
}

/** Writes a file as if it had been written at a time. */
export function writeAt(path: string, text: string | Uint8Array, atMs: number): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, atMs / 1000, atMs / 1000);
}
