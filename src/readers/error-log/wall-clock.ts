import type { ZoneOffset } from '../zone.js';

const MAX_SECONDS = 9_223_372_036;

/** A local date and time as nanoseconds since the epoch; null: no such time, or out of 1970 … 2262. */
export function civilNs(
  [year, month, day, hour, minute, second]: readonly [number, number, number, number, number, number],
  nanos: number,
  zone: ZoneOffset,
): bigint | null {
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
  const local = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  const seconds = local - zone(local);
  return seconds >= 0 && seconds < MAX_SECONDS ? BigInt(seconds) * 1_000_000_000n + BigInt(nanos) : null;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov` is 11; 0: no month. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name) + 1;
}
