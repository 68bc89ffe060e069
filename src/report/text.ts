/** Words and figures as every report writes them. UTC and English digits: a report is the same on every machine. */

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `12,345`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 session`, `12,345 sessions`. `many` defaults to `one` with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Bytes in decimal units: `44.5 KB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A duration for people: `380 ms`, `21.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return twoParts(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return twoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return twoParts(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function twoParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z$/;

/** `2026-11-12 14:02:36 UTC` of an ISO 8601 time; what is no such time is printed as it is. */
export function formatTime(at: string | null): string {
  if (at === null) return 'time unknown';
  const match = ISO.exec(at);
  return match === null ? at : `${match[1]} ${match[2]} UTC`;
}

/** `14:02:36.280`: the time within a day, for lists whose day is said above. */
export function formatClock(at: string | null): string {
  if (at === null) return '--:--:--';
  const match = ISO.exec(at);
  return match === null ? at : `${match[2]}${match[3] ?? ''}`;
}

/** `2026-11-12 14:02:36 – 14:02:47 UTC (11 s)`; one time when both are the same. */
export function formatRange(from: string | null, to: string | null): string {
  if (from === null || to === null || from === to) return formatTime(from ?? to);
  const start = ISO.exec(from);
  const end = ISO.exec(to);
  if (start === null || end === null) return `${from} – ${to}`;
  const until = start[1] === end[1] ? end[2] : `${end[1]} ${end[2]}`;
  return `${start[1]} ${start[2]} – ${until} UTC (${formatDuration(Date.parse(to) - Date.parse(from))})`;
}

/** The day of an ISO 8601 time, or null. */
export function dayOf(at: string | null): string | null {
  return at === null ? null : (ISO.exec(at)?.[1] ?? null);
}

/** `rolling-deploy` as a person writes it: `rolling deploy`. */
export function causeWords(cause: string): string {
  return cause.replaceAll('-', ' ');
}

/** The first items and how many more: `a, b, c and 4 more`. */
export function shortList(items: readonly string[], limit: number): string {
  if (items.length <= limit) return items.join(', ');
  return `${items.slice(0, limit).join(', ')} and ${formatCount(items.length - limit)} more`;
}
