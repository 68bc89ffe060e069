import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { PostmortemError } from '../../error.js';
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
  const candidates: { member: ZipMember; isKnown: boolean }[] = [];
  const sources: Source[] = [];
  const problems: InputProblem[] = [];
  const refuse = (name: string, error: PostmortemError) =>
    problems.push({ path: `${archive.path}!${name}`, error, named: false });
  try {
    const directory = await readZipDirectory(bytes, archive.path);
    for (const { name, reason } of directory.refused) {
      refuse(name, new PostmortemError('input-unreadable', `${archive.path}!${name}: ${reason}`, 'It was not read.'));
    }
    for (const member of directory.members.values()) {
      if (DEBRIS.test(member.name) || ATTACHMENT.test(member.name)) continue;
      const input = await openMemberContent(archive.path, bytes, directory, member, async () => {});
      if (isZip(input.head) && !isNested) {
        const inner = await collect(input.chunks(), MAX_MEMBER_IN_MEMORY);
        if (inner === null) {
          refuse(
            member.name,
            new PostmortemError('input-limit', `${input.path}: too large to open inside`, 'Unpack it.'),
          );
          continue;
        }
        const nested = {
          path: input.path,
          named: false,
          reopen: async () => ({ ...memoryAccess(inner), close: async () => {} }),
        };
        const expanded = await expandArchive(nested, options, true);
        sources.push(...expanded.sources);
        problems.push(...expanded.problems);
      } else candidates.push({ member, isKnown: options.isCapture(input.head) });
    }
    const hasKnown = sources.length > 0 || candidates.some((candidate) => candidate.isKnown);
    const kept = candidates.filter((candidate) => candidate.isKnown || !hasKnown);
    const isAlone = kept.length === 1 && sources.length === 0;
    for (const { member } of kept) sources.push(memberSource(archive, directory, member, isAlone));
  } finally {
    await bytes.close();
  }
  if (sources.length === 0 && problems.length === 0) {
    refuse(
      '',
      new PostmortemError(
        'input-unknown-format',
        `${archive.path}: an archive without a capture in it`,
        'Nothing to read.',
      ),
    );
  }
  return { sources, problems };
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
