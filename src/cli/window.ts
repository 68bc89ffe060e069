import { PostmortemError } from '../error.js';

/** `--since`, `--until`, `--last` as given. */
export interface WindowOptions {
  readonly since?: string;
  readonly until?: string;
  readonly last?: string;
}

/** A window of time, nanoseconds since the epoch; null: open on that side. `untilNs` is exclusive. */
export interface TimeWindow {
  readonly sinceNs: bigint | null;
  readonly untilNs: bigint | null;
}

const UNIT_NS: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
};

/**
 * The window that the options ask for.
 * @param newestNs time of the newest record: `--last` counts back from there, so that a capture reads the same on any day
 * @throws PostmortemError `usage`
 */
export function timeWindow(options: WindowOptions, newestNs: bigint | null): TimeWindow {
  const sinceNs = options.since === undefined ? null : instantNs('--since', options.since);
  const untilNs = options.until === undefined ? null : instantNs('--until', options.until);
  if (options.last === undefined) return { sinceNs, untilNs };
  if (sinceNs !== null)
    throw new PostmortemError('usage', '--last and --since exclude each other', 'Give one of them.');
  const lengthNs = durationNs('--last', options.last);
  const endNs = untilNs ?? newestNs;
  return { sinceNs: endNs === null ? null : endNs - lengthNs, untilNs };
}

/** Whether something that lasted from `atNs` to `untilNs` touches the window. Without a time: yes. */
export function touches(window: TimeWindow, atNs: bigint | null, untilNs: bigint | null): boolean {
  const start = atNs ?? untilNs;
  const end = untilNs ?? atNs;
  if (start === null || end === null) return true;
  if (window.sinceNs !== null && end < window.sinceNs) return false;
  return window.untilNs === null || start < window.untilNs;
}

/** `2026-11-12`, `2026-11-12T14:00`, `2026-11-12T14:00:00+02:00`, or seconds since the epoch. Without a zone: UTC. */
function instantNs(option: string, text: string): bigint {
  if (/^\d{9,11}(\.\d{1,9})?$/.test(text)) {
    const [seconds = '0', fraction = ''] = text.split('.');
    return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  }
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (parts !== null) {
    const [, day, minutes = '00:00', seconds = ':00', fraction = '.0', zone = 'Z'] = parts;
    const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
    const ms = Date.parse(`${day}T${minutes}${seconds}${offset}`);
    if (!Number.isNaN(ms)) return BigInt(ms) * 1_000_000n + BigInt(fraction.slice(1).padEnd(9, '0'));
  }
  throw new PostmortemError('usage', `${option} ${text}: is no time`, 'Write 2026-11-12T14:00:00Z.');
}

function durationNs(option: string, text: string): bigint {
  const parts = /^(\d{1,9})(s|m|h|d|w)$/.exec(text);
  if (parts === null) throw new PostmortemError('usage', `${option} ${text}: is no duration`, 'Write 90m, 24h or 7d.');
  return BigInt(parts[1]!) * UNIT_NS[parts[2]!]!;
}
