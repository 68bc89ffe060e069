import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PostmortemError } from '../../error.js';
import type { ReaderInput } from '../reader.js';
import { expandArchive } from './archive.js';
import { chunksOf, collect } from './bytes.js';
import { compressionOf } from './compression.js';
import { type OpenedInput, openContent } from './content.js';
import { OpenFile, sha256Of } from './file.js';
import { findFiles } from './find.js';
import { MAX_MEMBER_IN_MEMORY } from './limits.js';
import type { InputProblem } from './problem.js';
import { spoolStdin } from './stdin.js';
import { isOutside, isZip } from './zip.js';

/** One thing to read: a file, or a capture inside an archive. */
export interface Source {
  /** As given on the command line, `archive.zip!member`, or `-`. */
  readonly path: string;
  /** Size on disk; of a member of an archive: as its directory says. */
  readonly bytes: number;
  /** Given by name, as against met in a folder or an archive. */
  readonly named: boolean;
  /** SHA-256 (hex) of the bytes on disk; of one capture among several in an archive: of its content. */
  sha256(): Promise<string>;
  /** @throws PostmortemError `input-unreadable` or `input-limit`. The caller closes what it gets. */
  open(): Promise<OpenedInput>;
}

export interface OpenOptions {
  /**
   * Whether an input that starts like this is a capture. In an archive that holds one, other members are taken for
   * its attachments.
   */
  readonly isCapture: (head: Uint8Array) => boolean;
}

export interface Inputs {
  /** In the order of `paths`; files of a folder sorted by path. */
  readonly sources: readonly Source[];
  readonly problems: readonly InputProblem[];
}

/** Finds what lies behind the paths: files, folders (recursive), globs, `-`. What cannot be opened is a problem, never thrown. */
export async function openInputs(paths: readonly string[], options: OpenOptions): Promise<Inputs> {
  const sources: Source[] = [];
  const problems: InputProblem[] = [];
  for (const path of paths) {
    if (path === '-' || isOwnPipe(path)) {
      sources.push(await spoolStdin(path));
      continue;
    }
    const found = await findFiles(path);
    problems.push(...found.problems);
    for (const file of withoutAttachments(found.files)) {
      try {
        const expanded = await sourcesOf(file.path, file.named, options);
        sources.push(...expanded.sources);
        problems.push(...expanded.problems);
      } catch (error) {
        if (!(error instanceof PostmortemError)) throw error;
        problems.push({ path: file.path, error, named: file.named });
      }
    }
  }
  return { sources, problems };
}

/** `<(command)` of a shell. */
function isOwnPipe(path: string): boolean {
  return path === '/dev/stdin' || /^\/dev\/fd\/\d+$/.test(path);
}

/** Body files that Playwright lays beside a HAR are named by their SHA-1 and belong to it. */
function withoutAttachments<T extends { path: string; named: boolean }>(files: readonly T[]): T[] {
  const foldersWithHar = new Set(
    files.filter((f) => f.path.toLowerCase().endsWith('.har')).map((f) => dirname(f.path)),
  );
  return files.filter(
    (f) => f.named || !ATTACHMENT_NAME.test(basename(f.path)) || !foldersWithHar.has(dirname(f.path)),
  );
}

const ATTACHMENT_NAME = /^[0-9a-f]{40}\.[a-z0-9]+$/;

async function sourcesOf(path: string, named: boolean, options: OpenOptions): Promise<Inputs> {
  const file = await OpenFile.at(path);
  try {
    const head = await file.read(0, 64);
    if (isZip(head)) return await expandArchive({ path, named, reopen: () => OpenFile.at(path) }, options);
    if (compressionOf(head) !== null) {
      const zipped = await zipInside(file, path);
      if (zipped !== null) return await expandArchive({ path, named, reopen: async () => zipped }, options);
    }
    return { sources: [fileSource(path, named, file.size)], problems: [] };
  } finally {
    await file.close();
  }
}

/** An archive that was compressed once more, in memory; null: something else is inside. */
async function zipInside(file: OpenFile, path: string) {
  const input = await openContent({
    path,
    bytes: () => chunksOf(file),
    sibling: async () => null,
    close: async () => {},
  });
  if (!isZip(input.head)) return null;
  const bytes = await collect(input.chunks(), MAX_MEMBER_IN_MEMORY);
  if (bytes === null) {
    throw new PostmortemError(
      'input-limit',
      `${path}: the archive inside is too large`,
      'Unpack the outer layer first.',
    );
  }
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
    close: async () => {},
  };
}

function fileSource(path: string, named: boolean, bytes: number): Source {
  let digest: Promise<string> | null = null;
  return {
    path,
    bytes,
    named,
    sha256: () => {
      digest ??= digestOf(path);
      return digest;
    },
    open: async () => {
      const file = await OpenFile.at(path);
      return openContent({
        path,
        bytes: () => chunksOf(file),
        sibling: (name) => siblingOf(path, name),
        close: () => file.close(),
      });
    },
  };
}

async function digestOf(path: string): Promise<string> {
  const file = await OpenFile.at(path);
  try {
    return await sha256Of(file);
  } finally {
    await file.close();
  }
}

/** A file beside `path`, or null when there is none, when it is too large, or when the name leads elsewhere. */
const siblingOf = async (path: string, name: string): ReturnType<ReaderInput['sibling']> => {
  if (isOutside(name)) return null;
  try {
    const folder = await realpath(dirname(path));
    const target = await realpath(join(folder, name));
    if (!target.startsWith(`${folder}/`) || !(await lstat(target)).isFile()) return null;
    const file = await OpenFile.at(target);
    try {
      return file.size > MAX_MEMBER_IN_MEMORY ? null : await file.read(0, file.size);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
};
