import { expect, test } from 'vitest';
import { sessionFacts, sessionTag, showTag } from '../../src/mcp/session-id.js';

const LONG = '3f2a91c0-aaaa-4bbb-8ccc-0123456789ab';

test('an id of up to 12 characters is its own tag, a longer one is hidden behind a joinable one', () => {
  expect(sessionTag('S1')).toBe('S1');
  expect(sessionTag('x'.repeat(12))).toBe('x'.repeat(12));
  expect(sessionTag(LONG)).toMatch(/^3f2a91c0…#[0-9a-f]{16}$/);
  expect(sessionTag(LONG)).not.toBe(sessionTag(`${LONG.slice(0, -1)}c`));
});

test('a tag is printed with four hex digits', () => {
  expect(showTag(sessionTag(LONG))).toMatch(/^3f2a91c0…#[0-9a-f]{4}$/);
  expect(showTag('S1')).toBe('S1');
});

test('control characters and halves of pairs do not show in a tag', () => {
  expect(sessionTag(`\x1b[2J\r\n${'x'.repeat(20)}`)).toMatch(/^\\x1b\[2J\\x0d\\x0axx…#/);
  expect(sessionTag(`1234567${'😀'.repeat(9)}`)).toMatch(/^1234567\\xd83d…#/);
});

test('facts tell what makes an id weak', () => {
  expect(sessionFacts('session-0042')).toMatchObject({ length: 12, visible_ascii: true, number: 42n });
  expect(sessionFacts('session-7').stem).toBe(sessionFacts('session-8').stem);
  expect(sessionFacts('a b').visible_ascii).toBe(false);
  expect(sessionFacts('abc')).toMatchObject({ number: null, stem: null });
});
