import type { ExchangeRecord } from '../record.js';
import type { ZoneOffset } from '../zone.js';
import { type Instant, parseInstant, toNs } from './clock.js';
import { decode } from './intern.js';
import { decimalAt, integerAt } from './numbers.js';
import { type Row, SLOT } from './slot.js';
import { durationTextNs } from './values.js';

const MINUS = 45;
const PRECISIONS = new Map([1, 1e3, 1e6, 1e9].map((ns) => [ns, BigInt(ns)]));

/** Start and end of exchanges: one of them is stamped, the other follows from the duration. */
export class Timing {
  /** A time without a zone was seen. */
  sawUnzoned = false;
  /** A time lay outside 1970 … 2262 and was dropped. */
  sawWildTime = false;
  readonly #anchor: Instant = { seconds: 0, nanos: 0, precisionNs: 1e9, zoned: true };
  #isUnreadable = false;

  constructor(readonly zone: ZoneOffset) {}

  /** Puts the times of a line into its exchange; the reason why the line is broken, or null. */
  stamp(row: Row, exchange: ExchangeRecord): string | null {
    const anchor = this.#anchor;
    this.#isUnreadable = false;
    const isStart = this.#instant(row, SLOT.timeStart);
    const isEnd =
      !isStart &&
      (this.#instant(row, SLOT.timeEnd) ||
        this.#instant(row, SLOT.timeEndCoarse) ||
        this.#instant(row, SLOT.wrapperTime));
    // What stands there is not shown: in a line that is out of step it could be a session or a credential.
    if (!isStart && !isEnd) return this.#isUnreadable ? 'what stands in the place of the time is none' : null;
    const anchorNs = toNs(anchor.seconds, anchor.nanos);
    if (anchorNs === null) {
      this.sawWildTime = true;
      return null;
    }
    exchange.precisionNs = PRECISIONS.get(anchor.precisionNs) ?? 1_000_000n;
    const duration = durationOf(row);
    if (isStart) {
      exchange.startedNs = anchorNs;
      if (duration !== null) exchange.endedNs = this.#shifted(duration);
      else if (this.#instant(row, SLOT.timeEnd)) exchange.endedNs = toNs(anchor.seconds, anchor.nanos);
    } else {
      exchange.endedNs = anchorNs;
      if (duration !== null) exchange.startedNs = this.#shifted(-duration);
    }
    return null;
  }

  /** The anchor moved by so many nanoseconds. */
  #shifted(byNs: number): bigint | null {
    let seconds = this.#anchor.seconds + Math.trunc(byNs / 1e9);
    let nanos = this.#anchor.nanos + (byNs % 1e9);
    if (nanos < 0) {
      nanos += 1e9;
      seconds -= 1;
    } else if (nanos >= 1e9) {
      nanos -= 1e9;
      seconds += 1;
    }
    return toNs(seconds, Math.floor(nanos));
  }

  /** Reads a slot into the anchor. */
  #instant(row: Row, slot: number): boolean {
    const anchor = this.#anchor;
    const from = row.from[slot]!;
    if (from < 0) return false;
    const to = row.to[slot]!;
    if (from === to || (to - from === 1 && row.bytes[from] === MINUS)) return false;
    if (!parseInstant(row.bytes, from, to, anchor)) {
      this.#isUnreadable = true;
      return false;
    }
    if (!anchor.zoned) {
      anchor.seconds -= this.zone(anchor.seconds);
      this.sawUnzoned = true;
    }
    if (slot === SLOT.timeStart && row.from[SLOT.accessMs]! >= 0) {
      anchor.nanos = (integerAt(row, SLOT.accessMs) ?? 0) * 1e6;
      anchor.precisionNs = 1e6;
    }
    return true;
  }
}

/** Nanoseconds; null: not carried, or not a number. */
function durationOf(row: Row): number | null {
  const duration =
    decimalAt(row, SLOT.durationS, 1e9) ??
    decimalAt(row, SLOT.durationMs, 1e6) ??
    decimalAt(row, SLOT.durationUs, 1e3) ??
    decimalAt(row, SLOT.durationNs, 1);
  if (duration !== null) return duration;
  const from = row.from[SLOT.durationText]!;
  return from < 0 ? null : durationTextNs(decode(row.bytes, from, row.to[SLOT.durationText]!));
}
