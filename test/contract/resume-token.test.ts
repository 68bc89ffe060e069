import { expect, test } from 'vitest';
import { fingerprint } from '../../src/contract/resume-token.js';

test('the fingerprint binds session and event id with a zero byte between them', () => {
  expect(fingerprint({ sessionId: 'S1', lastEventId: 'e140' })).toBe(
    'c911a26da953c9d3afe3fa2f46f8e6763458b92ac56712cc2ac411a7ac4ed76e',
  );
  expect(fingerprint({ sessionId: 'S1e', lastEventId: '140' })).not.toBe(
    fingerprint({ sessionId: 'S1', lastEventId: 'e140' }),
  );
});

test('an absent part counts as empty', () => {
  expect(fingerprint({ sessionId: null, lastEventId: undefined })).toBe(
    fingerprint({ sessionId: '', lastEventId: '' }),
  );
  expect(fingerprint({})).toMatch(/^[0-9a-f]{64}$/);
});
