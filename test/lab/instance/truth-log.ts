import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** What really happened, told by those who did it. */
export type TruthEntry = { readonly atMs: number; readonly instance: string } & (
  | { readonly what: 'issued'; readonly session: string }
  | { readonly what: 'minted'; readonly session: string; readonly instead: string; readonly http: string }
  | { readonly what: 'adopted'; readonly session: string }
  | { readonly what: 'refused'; readonly session: string; readonly http: string; readonly cursor: string | null }
  | { readonly what: 'forgot'; readonly session: string; readonly why: 'idle' | 'deleted' | 'stopped' }
  | { readonly what: 'ran'; readonly session: string; readonly tool: string; readonly call: string }
);

type Said<T> = T extends TruthEntry ? Omit<T, 'atMs' | 'instance'> : never;

/** Writes line by line and at once: a process that is killed has said all that it did. */
export class TruthLog {
  readonly #path: string;
  readonly #instance: string;

  constructor(folder: string, instance: string) {
    this.#path = join(folder, `truth-${instance}.jsonl`);
    this.#instance = instance;
  }

  say(entry: Said<TruthEntry>): void {
    appendFileSync(this.#path, `${JSON.stringify({ atMs: Date.now(), instance: this.#instance, ...entry })}\n`);
  }
}
