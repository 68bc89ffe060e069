import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const FLUSH_BYTES = 2 ** 20;

/**
 * Writes a file from pieces unless it is there already; one that was not finished is never taken for whole.
 * @param {string} path
 * @param {Iterable<string | Uint8Array>} pieces
 * @returns {{ path: string, bytes: number }}
 */
export function makeFile(path, pieces) {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(`${path}.part`, 'w');
    let waiting = [];
    let size = 0;
    const flush = () => {
      if (size > 0) writeSync(file, Buffer.concat(waiting));
      waiting = [];
      size = 0;
    };
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      waiting.push(bytes);
      size += bytes.length;
      if (size >= FLUSH_BYTES) flush();
    }
    flush();
    closeSync(file);
    renameSync(`${path}.part`, path);
  }
  return { path, bytes: statSync(path).size };
}
