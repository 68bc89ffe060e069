import type { RecordSink } from '../readers/reader.js';

/** From when to when the records of a source are. */
export class TimeSpan {
  oldestNs: bigint | null = null;
  /** Later times are not believed. */
  newestNs: bigint | null = null;

  constructor(readonly believedUntilNs: bigint) {}

  /** A sink that hands everything on and notes the times. */
  watching(sink: RecordSink): RecordSink {
    return {
      capture: (capture) => {
        this.#note(capture.exchange.startedNs ?? capture.exchange.endedNs, capture.exchange.endedNs);
        sink.capture(capture);
      },
      companion: (record) => {
        this.#note(record.atNs, null);
        sink.companion(record);
      },
      reject: (locator, reason) => sink.reject(locator, reason),
      skip: (count) => sink.skip(count),
      duplicate: (count) => sink.duplicate(count),
      progress: (bytes) => sink.progress(bytes),
    };
  }

  #note(startNs: bigint | null, endNs: bigint | null): void {
    const lastNs = endNs ?? startNs;
    if (startNs !== null && (this.oldestNs === null || startNs < this.oldestNs)) this.oldestNs = startNs;
    if (lastNs === null || lastNs > this.believedUntilNs) return;
    if (this.newestNs === null || lastNs > this.newestNs) this.newestNs = lastNs;
  }
}
