import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertResume, SessionResumptionViolation, validateResume } from '../../src/index.js';

const token = { sessionId: 'S1', lastEventId: 'e140' };
const GO = 'EQ72MMSM5F3EQBGSA3KY7ED7U5';
const verdict = (...args: Parameters<typeof validateResume>) => validateResume(...args).verdict;
const placed = (lastEventId: string, firstEventId: string, history?: Parameters<typeof validateResume>[2]) =>
  verdict({ sessionId: 'S1', lastEventId }, { status: 200, sessionId: 'S1', firstEventId }, history);

describe('status, session and first event are judged in this order', () => {
  test.each([
    ['session-gone', { status: 404, sessionId: 'S2', firstEventId: 'e1' }],
    ['session-gone', { status: 404 }],
    ['refused', { status: 404, sessionId: null, firstEventId: null, body: { error: { code: -32601 } } }],
    ['refused', { status: 404, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}' }],
    ['session-gone', { status: 404, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"x"}}' }],
    ['session-gone', { status: 404, body: 'not json' }],
    ['refused', { status: 400, sessionId: 'S1', firstEventId: 'e141' }],
    ['refused', { status: 503 }],
    ['refused', { status: 301 }],
    ['unacknowledged', { status: 200, sessionId: null, firstEventId: 'e141' }],
    ['unacknowledged', { status: 200, sessionId: '', firstEventId: 'e141' }],
    ['epoch-merge', { status: 200, sessionId: 'S2', firstEventId: 'e1' }],
    ['epoch-merge', { status: 200, sessionId: 'S2' }],
    ['epoch-merge', { status: 202, sessionId: 's1', firstEventId: null }],
    ['unproven', { status: 200, sessionId: 'S1', firstEventId: null }],
    ['replayed-last', { status: 200, sessionId: 'S1', firstEventId: 'e140' }],
    ['unorderable', { status: 200, sessionId: 'S1', firstEventId: 'e1' }],
    ['resumed', { status: 200, sessionId: 'S1', firstEventId: 'e141' }],
    ['resumed', { status: 200, sessionId: 'S1', firstEventId: 'e200' }],
  ])('%s', (expected, response) => {
    expect(verdict(token, response)).toBe(expected);
  });
});

describe('what was not recorded is unobserved, not a verdict', () => {
  test.each([
    [token, {}],
    [token, { status: null, sessionId: null, firstEventId: null }],
    [token, { status: 0, sessionId: null, firstEventId: null }],
    [token, { status: 200 }],
    [token, { status: 200, sessionId: 'S1' }],
    [{ lastEventId: 'e140' }, { status: 200, sessionId: 'S1', firstEventId: 'e141' }],
    [{ sessionId: 'S1' }, { status: 200, sessionId: 'S1', firstEventId: 'e141' }],
    [null, null],
    [undefined, undefined],
  ])('%j answered %j', (given, response) => {
    expect(verdict(given, response)).toBe('unobserved');
  });

  test('a token without an event id orders nothing', () => {
    expect(verdict({ sessionId: 'S1', lastEventId: null }, { status: 200, sessionId: 'S1', firstEventId: 'e1' })).toBe(
      'unorderable',
    );
  });
});

describe('the place of the first event', () => {
  test('another stream of a family that names streams is foreign', () => {
    expect(placed(`${GO}_3`, '_4')).toBe('foreign');
    expect(placed('3/1', '4/2')).toBe('foreign');
    expect(placed('a_1794492000123_x', 'b_1794492000124_x')).toBe('foreign');
    expect(placed('e3', 'f4')).toBe('unorderable');
  });

  test('an id that names another session is foreign', () => {
    const id = (session: string, n: number) => `${btoa(session)}:${btoa('stream')}:${n}`;
    expect(placed(id('S1', 3), id('S2', 4))).toBe('foreign');
    expect(placed(id('S9', 3), id('S9', 4))).toBe('foreign');
    expect(placed(id('S1', 3), id('S1', 4))).toBe('resumed');
  });

  test('an id delivered on another stream of the session is foreign in every family', () => {
    expect(placed('5', '7', { delivered: ['5'], other: ['6', '7'] })).toBe('foreign');
  });

  test('an id delivered in another session is foreign unless its family repeats in every session', () => {
    const first = '550e8400-e29b-41d4-a716-446655440000';
    const last = '1b242efe-abff-4de4-bb49-97338aefc2cc';
    expect(placed(last, first, { delivered: [last], otherSessions: [first] })).toBe('foreign');
    expect(placed('5', '6', { delivered: ['5'], otherSessions: ['6'] })).toBe('resumed');
  });

  test('an id delivered before on the stream is a replay, whatever its family', () => {
    expect(placed('e140', 'e100', ['e100', 'e139', 'e140'])).toBe('replayed-earlier');
    expect(placed('b-x', 'a-x', { delivered: [{ id: 'a-x' }, { id: 'b-x' }] })).toBe('replayed-earlier');
  });

  test('ids without an order can be replayed but never resumed', () => {
    const uuids = ['1b242efe-abff-4de4-bb49-97338aefc2cc', '550e8400-e29b-41d4-a716-446655440000'] as const;
    expect(placed(uuids[0], uuids[1], { delivered: [uuids[0]] })).toBe('unorderable');
  });

  test('two ids of one millisecond are unordered', () => {
    expect(placed('a_1794492000123_x', 'a_1794492000123_y')).toBe('unorderable');
    expect(placed('a_1794492000123_x', 'a_1794492000124_y')).toBe('resumed');
  });

  test('a hole in a family without holes is a gap, unless what is missing had arrived', () => {
    expect(placed(`${GO}_3`, `${GO}_4`)).toBe('resumed');
    expect(placed(`${GO}_3`, `${GO}_6`)).toBe('gap');
    expect(placed(`${GO}_3`, `${GO}_6`, [`${GO}_3`, `${GO}_4`, `${GO}_5`])).toBe('resumed');
    expect(placed('3/1', '9/1')).toBe('gap');
  });

  test('a counter has gaps only where its endpoint was seen to count by one', () => {
    expect(placed('e3', 'e9', { contiguous: true })).toBe('gap');
    expect(placed('e3', 'e9')).toBe('resumed');
    expect(placed(`${GO}_3`, `${GO}_9`, { contiguous: false })).toBe('resumed');
  });

  test('a family that is given decides, not the two ids', () => {
    expect(placed('3', '4', { family: 'opaque' })).toBe('unorderable');
    expect(placed('3', '0/1', { family: 'rmcp' })).toBe('foreign');
  });
});

describe('as a library', () => {
  test('assertResume returns the next token, or throws what is wrong', () => {
    expect(assertResume(token, { status: 200, sessionId: 'S1', firstEventId: 'e141' })).toEqual({
      sessionId: 'S1',
      lastEventId: 'e141',
    });
    const merge = () => assertResume(token, { status: 200, sessionId: 'S2', firstEventId: 'e1' });
    expect(merge).toThrow(SessionResumptionViolation);
    expect(merge).toThrow(expect.objectContaining({ verdict: 'epoch-merge' }));
  });

  test('a reason never shows a session id', () => {
    const secret = '3f2a91c0-secret-session';
    const judged = validateResume({ sessionId: secret, lastEventId: 'e1' }, { status: 200, sessionId: `${secret}2` });
    expect(judged.reason).not.toContain('secret');
  });

  test('validateResume never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (a, b, c) => {
        expect(typeof validateResume(a as never, b as never, c as never).reason).toBe('string');
      }),
      { numRuns: 3_000 },
    );
    const trap = {
      get status(): number {
        throw new Error('trap');
      },
    };
    expect(verdict(token, trap)).toBe('unobserved');
  });

  test('only an event strictly after the last one of the same session is resumed', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.constantFrom('S1', 'S2', null), (last, first, sessionId) => {
        const judged = verdict(
          { sessionId: 'S1', lastEventId: `e${last}` },
          { status: 200, sessionId, firstEventId: `e${first}` },
        );
        expect(judged === 'resumed').toBe(sessionId === 'S1' && first > last);
      }),
    );
  });
});
