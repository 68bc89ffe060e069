import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { PostmortemError } from '../error.js';

/** Who holds a state database. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells two processes of one number apart: the start time as the system counts it; null: unknown. */
  readonly started: string | null;
}

export interface Lock {
  release(): void;
}

/**
 * Takes the lock of a database: a file beside it that names the holder. A lock whose process is gone is taken over;
 * one of another host cannot be judged from here, and is left to the database's own lock.
 * @throws PostmortemError `store-locked`, naming the process; `output-failed` when the file cannot be written
 */
export function takeLock(database: string): Lock {
  const path = `${database}.lock`;
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  const temporary = `${path}.${own.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, `${JSON.stringify(own)}\n`);
    for (let attempt = 0; ; attempt += 1) {
      const other = linkOr(temporary, path);
      if (other === null) return { release: () => release(path, own) };
      if (attempt > 2 || isAlive(other)) throw locked(database, other);
      rmSync(path, { force: true });
    }
  } catch (cause) {
    if (cause instanceof PostmortemError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hint = 'Give the state a folder that can be written to.';
    throw new PostmortemError('output-failed', `${path}: cannot be written: ${reason}`, hint, { cause });
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Makes the lock with its content in one step; else says who holds it. */
function linkOr(temporary: string, path: string): Holder | null {
  try {
    linkSync(temporary, path);
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return holderIn(path);
  }
}

function holderIn(path: string): Holder {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return { pid: Number(value.pid), host: String(value.host), started: value.started ?? null };
  } catch {
    return { pid: Number.NaN, host: '', started: null };
  }
}

function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  // In a container every run is process 1: the number alone says nothing.
  if (pid === process.pid) return false;
  const now = startOf(pid);
  return started === null || now === null || started === now;
}

/** Field 22 of /proc/PID/stat; null where there is none. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function release(path: string, own: Holder): void {
  const holder = holderIn(path);
  if (holder.pid === own.pid && holder.host === own.host) rmSync(path, { force: true });
}

function locked(database: string, { pid, host }: Holder): PostmortemError {
  return new PostmortemError(
    'store-locked',
    `${database}: another run uses this state (process ${pid} on ${host})`,
    'Wait for it to end, or let this one wait with --wait SECONDS.',
  );
}
