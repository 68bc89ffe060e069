/** Something that processes wait for. */
export class Signal {
  fired = false;
}

/** Sleep for milliseconds, or until a signal, or until a signal but no longer than milliseconds. */
export type Wait = number | Signal | { signal: Signal; atMostMs: number };
export type Process = Generator<Wait, void, void>;
/** A part of a process that hands a value back. */
export type Step<T = void> = Generator<Wait, T, void>;

interface Sleeper {
  process: Process;
  wakeMs: number;
  signal: Signal | null;
}

/** Runs processes in simulated time, one step at a time, always the earliest first. */
export class Clock {
  nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  spawn(process: Process): void {
    this.#sleepers.push({ process, wakeMs: this.nowMs, signal: null });
  }

  /** Runs until every process has ended or time is up. */
  run(untilMs: number): void {
    for (;;) {
      const next = this.#earliest();
      if (next === null || next.wakeMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.wakeMs);
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.#step(next.process);
    }
    this.nowMs = untilMs;
  }

  #earliest(): Sleeper | null {
    let best: Sleeper | null = null;
    for (const sleeper of this.#sleepers) {
      if (sleeper.signal?.fired === true) sleeper.wakeMs = Math.min(sleeper.wakeMs, this.nowMs);
      if (best === null || sleeper.wakeMs < best.wakeMs) best = sleeper;
    }
    return best !== null && best.wakeMs === Number.POSITIVE_INFINITY ? null : best;
  }

  #step(process: Process): void {
    const { value, done } = process.next();
    if (done === true) return;
    const wait = value as Wait;
    if (typeof wait === 'number') this.#sleepers.push({ process, wakeMs: this.nowMs + wait, signal: null });
    else if (wait instanceof Signal) this.#sleepers.push({ process, wakeMs: Number.POSITIVE_INFINITY, signal: wait });
    else this.#sleepers.push({ process, wakeMs: this.nowMs + wait.atMostMs, signal: wait.signal });
  }
}
