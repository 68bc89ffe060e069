import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PostmortemError } from '../error.js';

/**
 * Writes a file so that it is the old one or the new one at any moment: a temporary file beside it, flushed to disk,
 * then renamed. A device such as /dev/stdout is written to directly.
 * @throws PostmortemError `output-failed`; the old file is still there
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  if (path.startsWith('/dev/')) return writeTo(path, path, text);
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeTo(path, temporary, text);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause instanceof PostmortemError ? cause : outputFailed(path, cause);
  }
  await flushFolder(dirname(path));
}

async function writeTo(path: string, target: string, text: string): Promise<void> {
  try {
    const file = await open(target, 'w');
    try {
      await file.writeFile(text, 'utf8');
      if (target !== path) await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw outputFailed(path, cause);
  }
}

/** The rename itself survives a power cut once the folder is on disk; where folders cannot be flushed, it is left. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  if (folder === null) return;
  await folder.sync().catch(() => undefined);
  await folder.close();
}

function outputFailed(path: string, cause: unknown): PostmortemError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'the folder does not exist',
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'no space left',
    EISDIR: 'is a folder',
  };
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new PostmortemError('output-failed', `${path}: cannot be written: ${reason}`, 'Give another --out file.', {
    cause,
  });
}

/** Writes to standard output and waits until it is taken. @throws PostmortemError `output-failed` */
export async function writeStdout(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      // Who reads the report may stop before its end: `| head`.
      if (error === null || error === undefined || code === 'EPIPE') resolve();
      else reject(outputFailed('standard output', error));
    });
  });
}
