import { PostmortemError } from '../error.js';

/** Seconds east of UTC for a local time given as seconds since 1970-01-01T00:00 on the local clock. */
export type ZoneOffset = (localSeconds: number) => number;

/**
 * Reads `--zone`: `Z`, `UTC`, `+02:00`, `+0200`, `+02`, or an IANA name.
 * @throws PostmortemError `usage` for anything else
 */
export function zoneOffset(zone: string): ZoneOffset {
  if (/^(z|utc|gmt)$/i.test(zone)) return () => 0;
  const fixed = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (fixed !== null) {
    const seconds = (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3] ?? 0) * 60);
    return () => seconds;
  }
  return namedZone(zone);
}

const QUARTER_SECONDS = 900;

function namedZone(zone: string): ZoneOffset {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    const hint = 'Give an offset such as `+02:00` or an IANA name such as `Europe/Berlin`.';
    throw new PostmortemError('usage', `--zone ${zone}: no such time zone`, hint, { cause });
  }
  const offsetAt = (utcSeconds: number): number => {
    const part = new Map(format.formatToParts(utcSeconds * 1000).map(({ type, value }) => [type, Number(value)]));
    const get = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? 0;
    const local = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
    return local / 1000 - utcSeconds;
  };
  // Offsets change on quarters of an hour at most, and neighbouring records share one.
  let lastQuarter = Number.NaN;
  let lastOffset = 0;
  return (localSeconds) => {
    const quarter = Math.floor(localSeconds / QUARTER_SECONDS);
    if (quarter !== lastQuarter) {
      lastQuarter = quarter;
      const start = quarter * QUARTER_SECONDS;
      lastOffset = offsetAt(start - offsetAt(start));
    }
    return lastOffset;
  };
}
