import { expect, test } from 'vitest';
import { timeWindow, touches } from '../../src/cli/window.js';

const SECOND = 1_000_000_000n;
const at = (iso: string) => BigInt(Date.parse(iso)) * 1_000_000n;

test.each([
  ['2026-11-12T14:00:00Z', at('2026-11-12T14:00:00Z')],
  ['2026-11-12T14:00', at('2026-11-12T14:00:00Z')],
  ['2026-11-12 14:00:05', at('2026-11-12T14:00:05Z')],
  ['2026-11-12', at('2026-11-12T00:00:00Z')],
  ['2026-11-12T14:00:00.123456789Z', at('2026-11-12T14:00:00Z') + 123456789n],
  ['2026-11-12T16:00:00+02:00', at('2026-11-12T14:00:00Z')],
  ['2026-11-12T16:00:00+0200', at('2026-11-12T14:00:00Z')],
  ['1794996000.5', 1794996000n * SECOND + 500_000_000n],
])('--since %s is one instant, whatever the zone of the machine', (text, ns) => {
  expect(timeWindow({ since: text }, null)).toEqual({ sinceNs: ns, untilNs: null });
});

test.each(['yesterday', '2026-13-01', '2026-11-12T25:00', '12.11.2026', ''])('--until %s is refused', (text) => {
  expect(() => timeWindow({ until: text }, null)).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('--last counts back from the newest record, or from --until', () => {
  expect(timeWindow({ last: '90m' }, 10_000n * SECOND).sinceNs).toBe(4600n * SECOND);
  const both = timeWindow({ last: '1h', until: '2026-11-12T14:00:00Z' }, 5n);
  expect(both.sinceNs).toBe(at('2026-11-12T13:00:00Z'));
  expect(timeWindow({ last: '1h' }, null)).toEqual({ sinceNs: null, untilNs: null });
  expect(() => timeWindow({ last: '1h', since: '2026-11-12' }, null)).toThrow('exclude each other');
  expect(() => timeWindow({ last: 'an hour' }, null)).toThrow('no duration');
});

test('what overlaps the window is inside; its end is exclusive; what has no time is never left out', () => {
  const window = { sinceNs: 10n, untilNs: 20n };
  const cases: [bigint | null, bigint | null, boolean][] = [
    [10n, null, true],
    [20n, null, false],
    [5n, 10n, true],
    [5n, 9n, false],
    [5n, 25n, true],
    [null, 15n, true],
    [null, null, true],
  ];
  for (const [start, end, inside] of cases) expect(touches(window, start, end)).toBe(inside);
});
