import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder of the installed package: two levels up from `src/store` and from `dist/store` alike. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A SQL file of `queries/`. */
export interface SqlFile {
  /** File name without `.sql`: the name of the table, relation or detector. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** All `.sql` files of a folder, sorted by name. A folder that is not there holds none. */
export async function readSqlFolder(folder: string): Promise<SqlFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw cause;
  });
  const sqlNames = names.filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    sqlNames.map(async (name) => {
      const path = `${folder.replace(/\/$/, '')}/${name}`;
      return { name: name.slice(0, -'.sql'.length), path, text: await readFile(path, 'utf8') };
    }),
  );
}
