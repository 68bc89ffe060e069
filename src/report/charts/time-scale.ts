/** A time axis with round ticks in UTC; ECharts' own axis depends on the machine's zone and crowds its labels. */
export interface TimeScale {
  readonly min: number;
  readonly max: number;
  readonly interval: number;
  label(ms: number): string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((count) => count * DAY),
];

/** @param from @param to milliseconds since the epoch @param ticks at most so many steps */
export function timeScale(from: number, to: number, ticks: number): TimeScale {
  const span = Math.max(SECOND, to - from);
  const interval = STEPS.find((step) => span / step <= ticks) ?? Math.ceil(span / ticks / DAY) * DAY;
  const min = Math.floor(from / interval) * interval;
  const max = Math.max(min + interval, Math.ceil(to / interval) * interval);
  return { min, max, interval, label: (ms) => labelAt(ms, interval, max - min) };
}

function labelAt(ms: number, interval: number, span: number): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return '';
  const iso = at.toISOString();
  if (interval >= DAY) return iso.slice(0, 10);
  if (span > DAY) return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`;
  return interval >= MINUTE ? iso.slice(11, 16) : iso.slice(11, 19);
}
