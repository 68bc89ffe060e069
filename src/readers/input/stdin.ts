import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenFile, unreadable } from './file.js';

/**
 * Standard input (`-`) or a shell's pipe, kept in a private file that has no name: it is read twice, once for its
 * digest, and is gone when the process ends, however it ends.
 * @throws PostmortemError `input-unreadable` when the pipe breaks or the disk is full.
 */
export async function spoolStdin(path: string): Promise<OpenFile> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-postmortem-'));
  try {
    const handle = await open(join(folder, 'stdin'), 'wx+', 0o600);
    await rm(folder, { recursive: true, force: true });
    const stream = path === '-' ? process.stdin : createReadStream(path);
    for await (const chunk of stream) await handle.appendFile(chunk as Buffer);
    return await OpenFile.of(handle, path);
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
