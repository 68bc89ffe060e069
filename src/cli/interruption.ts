import { PostmortemError } from '../error.js';

const controller = new AbortController();

/** The first Ctrl-C ends the run in order: transactions are rolled back, temporary files removed. The second one kills. */
export function watchInterrupts(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
}

/** @throws PostmortemError `interrupted` once the run is to end. */
export function throwIfInterrupted(): void {
  if (controller.signal.aborted) throw new PostmortemError('interrupted', 'interrupted', '');
}

export function wasInterrupted(): boolean {
  return controller.signal.aborted;
}

/** Aborted when the run is to end. */
export function interruptSignal(): AbortSignal {
  return controller.signal;
}

/** Calls `stop` when the run is to end; the result takes that back. */
export function onInterrupt(stop: () => void): () => void {
  controller.signal.addEventListener('abort', stop, { once: true });
  return () => controller.signal.removeEventListener('abort', stop);
}
