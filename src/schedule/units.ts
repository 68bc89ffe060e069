const NS_OF: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};

const BYTES_OF: Readonly<Record<string, number>> = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** How durations are written: `90s`, `15m`, `6h`, `14d`, `2w`. */
export const DURATION_PATTERN = '^\\d{1,6}(s|m|h|d|w)$';
/** How sizes are written: `500MB`, `2GB`. */
export const SIZE_PATTERN = '^\\d{1,6}(KB|MB|GB|TB)$';

/** Nanoseconds of a text that has the form of `DURATION_PATTERN`. */
export function durationNs(text: string): bigint {
  return BigInt(text.slice(0, -1)) * (NS_OF[text.slice(-1)] ?? 0n);
}

/** Bytes of a text that has the form of `SIZE_PATTERN`. */
export function sizeBytes(text: string): number {
  return Number(text.slice(0, -2)) * (BYTES_OF[text.slice(-2)] ?? 0);
}
