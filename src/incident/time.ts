/** ISO 8601 in UTC with milliseconds, rounded down; null stays null. Nanoseconds of 64 bits always fit. */
export function isoTime(ns: bigint | null): string | null {
  if (ns === null) return null;
  const ms = ns / 1_000_000n - (ns % 1_000_000n < 0n ? 1n : 0n);
  return new Date(Number(ms)).toISOString();
}

/** The hour and minute of a time, UTC: `14:02`. */
export function clockMinute(iso: string): string {
  return iso.slice(11, 16);
}
