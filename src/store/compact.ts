import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { PostmortemError } from '../error.js';

/**
 * Writes a database anew, without the room that deleted rows have left. The file is the old one or the new one at any
 * moment. Nobody may have it open.
 * @throws PostmortemError `output-failed`; the old file is still there
 */
export async function compactDatabase(path: string): Promise<void> {
  const fresh = `${path}.compact`;
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  rmSync(fresh, { force: true });
  try {
    const instance = await DuckDBInstance.create(':memory:');
    try {
      const connection = await instance.connect();
      await connection.run(`attach ${quoted(path)} as old`);
      await connection.run(`attach ${quoted(fresh)} as fresh`);
      await connection.run('copy from database old to fresh');
      await connection.run('checkpoint fresh');
      await connection.run('checkpoint old');
      connection.closeSync();
    } finally {
      instance.closeSync();
    }
    flush(fresh);
    renameSync(fresh, path);
  } catch (cause) {
    rmSync(fresh, { force: true });
    rmSync(`${fresh}.wal`, { force: true });
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    const hint = 'There must be room for a second copy beside it.';
    throw new PostmortemError('output-failed', `${path}: cannot be written anew: ${reason}`, hint, { cause });
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
