import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TruthEntry } from './instance/truth-log.js';

export interface Merge {
  readonly from: string;
  readonly to: string;
  readonly http: string;
}

/** One call that took effect more than once: where it ran, in order. */
export interface RanTwice {
  readonly tool: string;
  readonly call: string;
  readonly sessions: readonly string[];
  readonly instances: readonly string[];
}

/** What really happened in a run, by the words of the servers and the counts of the tools. */
export class Truth {
  readonly entries: readonly TruthEntry[];

  constructor(entries: readonly TruthEntry[]) {
    this.entries = [...entries].sort((a, b) => a.atMs - b.atMs);
  }

  static read(folder: string): Truth {
    const files = readdirSync(folder).filter((name) => /^truth-.*\.jsonl$/.test(name));
    const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    return new Truth(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TruthEntry));
  }

  /** What of it can be seen in a recording: that which happened to the sessions that it names. */
  seenIn(recording: Buffer): Truth {
    return new Truth(this.entries.filter(({ session }) => recording.includes(session)));
  }

  get merges(): readonly Merge[] {
    return this.entries.flatMap((entry) =>
      entry.what === 'minted' ? [{ from: entry.instead, to: entry.session, http: entry.http }] : [],
    );
  }

  /** Sessions in the order in which clients were given them. */
  get issued(): readonly string[] {
    return this.entries.flatMap((entry) => (entry.what === 'issued' ? [entry.session] : []));
  }

  get refused(): readonly string[] {
    return [...new Set(this.entries.flatMap((entry) => (entry.what === 'refused' ? [entry.session] : [])))];
  }

  get ranTwice(): readonly RanTwice[] {
    const runs = new Map<string, RanTwice>();
    for (const entry of this.entries) {
      if (entry.what !== 'ran') continue;
      const key = `${entry.tool} ${entry.call}`;
      const before = runs.get(key);
      runs.set(key, {
        tool: entry.tool,
        call: entry.call,
        sessions: [...(before?.sessions ?? []), entry.session],
        instances: [...(before?.instances ?? []), entry.instance],
      });
    }
    return [...runs.values()].filter(({ sessions }) => sessions.length > 1);
  }
}
