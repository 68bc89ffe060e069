import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type ErrorCode, PostmortemError } from '../../error.js';
import { collect, memoryAccess, type RandomAccess } from './bytes.js';
import { type OpenedInput, openContent } from './content.js';
import { sha256Of } from './file.js';
import { MAX_MEMBER_IN_MEMORY } from './limits.js';
import type { Inputs, OpenOptions, Source } from './open.js';
import type { InputProblem } from './problem.js';
import { isOutside, isZip, openMember, readZipDirectory, type ZipDirectory, type ZipMember } from './zip.js';

type Closable = RandomAccess & { close(): Promise<void> };

interface Archive {
  readonly path: string;
  readonly named: boolean;
  reopen(): Promise<Closable>;
}

/** Playwright names the bodies in its archive by their SHA-1. */
const ATTACHMENT = /(^|\/)[0-9a-f]{40}\.[a-z0-9]+$/;
/** What file managers add on their own. */
const DEBRIS = /(^|\/)(__MACOSX\/|\.)/;

/** The captures in a zip archive. One alone goes by the archive's own path. Archives inside are opened once. */
export async function expandArchive(archive: Archive, options: OpenOptions, isNested = false): Promise<Inputs> {
  const bytes = await archive.reopen();
  const inside: Inside = { known: [], unknown: [], sources: [], problems: [], memoryLeft: MAX_MEMBER_IN_MEMORY };
  try {
    const directory = await readZipDirectory(bytes, archive.path);
    for (const { name, reason } of directory.refused) {
      refuse(inside, archive, name, 'input-unreadable', reason);
    }
    for (const member of directory.members.values()) {
      if (DEBRIS.test(member.name) || ATTACHMENT.test(member.name)) continue;
      try {
        await look(member, { archive, bytes, directory }, options, isNested, inside);
      } catch (error) {
        if (!(error instanceof PostmortemError)) throw error;
        inside.problems.push({ path: `${archive.path}!${member.name}`, error, named: false });
      }
    }
    const hasKnown = inside.sources.length > 0 || inside.known.length > 0;
    const kept = hasKnown ? inside.known : inside.unknown;
    const isAlone = kept.length === 1 && inside.sources.length === 0;
    for (const member of kept) inside.sources.push(memberSource(archive, directory, member, isAlone));
  } finally {
    await bytes.close();
  }
  if (inside.sources.length === 0 && inside.problems.length === 0) {
    const message = `${archive.path}: an archive without a capture in it`;
    const error = new PostmortemError('input-unknown-format', message, 'Give the capture itself.');
    inside.problems.push({ path: archive.path, error, named: archive.named });
  }
  return { sources: inside.sources, problems: inside.problems };
}

/** What has been found in an archive so far. */
interface Inside {
  readonly known: ZipMember[];
  readonly unknown: ZipMember[];
  readonly sources: Source[];
  readonly problems: InputProblem[];
  /** Archives inside are held in memory, all together no more than this. */
  memoryLeft: number;
}

interface OpenArchive {
  readonly archive: Archive;
  readonly bytes: RandomAccess;
  readonly directory: ZipDirectory;
}

async function look(
  member: ZipMember,
  { archive, bytes, directory }: OpenArchive,
  options: OpenOptions,
  isNested: boolean,
  inside: Inside,
): Promise<void> {
  const input = await openMemberContent(archive.path, bytes, directory, member, async () => {});
  try {
    if (!isZip(input.head) || isNested) {
      (options.isCapture(input.head) ? inside.known : inside.unknown).push(member);
      return;
    }
    const inner = await collect(input.chunks(), inside.memoryLeft);
    if (inner === null) {
      refuse(inside, archive, member.name, 'input-limit', 'archives inside are too large to be opened');
      return;
    }
    inside.memoryLeft -= inner.length;
    const reopen = async () => ({ ...memoryAccess(inner), close: async () => {} });
    const expanded = await expandArchive({ path: input.path, named: false, reopen }, options, true);
    inside.sources.push(...expanded.sources);
    inside.problems.push(...expanded.problems);
  } finally {
    await input.close();
  }
}

function refuse(inside: Inside, archive: Archive, name: string, code: ErrorCode, reason: string): void {
  const path = `${archive.path}!${name}`;
  const hint = 'It was not read; unpack the archive by hand to look at it.';
  inside.problems.push({ path, error: new PostmortemError(code, `${path}: ${reason}`, hint), named: false });
}

function memberSource(archive: Archive, directory: ZipDirectory, member: ZipMember, isAlone: boolean): Source {
  let digest: Promise<string> | null = null;
  const path = isAlone ? archive.path : `${archive.path}!${member.name}`;
  const open = async (): Promise<OpenedInput> => {
    const bytes = await archive.reopen();
    return openMemberContent(isAlone ? path : archive.path, bytes, directory, member, () => bytes.close(), isAlone);
  };
  return {
    path,
    bytes: member.bytes,
    named: archive.named,
    sha256: () => {
      digest ??= isAlone ? digestOfArchive(archive) : digestOfContent(open);
      return digest;
    },
    open,
  };
}

async function openMemberContent(
  archivePath: string,
  bytes: RandomAccess,
  directory: ZipDirectory,
  member: ZipMember,
  close: () => Promise<void>,
  isAlone = false,
): Promise<OpenedInput> {
  const path = isAlone ? archivePath : `${archivePath}!${member.name}`;
  const unpacked = openMember(bytes, member, path);
  const input = await openContent({
    path,
    bytes: () => unpacked.chunks,
    sibling: (name) => siblingIn(bytes, directory, member, name),
    close,
  });
  return { ...input, damage: () => unpacked.damage() ?? input.damage() };
}

async function siblingIn(
  bytes: RandomAccess,
  directory: ZipDirectory,
  member: ZipMember,
  name: string,
): Promise<Uint8Array | null> {
  if (isOutside(name)) return null;
  const sibling = directory.members.get(posix.join(posix.dirname(member.name), name));
  if (sibling === undefined) return null;
  return collect(openMember(bytes, sibling, sibling.name).chunks, MAX_MEMBER_IN_MEMORY);
}

async function digestOfArchive(archive: Archive): Promise<string> {
  const bytes = await archive.reopen();
  try {
    return await sha256Of(bytes);
  } finally {
    await bytes.close();
  }
}

async function digestOfContent(open: () => Promise<OpenedInput>): Promise<string> {
  const input = await open();
  try {
    const hash = createHash('sha256');
    for await (const chunk of input.chunks()) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await input.close();
  }
}
