import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives `work` a new folder and removes it afterwards. */
export async function withFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'histories-'));
  try {
    return await work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
