import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { PostmortemError } from '../../error.js';
import { unreadable } from './file.js';
import { expandGlob, isGlob } from './glob.js';
import type { InputProblem } from './problem.js';

/** A file to read. */
export interface FoundFile {
  readonly path: string;
  /** Given by name (or matched by a glob), as against met in a folder. */
  readonly named: boolean;
}

export interface Found {
  readonly files: readonly FoundFile[];
  readonly problems: readonly InputProblem[];
}

const MAX_FOLDER_DEPTH = 128;

/**
 * Regular files behind a path: the file itself, a folder's files (recursive, sorted by path, names with a leading dot
 * left out), or what a glob matches. In a folder, FIFOs, sockets, devices, dangling links and links that lead out of
 * it are problems; links to what lies in it anyway are passed over.
 */
export async function findFiles(path: string): Promise<Found> {
  const files: FoundFile[] = [];
  const problems: InputProblem[] = [];
  const paths = isGlob(path) && !(await exists(path)) ? await expandGlob(path) : [path];
  if (paths.length === 0) problems.push({ path, error: noMatch(path), named: true });
  for (const one of paths) {
    try {
      const kind = await stat(one);
      if (kind.isDirectory()) await walk(one, await realpath(one), 0, files, problems);
      else if (kind.isFile()) files.push({ path: one, named: true });
      else problems.push({ path: one, error: notRegular(one, describeKind(kind)), named: true });
    } catch (cause) {
      problems.push({ path: one, error: unreadable(one, cause), named: true });
    }
  }
  return { files, problems };
}

async function walk(
  folder: string,
  root: string,
  depth: number,
  files: FoundFile[],
  problems: InputProblem[],
): Promise<void> {
  const report = (path: string, error: PostmortemError) => problems.push({ path, error, named: false });
  if (depth > MAX_FOLDER_DEPTH) {
    report(folder, new PostmortemError('input-limit', `${folder}: folders nested too deep`, 'Give the folder itself.'));
    return;
  }
  let names: string[];
  try {
    names = (await readdir(folder)).sort();
  } catch (cause) {
    report(folder, unreadable(folder, cause));
    return;
  }
  for (const name of names) {
    if (name.startsWith('.')) continue;
    const path = join(folder, name);
    try {
      const kind = await lstat(path);
      if (kind.isDirectory()) await walk(path, root, depth + 1, files, problems);
      else if (kind.isFile()) files.push({ path, named: false });
      else if (kind.isSymbolicLink()) await judgeLink(path, root, report);
      else report(path, notRegular(path, describeKind(kind)));
    } catch (cause) {
      report(path, unreadable(path, cause));
    }
  }
}

async function judgeLink(
  path: string,
  root: string,
  report: (path: string, error: PostmortemError) => void,
): Promise<void> {
  const target = await realpath(path);
  const kind = await lstat(target);
  if (target !== root && !target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    const message = `${path}: a symbolic link that leads out of the folder`;
    report(path, new PostmortemError('input-unreadable', message, 'Give the file it points to by its own path.'));
  } else if (!kind.isFile() && !kind.isDirectory()) report(path, notRegular(path, describeKind(kind)));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function describeKind(kind: {
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}): string {
  if (kind.isFIFO()) return 'a FIFO';
  if (kind.isSocket()) return 'a socket';
  if (kind.isCharacterDevice() || kind.isBlockDevice()) return 'a device';
  return 'no regular file';
}

function notRegular(path: string, kind: string): PostmortemError {
  return new PostmortemError(
    'input-unreadable',
    `${path}: ${kind}, not opened`,
    'Give regular files; pipe data to `-`.',
  );
}

function noMatch(path: string): PostmortemError {
  return new PostmortemError('input-unreadable', `${path}: nothing matches`, 'Check the pattern, or quote it less.');
}
