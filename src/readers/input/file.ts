import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PostmortemError } from '../../error.js';
import { chunksOf, type RandomAccess } from './bytes.js';

/** A regular file, held at the size it had when it was opened: what a writer appends meanwhile is not read. */
export class OpenFile implements RandomAccess {
  readonly size: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** @throws PostmortemError `input-unreadable` when the path cannot be opened or is no regular file. */
  static async at(path: string): Promise<OpenFile> {
    let handle: FileHandle;
    try {
      // Without O_NONBLOCK, opening a FIFO that took the file's place would wait for a writer for ever.
      handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (cause) {
      throw unreadable(path, cause);
    }
    return OpenFile.of(handle, path);
  }

  /** Takes over an open handle. */
  static async of(handle: FileHandle, path: string): Promise<OpenFile> {
    const stat = await handle.stat();
    if (!stat.isFile()) {
      await handle.close();
      throw new PostmortemError('input-unreadable', `${path}: not a regular file`, 'Give a file, a folder or a glob.');
    }
    return new OpenFile(handle, stat.size);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    const buffer = Buffer.allocUnsafeSlow(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#handle.read(buffer, filled, wanted - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled === wanted ? buffer : buffer.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** SHA-256 (hex) of everything in `source`. */
export async function sha256Of(source: RandomAccess): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(source)) hash.update(chunk);
  return hash.digest('hex');
}

/** An error of the file system, in words. */
export function unreadable(path: string, cause: unknown): PostmortemError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reasons: Record<string, string> = {
    ENOENT: 'no such file',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EISDIR: 'a folder',
    ELOOP: 'a symbolic link that leads back to itself',
    ENXIO: 'a socket or a device without a reader',
    ENAMETOOLONG: 'the name is too long',
  };
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new PostmortemError('input-unreadable', `${path}: ${reason}`, 'Check the path and its permissions.', {
    cause,
  });
}
