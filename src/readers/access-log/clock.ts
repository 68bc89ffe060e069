/** A point in time as seconds and nanoseconds since the epoch, and how fine it was written. */
export interface Instant {
  seconds: number;
  nanos: number;
  precisionNs: number;
  /** The text names its offset, or is an epoch number. */
  zoned: boolean;
}

const MONTHS = new Map(
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map((name, index) => [
    Buffer.from(name).readUIntBE(0, 3),
    index + 1,
  ]),
);

/** The largest second that fits int64 nanoseconds: 2262-04-11. */
const MAX_SECONDS = 9_223_372_036;

const parts = new Int32Array(2);
const whole = new BigInt64Array(parts.buffer);

/**
 * Nanoseconds since the epoch; null outside 1970 … 2262, which int64 cannot hold or no proxy has seen.
 * Computed in halves of 32 bits: bigint arithmetic would be the dearest part of reading a line.
 */
export function toNs(seconds: number, nanos: number): bigint | null {
  if (!(seconds >= 0) || seconds >= MAX_SECONDS) return null;
  const high = Math.floor(seconds / 65536) * 1e9;
  const low = (seconds % 65536) * 1e9 + nanos;
  const middle = (high % 65536) * 65536 + low;
  parts[0] = (middle % 4294967296) | 0;
  parts[1] = (Math.floor(high / 65536) + Math.floor(middle / 4294967296)) | 0;
  return whole[0]!;
}

/** Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

/**
 * Reads a time in any spelling that proxies use: `18/Nov/2026:08:00:01 +0000` (with or without fraction and zone), RFC 3339,
 * ISO 8601 with `+0000`, seconds with fraction, or whole seconds, milli-, micro- or nanoseconds since the epoch.
 * Without a zone `zoned` is false and the time is given as if it were UTC. False: not a time.
 */
export function parseInstant(bytes: Buffer, start: number, end: number, out: Instant): boolean {
  let from = start;
  let to = end;
  if (bytes[from] === 91 && bytes[to - 1] === 93) {
    from += 1;
    to -= 1;
  }
  const third = bytes[from + 2];
  if (third === 47) return parseClf(bytes, from, to, out);
  if (bytes[from + 4] === 45 || bytes[from + 4] === 47) return parseIso(bytes, from, to, out);
  return parseEpoch(bytes, from, to, out);
}

function parseClf(bytes: Buffer, from: number, to: number, out: Instant): boolean {
  // 18/Nov/2026:08:00:01
  if (to - from < 20) return false;
  const day = digits(bytes, from, 2);
  const month = monthOf(bytes, from + 3);
  const year = digits(bytes, from + 7, 4);
  if (bytes[from + 6] !== 47 || bytes[from + 11] !== 58) return false;
  return civil(bytes, year, month, day, from + 12, to, out);
}

function parseIso(bytes: Buffer, from: number, to: number, out: Instant): boolean {
  // 2026-11-18T13:00:00, 2026/11/18 13:00:00
  if (to - from < 19 || bytes[from + 7] !== bytes[from + 4]) return false;
  const separator = bytes[from + 10];
  if (separator !== 84 && separator !== 116 && separator !== 32) return false;
  const year = digits(bytes, from, 4);
  const month = digits(bytes, from + 5, 2);
  const day = digits(bytes, from + 8, 2);
  return civil(bytes, year, month, day, from + 11, to, out);
}

/** The rest of a date: `hh:mm:ss`, a fraction, an offset. */
function civil(
  bytes: Buffer,
  year: number,
  month: number,
  day: number,
  from: number,
  to: number,
  out: Instant,
): boolean {
  const hour = digits(bytes, from, 2);
  const minute = digits(bytes, from + 3, 2);
  const second = digits(bytes, from + 6, 2);
  if (bytes[from + 2] !== 58 || bytes[from + 5] !== 58) return false;
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return false;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  let at = from + 8;
  at = fraction(bytes, at, to, out);
  const offset = offsetSeconds(bytes, at, to);
  if (offset === null) return false;
  out.zoned = at < to;
  out.seconds = daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
  return true;
}

/** Reads `.123` or `,123` at `at` into `nanos` and `precisionNs`; returns where it ends. */
function fraction(bytes: Buffer, at: number, to: number, out: Instant): number {
  out.nanos = 0;
  out.precisionNs = 1e9;
  if (at >= to || (bytes[at] !== 46 && bytes[at] !== 44)) return at;
  let next = at + 1;
  let scale = 1e9;
  let nanos = 0;
  while (next < to && isDigit(bytes[next]!)) {
    if (scale > 1) {
      scale /= 10;
      nanos += (bytes[next]! - 48) * scale;
    }
    next += 1;
  }
  out.nanos = nanos;
  out.precisionNs = precisionOf(next - at - 1);
  return next;
}

function precisionOf(fractionDigits: number): number {
  if (fractionDigits === 0) return 1e9;
  if (fractionDigits <= 3) return 1e6;
  return fractionDigits <= 6 ? 1e3 : 1;
}

/** ` +0000`, `+00:00`, `-07`, `Z` or nothing; null: something else. */
function offsetSeconds(bytes: Buffer, from: number, to: number): number | null {
  let at = from;
  while (at < to && bytes[at] === 32) at += 1;
  if (at === to) return 0;
  const sign = bytes[at]!;
  if ((sign === 90 || sign === 122) && at + 1 === to) return 0;
  if (sign !== 43 && sign !== 45) return null;
  const hours = digits(bytes, at + 1, 2);
  const minutesAt = bytes[at + 3] === 58 ? at + 4 : at + 3;
  const minutes = minutesAt < to ? digits(bytes, minutesAt, 2) : 0;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return null;
  if (minutesAt < to ? minutesAt + 2 !== to : at + 3 !== to) return null;
  return (sign === 45 ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function parseEpoch(bytes: Buffer, from: number, to: number, out: Instant): boolean {
  let at = from;
  let value = 0;
  while (at < to && isDigit(bytes[at]!) && at - from < 19) {
    value = value * 10 + (bytes[at]! - 48);
    at += 1;
  }
  const count = at - from;
  if (count === 0) return false;
  out.zoned = true;
  if (at < to && bytes[at] === 46) {
    out.seconds = value;
    const fractional = fraction(bytes, at, to, out);
    // milliseconds with a fraction
    if (count >= 12 && count <= 14) scaleDown(bytes, from, count, 3, out);
    return fractional === to;
  }
  if (at !== to) return parseExponent(bytes, from, to, out);
  if (count <= 11) {
    out.seconds = value;
    out.nanos = 0;
    out.precisionNs = 1e9;
    return true;
  }
  scaleDown(bytes, from, count, count <= 14 ? 3 : count <= 17 ? 6 : 9, out);
  return true;
}

/** Splits an integer of `10^-power` seconds by its digits: a double would lose the last ones. */
function scaleDown(bytes: Buffer, from: number, count: number, power: number, out: Instant): void {
  let seconds = 0;
  for (let at = from; at < from + count - power; at += 1) seconds = seconds * 10 + (bytes[at]! - 48);
  let nanos = 0;
  for (let at = from + count - power; at < from + count; at += 1) nanos = nanos * 10 + (bytes[at]! - 48);
  out.seconds = seconds;
  out.nanos = nanos * 10 ** (9 - power);
  out.precisionNs = 10 ** (9 - power);
}

/** `1.7961e9`, as JSON may spell a number. */
function parseExponent(bytes: Buffer, from: number, to: number, out: Instant): boolean {
  if (to - from > 32) return false;
  const value = Number(bytes.toString('latin1', from, to));
  if (!Number.isFinite(value) || value < 0) return false;
  out.seconds = Math.floor(value);
  out.nanos = Math.round((value - out.seconds) * 1e3) * 1e6;
  out.precisionNs = 1e6;
  return true;
}

/** A number of `count` digits; -1: something else stands there. */
function digits(bytes: Buffer, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const byte = bytes[at];
    if (byte === undefined || !isDigit(byte)) return -1;
    value = value * 10 + (byte - 48);
  }
  return value;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function monthOf(bytes: Buffer, from: number): number {
  // Three letters as one number: a look-up by text would make a string for each line.
  const key = ((bytes[from]! | 32) << 16) | ((bytes[from + 1]! | 32) << 8) | (bytes[from + 2]! | 32);
  return MONTHS.get(key) ?? 0;
}
