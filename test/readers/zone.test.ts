import { describe, expect, it } from 'vitest';
import { zoneOffset } from '../../src/readers/zone.js';

const local = (text: string) => Date.parse(`${text}Z`) / 1000;

describe('--zone', () => {
  it.each([
    ['Z', 0],
    ['utc', 0],
    ['+02:00', 7200],
    ['-0730', -27_000],
    ['+05', 18_000],
    ['Asia/Kolkata', 19_800],
  ])('%s is an offset', (zone, seconds) => {
    expect(zoneOffset(zone)(local('2026-07-01T12:00:00'))).toBe(seconds);
  });

  it('follows a named zone through the change to summer time, whatever the order of times', () => {
    const berlin = zoneOffset('Europe/Berlin');
    const winter = local('2026-03-29T01:59:00');
    const summer = local('2026-03-29T03:01:00');
    expect([berlin(winter), berlin(summer), berlin(winter)]).toEqual([3600, 7200, 3600]);
  });

  it.each(['', 'Mars/Olympus', '+2', '02:00'])('%j is refused by name', (zone) => {
    expect(() => zoneOffset(zone)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
