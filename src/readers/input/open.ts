import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PostmortemError } from '../../error.js';
import type { ReaderInput } from '../reader.js';
import { expandArchive } from './archive.js';
import { chunksOf, collect, memoryAccess, type RandomAccess } from './bytes.js';
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
    const found = path === '-' || isOwnPipe(path) ? await pipeOrigin(path) : await fileOrigins(path);
    problems.push(...found.problems);
    for (const origin of found.origins) {
      try {
        const expanded = await sourcesOf(origin, options);
        sources.push(...expanded.sources);
        problems.push(...expanded.problems);
      } catch (error) {
        if (!(error instanceof PostmortemError)) throw error;
        problems.push({ path: origin.path, error, named: origin.named });
      }
    }
  }
  return { sources, problems };
}

/** Where bytes come from: a file on disk, or a pipe that was kept. */
interface Origin {
  readonly path: string;
  readonly named: boolean;
  reopen(): Promise<RandomAccess & { close(): Promise<void> }>;
  sibling(name: string): Promise<Uint8Array | null>;
}

interface Origins {
  readonly origins: readonly Origin[];
  readonly problems: readonly InputProblem[];
}

async function fileOrigins(path: string): Promise<Origins> {
  const { files, problems } = await findFiles(path);
  const origins = withoutAttachments(files).map((file) => ({
    ...file,
    reopen: () => OpenFile.at(file.path),
    sibling: (name: string) => siblingOf(file.path, name),
  }));
  return { origins, problems };
}

async function pipeOrigin(path: string): Promise<Origins> {
  try {
    const file = await spoolStdin(path);
    const kept = { size: file.size, read: file.read.bind(file), close: async () => {} };
    return { origins: [{ path, named: true, reopen: async () => kept, sibling: async () => null }], problems: [] };
  } catch (error) {
    if (!(error instanceof PostmortemError)) throw error;
    return { origins: [], problems: [{ path, error, named: true }] };
  }
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

async function sourcesOf(origin: Origin, options: OpenOptions): Promise<Inputs> {
  const { path, named } = origin;
  const bytes = await origin.reopen();
  try {
    const head = await bytes.read(0, 64);
    if (isZip(head)) return await expandArchive(origin, options);
    if (compressionOf(head) !== null) {
      const zipped = await zipInside(bytes, path);
      if (zipped !== null) return await expandArchive({ path, named, reopen: async () => zipped }, options);
    }
    return { sources: [sourceOf(origin, bytes.size)], problems: [] };
  } finally {
    await bytes.close();
  }
}

/** An archive that was compressed once more, in memory; null: something else is inside. */
async function zipInside(packed: RandomAccess, path: string) {
  const input = await openContent({
    path,
    bytes: () => chunksOf(packed),
    sibling: async () => null,
    close: async () => {},
  });
  try {
    if (!isZip(input.head)) return null;
    const bytes = await collect(input.chunks(), MAX_MEMBER_IN_MEMORY);
    if (bytes !== null) return { ...memoryAccess(bytes), close: async () => {} };
    const hint = 'Unpack the outer layer first.';
    throw new PostmortemError('input-limit', `${path}: the archive inside is too large`, hint);
  } finally {
    await input.close();
  }
}

function sourceOf(origin: Origin, bytes: number): Source {
  const { path, named } = origin;
  let digest: Promise<string> | null = null;
  return {
    path,
    bytes,
    named,
    sha256: () => {
      digest ??= digestOf(origin);
      return digest;
    },
    open: async () => {
      const access = await origin.reopen();
      return openContent({
        path,
        bytes: () => chunksOf(access),
        sibling: (name) => origin.sibling(name),
        close: () => access.close(),
      });
    },
  };
}

async function digestOf(origin: Origin): Promise<string> {
  const access = await origin.reopen();
  try {
    return await sha256Of(access);
  } finally {
    await access.close();
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
