import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunksOf } from './bytes.js';
import { openContent } from './content.js';
import { OpenFile, sha256Of, unreadable } from './file.js';
import type { Source } from './open.js';

/**
 * Standard input (`-`) or a shell's pipe, kept in a private file that has no name: it is read twice, once for its
 * digest, and is gone when the process ends, however it ends.
 * @throws PostmortemError `input-unreadable` when the pipe breaks or the disk is full.
 */
export async function spoolStdin(path: string): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-postmortem-'));
  try {
    const handle = await open(join(folder, 'stdin'), 'wx+', 0o600);
    await rm(folder, { recursive: true, force: true });
    const stream = path === '-' ? process.stdin : createReadStream(path);
    for await (const chunk of stream) await handle.appendFile(chunk as Buffer);
    const file = await OpenFile.of(handle, path);
    return {
      path,
      bytes: file.size,
      named: true,
      sha256: () => sha256Of(file),
      open: () => openContent({ path, bytes: () => chunksOf(file), sibling: async () => null, close: async () => {} }),
    };
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
