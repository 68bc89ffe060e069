import type { CapturedEntry } from './capture.js';
import type { HarProducer } from './producer.js';

const HALF_DAY_NS = 12n * 3_600_000_000_000n;
const HOUR_NS = 3_600_000_000_000n;

/** Collects what a reader of the report should know about a HAR, each thing once. */
export class HarWarnings {
  readonly #producer: HarProducer;
  readonly #hasZone: boolean;
  #zoneless = 0;
  #badTimes = 0;
  #missingBodies = 0;
  #sanitized = false;
  #halfDayJump: string | null = null;
  #previousNs: bigint | null = null;

  constructor(producer: HarProducer, hasZone: boolean) {
    this.#producer = producer;
    this.#hasZone = hasZone;
  }

  /** A body that is said to lie in a file of its own, and does not, or must not be read. */
  missingBody(): void {
    this.#missingBodies += 1;
  }

  note({ http, isZoneless, hasBadTime }: CapturedEntry): void {
    if (isZoneless) this.#zoneless += 1;
    if (hasBadTime) this.#badTimes += 1;
    if (http.responseBody === null && http.recordedEvents?.some((event) => event.data === null)) this.#sanitized = true;
    const { startedNs } = http;
    if (startedNs === null) return;
    const jump = this.#previousNs === null ? 0n : this.#previousNs - startedNs;
    if (jump > HALF_DAY_NS - HOUR_NS && jump < HALF_DAY_NS + HOUR_NS) this.#halfDayJump ??= http.locator;
    this.#previousNs = startedNs;
  }

  list(): string[] {
    const warnings: string[] = [];
    if (this.#zoneless > 0 && !this.#hasZone) {
      warnings.push(`${this.#zoneless} times without a zone were read as UTC; --zone names another.`);
    }
    if (this.#badTimes > 0) {
      warnings.push(
        `${this.#badTimes} entries are kept without a time: theirs is missing, unreadable or out of range.`,
      );
    }
    if (this.#missingBodies > 0) {
      warnings.push(
        `${this.#missingBodies} bodies are not observed: their files are missing, too large, or lie outside the folder or archive of the HAR.`,
      );
    }
    if (this.#sanitized) {
      warnings.push(
        'The data of recorded events was removed (sanitized export): ids and times are left. Export with sensitive data to judge messages.',
      );
    }
    if (this.#halfDayJump !== null) {
      warnings.push(
        `Times jump back by about twelve hours at ${this.#halfDayJump}, as a 12-hour clock without am and pm does.`,
      );
    }
    if (/sitespeed|browsertime|chrome-har/i.test(this.#producer.label ?? '')) {
      warnings.push('This producer leaves failed requests out: faults may be missing.');
    }
    if (this.#producer.family === 'safari') {
      warnings.push('Safari exports finished requests only: streams that were open are missing.');
    }
    return warnings;
  }
}
