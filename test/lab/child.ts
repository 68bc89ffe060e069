import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kills the process when this one ends, however it ends. */
export function endWithUs(child: ChildProcess): void {
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

export async function exited(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const inTime = await Promise.race([exit.then(() => true), sleep(withinMs).then(() => false)]);
  if (inTime) return;
  child.kill('SIGKILL');
  await exit;
}

/** Waits until requests of HTTP are answered on the port of this machine; a mere connection would be logged as a bad request. */
export async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/`)).text();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error(`nothing answers on port ${port}`);
}
