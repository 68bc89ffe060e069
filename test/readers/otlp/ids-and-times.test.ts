import { describe, expect, it } from 'vitest';
import { normaliseId } from '../../../src/readers/otlp/ids.js';
import { isErrorStatus, spanKind } from '../../../src/readers/otlp/kinds.js';
import { durationNs, epochFromText, epochMicros, epochNs } from '../../../src/readers/otlp/times.js';

const TRACE = 'a37be8b783464f5783f9ebbd81a164d5';
const SPAN = '56398449a591af55';
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const base64OfText = (hex: string): string => Buffer.from(hex).toString('base64');
const rehexed = (hex: string): string => Buffer.from(hex, 'base64').toString('hex');

describe('trace and span ids', () => {
  it.each([
    ['as the specification writes them', TRACE, SPAN],
    ['in upper case', TRACE.toUpperCase(), SPAN.toUpperCase()],
    ['with 0x', `0x${TRACE}`, `0x${SPAN}`],
    ['in base64', base64(TRACE), base64(SPAN)],
    ['in base64 of their hex text', base64OfText(TRACE), base64OfText(SPAN)],
    ['taken for base64 and written as hex', rehexed(TRACE), rehexed(SPAN)],
    ['with dashes', 'a37be8b7-8346-4f57-83f9-ebbd81a164d5', SPAN],
  ])('join when they are written %s', (_how, trace, span) => {
    expect(normaliseId(trace, 16)).toBe(TRACE);
    expect(normaliseId(span, 8)).toBe(SPAN);
  });

  it('get back the zeros that Jaeger drops', () => {
    expect(normaliseId('bb7f82ac1cb981e05511a1f85402ae2', 16)).toBe('0bb7f82ac1cb981e05511a1f85402ae2');
    expect(normaliseId('a1b2c3d4e5f607', 8)).toBe('00a1b2c3d4e5f607');
  });

  it('that are empty, zero, too long or of another type are no ids', () => {
    for (const none of [
      '',
      '0'.repeat(32),
      'AAAAAAAAAAAAAAAAAAAAAA==',
      `${TRACE}00`,
      'not an id',
      7,
      null,
      undefined,
      'x'.repeat(1000),
    ]) {
      expect(normaliseId(none, 16)).toBeNull();
    }
  });
});

describe('times', () => {
  it('keep their nanoseconds as text, and as low and high halves whatever their signs', () => {
    expect(epochNs('1795075200125000001').ns).toBe(1795075200125000001n);
    expect(epochNs({ low: -1013133952, high: 395276536 }).ns).toBe((395276536n << 32n) | 3281833344n);
  });

  it('as numbers beyond 2^53 say that they are no longer exact', () => {
    const inexact = JSON.parse('1795078800020000200') as number;
    expect(epochNs(inexact)).toEqual({ ns: BigInt(inexact), precisionNs: 256n });
  });

  it('that are zero, negative, not numbers or beyond 63 bits are no times', () => {
    for (const none of [
      '0',
      0,
      '',
      '18446744073709551615',
      '-5',
      -5,
      Number.NaN,
      'soon',
      null,
      {},
      { low: 'a', high: 1 },
      [],
    ]) {
      expect(epochNs(none).ns).toBeNull();
    }
  });

  it('in microseconds become nanoseconds', () => {
    expect(epochMicros(1795082400000001)).toEqual({ ns: 1795082400000001000n, precisionNs: 1000n });
  });

  it('as ClickHouse and ISO 8601 write them are read, UTC without a zone', () => {
    expect(epochFromText('2026-11-19 10:20:00.123456789').ns).toBe(1795083600123456789n);
    expect(epochFromText('2026-11-19T10:20:00.123Z')).toEqual({ ns: 1795083600123000000n, precisionNs: 1_000_000n });
    expect(epochFromText('2026-11-19T12:20:00+0200').ns).toBe(1795083600000000000n);
    expect(epochFromText('2026-13-45 10:20:00').ns).toBeNull();
  });

  it('of log records have lengths with units', () => {
    expect([durationNs('12ms'), durationNs('1.5s'), durationNs('250us'), durationNs('long')]).toEqual([
      12_000_000n,
      1_500_000_000n,
      250_000n,
      null,
    ]);
  });
});

describe('enumerations', () => {
  it('are known by number and by every name', () => {
    expect([2, '2', 'SPAN_KIND_SERVER', 'Server', 'SpanKind.SERVER', 'server'].map(spanKind)).toEqual(
      Array(6).fill('server'),
    );
    expect([0, 'SPAN_KIND_UNSPECIFIED', 99, null, {}].map(spanKind)).toEqual(Array(5).fill(null));
    expect([2, '2', 'STATUS_CODE_ERROR', 'Error', 'StatusCode.ERROR'].every(isErrorStatus)).toBe(true);
    expect([0, 1, 'STATUS_CODE_OK', 'Unset', '', null].some(isErrorStatus)).toBe(false);
  });
});
