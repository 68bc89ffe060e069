import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_SEED_BYTES = 128 * 1024;
const NO_CAPTURES = /\.(?:md|py|yaml|conf|cfg)$|(?:^|\/)(?:case|expect)\.json$/;

/** A capture to begin from. */
export interface Seed {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Every capture of the samples, and of the corpus beside the project where it is there. */
export function seeds(): Seed[] {
  return ['samples', '../shared/corpus']
    .filter((folder) => existsSync(folder))
    .flatMap(filesIn)
    .filter((path) => !NO_CAPTURES.test(path) && statSync(path).size <= MAX_SEED_BYTES)
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}
