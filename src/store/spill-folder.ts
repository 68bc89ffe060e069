import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = /^mcp-postmortem-(\d+)-[A-Za-z0-9]{6}$/;

/** A folder of its own for what does not fit into memory. */
export interface SpillFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a folder in `parent` (default: the system's), readable by its owner alone. Folders of runs that were killed are
 * removed on the way: the name holds the process.
 */
export function makeSpillFolder(parent: string = tmpdir()): SpillFolder {
  removeAbandoned(parent);
  const path = mkdtempSync(join(parent, `mcp-postmortem-${process.pid}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1] ?? 0);
    const path = join(parent, name);
    if (pid > 0 && !isRunning(pid) && isOwn(path)) rmSync(path, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function isOwn(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.();
}
