import { type Instant, parseInstant, toNs } from './access-log/clock.js';
import type { ZoneOffset } from './zone.js';

/** When an entry began. */
export interface WrittenTime {
  readonly ns: bigint | null;
  readonly precisionNs: bigint;
  /** The text names no zone. */
  readonly isZoneless: boolean;
}

const UNKNOWN: WrittenTime = { ns: null, precisionNs: 1_000_000n, isZoneless: false };

/**
 * `startedDateTime` in the spellings that are met: RFC 3339, offset without colon, any number of fraction digits,
 * no zone at all (read as `zone`), or milliseconds since the epoch. What does not fit 64-bit nanoseconds has no time.
 */
export function writtenTime(value: unknown, zone: ZoneOffset): WrittenTime {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > 64) return UNKNOWN;
  const bytes = Buffer.from(text.trim(), 'latin1');
  const instant: Instant = { seconds: 0, nanos: 0, precisionNs: 1_000_000, zoned: true };
  if (!parseInstant(bytes, 0, bytes.length, instant)) return UNKNOWN;
  const seconds = instant.zoned ? instant.seconds : instant.seconds - zone(instant.seconds);
  return {
    ns: toNs(seconds, instant.nanos),
    precisionNs: BigInt(instant.precisionNs),
    isZoneless: !instant.zoned,
  };
}

/** A duration in milliseconds (`entry.time`); null: missing, negative (HAR's *not available*) or beyond all reason. */
export function millisToNs(value: unknown): bigint | null {
  if (typeof value !== 'number' || !(value >= 0) || value > 1e12) return null;
  return BigInt(Math.round(value * 1e6));
}
