import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instant, parseInstant, toNs } from '../../../src/readers/access-log/clock.js';

function read(text: string): Instant | null {
  const out: Instant = { seconds: 0, nanos: 0, precisionNs: 0, zoned: true };
  const bytes = Buffer.from(text);
  return parseInstant(bytes, 0, bytes.length, out) ? out : null;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const two = (value: number) => String(value).padStart(2, '0');

describe('times of log lines', () => {
  it('agree with the clock of the language, whatever the offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_223_372_035 }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (seconds, minutes) => {
          const local = new Date((seconds + minutes * 60) * 1000);
          const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}${two(Math.abs(minutes) % 60)}`;
          const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
          const clf = `${two(local.getUTCDate())}/${MONTHS[local.getUTCMonth()]}/${local.getUTCFullYear()}:${clock} ${zone}`;
          const iso = local.toISOString().replace('Z', zone);
          expect(read(clf)).toMatchObject({ seconds, nanos: 0, zoned: true });
          expect(read(iso)).toMatchObject({ seconds, zoned: true, precisionNs: 1e6 });
        },
      ),
    );
  });

  it('are made nanoseconds without losing one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_223_372_035 }),
        fc.integer({ min: 0, max: 999_999_999 }),
        (seconds, nanos) => {
          expect(toNs(seconds, nanos)).toBe(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
        },
      ),
    );
  });

  it.each([
    ['1795041003', 1795041003, 0],
    ['1795041003.5', 1795041003, 500_000_000],
    ['1795041003123', 1795041003, 123_000_000],
    ['1795041003123456', 1795041003, 123_456_000],
    ['1795041003123456789', 1795041003, 123_456_789],
    ['[18/Nov/2026:08:00:01 +0000]', 1794988801, 0],
    ['2026-11-18T08:00:01.123456789Z', 1794988801, 123_456_789],
  ])('%s is read', (text, seconds, nanos) => {
    expect(read(text)).toMatchObject({ seconds, nanos });
  });

  it.each(['', '-', 'yesterday', '18/Foo/2026:08:00:01 +0000', '2026-13-18T08:00:01Z', '2026-11-18T25:00:01Z', '12x'])(
    '%j is no time',
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  it('without a zone says so', () => {
    expect(read('18/Nov/2026:08:00:01.123')).toMatchObject({ zoned: false });
  });
});
