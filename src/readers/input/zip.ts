import { PostmortemError } from '../../error.js';
import { chunksOf, type RandomAccess, sliceAccess } from './bytes.js';
import { type Unpacked, unpack } from './compression.js';
import { INFLATE_LIMITS, MAX_ARCHIVE_ENTRIES } from './limits.js';

/** A file in an archive. */
export interface ZipMember {
  readonly name: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly method: number;
  readonly headerOffset: number;
}

/** A member that is not read, and why. */
export interface RefusedMember {
  readonly name: string;
  readonly reason: string;
}

export interface ZipDirectory {
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly refused: readonly RefusedMember[];
}

const END_RECORD = 0x06054b50;
const END_RECORD_64_LOCATOR = 0x07064b50;
const END_RECORD_64 = 0x06064b50;
const CENTRAL_HEADER = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const END_RECORD_BYTES = 22;
const CENTRAL_HEADER_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const MAX_DIRECTORY_BYTES = 256 * 2 ** 20;

/** Tells a zip archive by its first bytes (an empty one too). */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Reads the central directory of a zip archive (APPNOTE 4.3.12, with Zip64). Nothing is unpacked.
 * Members whose names leave the archive, links, encrypted members and unknown methods are in `refused`.
 * @throws PostmortemError `input-unreadable` when there is no directory, `input-limit` when it is too long.
 */
export async function readZipDirectory(archive: RandomAccess, path: string): Promise<ZipDirectory> {
  const place = await directoryPlace(archive, path);
  if (place.entries > MAX_ARCHIVE_ENTRIES || place.size > MAX_DIRECTORY_BYTES) {
    throw new PostmortemError(
      'input-limit',
      `${path}: lists ${place.entries} entries, the limit is ${MAX_ARCHIVE_ENTRIES}`,
      'Unpack it by hand and give the files that matter.',
    );
  }
  const directory = await archive.read(place.offset, place.size);
  const members = new Map<string, ZipMember>();
  const refused: RefusedMember[] = [];
  let at = 0;
  while (at + CENTRAL_HEADER_BYTES <= directory.length && directory.readUInt32LE(at) === CENTRAL_HEADER) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const extraBytes = directory.readUInt16LE(at + 30);
    const commentBytes = directory.readUInt16LE(at + 32);
    const name = directory.toString('utf8', at + CENTRAL_HEADER_BYTES, at + CENTRAL_HEADER_BYTES + nameBytes);
    const extraStart = at + CENTRAL_HEADER_BYTES + nameBytes;
    const member = memberAt(directory, at, name, directory.subarray(extraStart, extraStart + extraBytes));
    const reason = refusal(directory, at, name, member.method);
    if (reason !== null) refused.push({ name, reason });
    else if (!name.endsWith('/') && !members.has(name)) members.set(name, member);
    at = extraStart + extraBytes + commentBytes;
  }
  return { members, refused };
}

function memberAt(directory: Buffer, at: number, name: string, extra: Buffer): ZipMember {
  const fields = {
    name,
    packedBytes: directory.readUInt32LE(at + 20),
    bytes: directory.readUInt32LE(at + 24),
    method: directory.readUInt16LE(at + 10),
    headerOffset: directory.readUInt32LE(at + 42),
  };
  // Zip64: the values that did not fit stand in extra field 1, in this order.
  for (let e = 0; e + 4 <= extra.length; e += 4 + extra.readUInt16LE(e + 2)) {
    if (extra.readUInt16LE(e) !== 1) continue;
    let value = e + 4;
    const next = (): number => {
      value += 8;
      return value <= extra.length ? Number(extra.readBigUInt64LE(value - 8)) : Number.MAX_SAFE_INTEGER;
    };
    if (fields.bytes === 0xffffffff) fields.bytes = next();
    if (fields.packedBytes === 0xffffffff) fields.packedBytes = next();
    if (fields.headerOffset === 0xffffffff) fields.headerOffset = next();
    break;
  }
  return fields;
}

function refusal(directory: Buffer, at: number, name: string, method: number): string | null {
  if (isOutside(name)) return 'its name points outside the archive';
  const unixMode = directory.readUInt32LE(at + 38) >>> 16;
  if ((unixMode & 0o170000) === 0o120000) return 'it is a symbolic link';
  if ((directory.readUInt16LE(at + 8) & 1) !== 0) return 'it is encrypted';
  if (method !== STORED && method !== DEFLATED) return `it is packed by method ${method}, which is not supported`;
  return null;
}

/** Whether a relative name would leave the folder it is relative to (or is not relative, or holds a NUL). */
export function isOutside(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.startsWith('\\') || /^[A-Za-z]:/.test(name)) return true;
  return name.includes('\0') || name.split(/[\\/]/).includes('..');
}

async function directoryPlace(archive: RandomAccess, path: string) {
  const tailBytes = Math.min(archive.size, END_RECORD_BYTES + 0xffff);
  const tailOffset = archive.size - tailBytes;
  const tail = await archive.read(tailOffset, tailBytes);
  for (let at = tail.length - END_RECORD_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_RECORD) continue;
    const place = {
      entries: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    const isZip64 = place.entries === 0xffff || place.size === 0xffffffff || place.offset === 0xffffffff;
    return isZip64 && at >= 20 ? ((await zip64Place(archive, tail.subarray(at - 20, at))) ?? place) : place;
  }
  throw new PostmortemError(
    'input-unreadable',
    `${path}: a zip archive without its directory; the end of the file is missing`,
    'Copy or download the archive again.',
  );
}

async function zip64Place(archive: RandomAccess, locator: Buffer) {
  if (locator.readUInt32LE(0) !== END_RECORD_64_LOCATOR) return null;
  const record = await archive.read(Number(locator.readBigUInt64LE(8)), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END_RECORD_64) return null;
  return {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
}

/** The content of a member as a stream. Sizes are taken from the data, never believed. */
export function openMember(archive: RandomAccess, member: ZipMember, path: string): Unpacked {
  const packed = memberBytes(archive, member);
  if (member.method === DEFLATED) return unpack('raw-deflate', packed, path, INFLATE_LIMITS);
  return { chunks: packed, damage: () => null };
}

async function* memberBytes(archive: RandomAccess, member: ZipMember): AsyncGenerator<Uint8Array> {
  const header = await archive.read(member.headerOffset, LOCAL_HEADER_BYTES);
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) return;
  const start = member.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  yield* chunksOf(sliceAccess(archive, start, Math.min(member.packedBytes, Math.max(0, archive.size - start))));
}
