import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { CATALOGUE } from './catalogue.js';

/** Where samples are kept, from the root of the package. */
export const FOLDER = 'samples/detectors';

/** All files of the catalogue: path below `FOLDER` → text. */
export function madeFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const { detector, name, files: captures, label } of CATALOGUE) {
    const folder = `${detector}/${name}`;
    if (files.has(`${folder}/expect.json`)) throw new Error(`two samples are called ${folder}`);
    for (const [file, text] of Object.entries(captures)) files.set(`${folder}/${file}`, text);
    files.set(`${folder}/expect.json`, `${JSON.stringify(label, null, 2)}\n`);
  }
  return files;
}

/** The folders of `FOLDER` that are made here; others are kept by hand or made elsewhere. */
export function madeDetectors(): Set<string> {
  return new Set(CATALOGUE.map(({ detector }) => detector));
}

/** What lies in the folders that are made here: path below `FOLDER` → text. */
export async function keptFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const detector of madeDetectors()) {
    const names = await readdir(`${FOLDER}/${detector}`, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of names.filter((one) => one.isFile())) {
      const path = `${entry.parentPath}/${entry.name}`;
      files.set(path.slice(FOLDER.length + 1), await readFile(path, 'utf8'));
    }
  }
  return files;
}

/** Makes the samples anew. */
export async function writeSamples(): Promise<void> {
  for (const detector of madeDetectors()) await rm(`${FOLDER}/${detector}`, { recursive: true, force: true });
  for (const [path, text] of madeFiles()) {
    await mkdir(`${FOLDER}/${path.slice(0, path.lastIndexOf('/'))}`, { recursive: true });
    await writeFile(`${FOLDER}/${path}`, text);
  }
}
