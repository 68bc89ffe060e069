/** A point in time as read: nanoseconds since the epoch, and how coarse it is. */
export interface EpochTime {
  readonly ns: bigint | null;
  readonly precisionNs: bigint;
}

const NO_TIME: EpochTime = { ns: null, precisionNs: 1n };
const LAST_NS = 2n ** 63n - 1n;

/** Doubles near today's nanoseconds lie 256 apart. */
const DOUBLE_PRECISION_NS = 256n;

/**
 * `startTimeUnixNano` and the like: digits, a JSON number (not exact beyond 2^53), or protobufjs' `{low, high}`.
 * Zero is *not set* (trace.proto); what does not fit 63 bits is no time.
 */
export function epochNs(value: unknown): EpochTime {
  if (typeof value === 'string') {
    return /^\d{1,20}$/.test(value) ? inRange(BigInt(value), 1n) : NO_TIME;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return NO_TIME;
    return inRange(BigInt(Math.round(value)), Number.isSafeInteger(value) ? 1n : DOUBLE_PRECISION_NS);
  }
  if (typeof value === 'bigint') return inRange(value, 1n);
  if (typeof value === 'object' && value !== null && 'low' in value && 'high' in value) {
    const { low, high } = value;
    if (typeof low !== 'number' || typeof high !== 'number') return NO_TIME;
    return inRange((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0), 1n);
  }
  return NO_TIME;
}

/** Microseconds since the epoch (Jaeger, Zipkin), as number or digits, in nanoseconds. */
export function epochMicros(value: unknown): EpochTime {
  const micros = epochNs(value).ns;
  return micros === null ? NO_TIME : inRange(micros * 1000n, 1000n);
}

/**
 * `2026-12-01 12:09:00.123456789` (ClickHouse), ISO 8601 with or without `T`, `Z` or offset; without zone it is UTC.
 * Digits alone are nanoseconds.
 */
export function epochFromText(value: unknown): EpochTime {
  if (typeof value !== 'string') return epochNs(value);
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(
    value.trim(),
  );
  if (parts === null) return epochNs(value);
  const [, day, clock, fraction = '', zone = 'Z'] = parts;
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const seconds = Date.parse(`${day}T${clock}${offset}`);
  if (Number.isNaN(seconds)) return NO_TIME;
  const ns = BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return inRange(ns, 10n ** BigInt(9 - fraction.length));
}

/** `start` plus a length in nanoseconds; null when either is unknown or the sum does not fit. */
export function plusNs(start: bigint | null, lengthNs: bigint | null): bigint | null {
  if (start === null || lengthNs === null) return null;
  return inRange(start + lengthNs, 1n).ns;
}

/** `12ms`, `1.5s`, `250us` as log records write durations, in nanoseconds; null: not such a text. */
export function durationNs(text: string): bigint | null {
  const parts = /^(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m)$/.exec(text.trim());
  if (parts === null) return null;
  const unit = UNIT_NS[parts[2] ?? ''];
  return unit === undefined ? null : BigInt(Math.round(Number(parts[1]) * unit));
}

const UNIT_NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10 };

function inRange(ns: bigint, precisionNs: bigint): EpochTime {
  return ns > 0n && ns <= LAST_NS ? { ns, precisionNs } : { ns: null, precisionNs };
}
