import { describe, expect, it } from 'vitest';
import { walkDocument } from '../../../src/readers/otlp/json-spans.js';
import { SpanWindow } from '../../../src/readers/otlp/span-window.js';
import { Collected, NO_OPTIONS } from '../../support/collect.js';
import { readBytes } from './read.js';
import { line, span } from './spans.js';

const CALL = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'pay' };

describe('spans delivered twice', () => {
  it('are one span, the one that ended later', async () => {
    const sink = await readBytes(
      line([span({ ids: 7, lengthMs: 50, attributes: CALL })]) +
        line([span({ ids: 7, lengthMs: 80, attributes: CALL })]),
    );
    expect(sink.duplicates).toBe(1);
    expect(sink.captures).toHaveLength(1);
    const [capture] = sink.captures;
    expect((capture?.exchange.endedNs ?? 0n) - (capture?.exchange.startedNs ?? 0n)).toBe(80_000_000n);
  });

  it('are the finished one and the one with more attributes, in any order', async () => {
    const unfinished = line([span({ ids: 8, lengthMs: null, attributes: CALL })]);
    const short = line([span({ ids: 8, attributes: CALL })]);
    const full = line([span({ ids: 8, attributes: { ...CALL, 'client.address': '10.0.0.1' } })]);
    for (const text of [unfinished + short + full, full + short + unfinished, short + full + unfinished]) {
      const sink = await readBytes(text);
      expect(sink.duplicates).toBe(2);
      expect(sink.captures.map(({ exchange }) => exchange.client)).toEqual(['10.0.0.1']);
    }
  });

  it('without ids are as many spans as there are', async () => {
    const blank = span({ traceId: '', spanId: '', attributes: CALL });
    expect((await readBytes(line([blank, blank]))).captures).toHaveLength(2);
  });

  it('as client and server of a shared id are two views', async () => {
    const ids = {
      traceId: '7ea3d0d6eefd86cb37efb75429ecf4a1',
      id: '2dd9aa1ec3b42723',
      timestamp: 1,
      duration: 5,
      localEndpoint: {},
    };
    const tags = { 'mcp.method.name': 'ping' };
    const sink = await readBytes(
      JSON.stringify([
        { ...ids, kind: 'CLIENT', tags },
        { ...ids, kind: 'SERVER', shared: true, tags },
      ]),
    );
    expect(sink.duplicates).toBe(0);
    expect(sink.captures.map(({ exchange }) => exchange.vantage)).toEqual(['client', 'server']);
  });

  it('are told far beyond the window, and memory does not grow with the spans', () => {
    const sink = new Collected();
    const window = new SpanWindow({ ...bare(sink), capture: () => {} }, NO_OPTIONS);
    const request = (ids: number): unknown => JSON.parse(line([span({ ids, attributes: CALL })]));
    for (let ids = 1; ids <= 40_000; ids += 1) walkDocument(request(ids), 'line', window);
    walkDocument(request(3), 'line', window);
    window.flush();
    expect(sink.duplicates).toBe(1);
    expect(window.records).toBe(40_001);
  });
});

describe('a source of spans', () => {
  it('is mixed when its spans were written on different sides', async () => {
    const both = line([span({ kind: 2, attributes: CALL }), span({ kind: 3, attributes: CALL })]);
    expect((await readBytes(both)).summary?.vantage).toBe('mixed');
  });

  it('takes the vantage that it is told', async () => {
    const sink = new Collected();
    const window = new SpanWindow(sink, { ...NO_OPTIONS, vantage: 'proxy' });
    walkDocument(JSON.parse(line([span({ kind: 2, attributes: CALL })])), 'line 1', window);
    window.flush();
    expect(sink.captures[0]?.exchange.vantage).toBe('proxy');
  });

  it('says when spans end before they start, and gives them no length', async () => {
    const { captures, summary } = await readBytes(line([span({ lengthMs: -7, attributes: CALL })]));
    expect(captures[0]?.exchange.endedNs).toBe(captures[0]?.exchange.startedNs);
    expect(summary?.warnings).toEqual([expect.stringContaining('1 span(s) end before they start')]);
  });

  it('of which attributes were dropped, or that was sampled, is incomplete', async () => {
    const { captures } = await readBytes(
      line([
        span({ attributes: CALL, droppedAttributesCount: 2 }),
        span({ attributes: CALL, traceState: 'x=1,ot=rv:6d;th:c' }),
        span({ attributes: CALL, traceState: 'ot=th:0' }),
      ]),
    );
    expect(captures.map(({ exchange }) => exchange.incomplete)).toEqual([true, true, false]);
  });
});

function bare(sink: Collected) {
  return {
    capture: () => {},
    companion: () => {},
    reject: (locator: string, reason: string) => sink.reject(locator, reason),
    skip: (count: number) => sink.skip(count),
    duplicate: (count: number) => sink.duplicate(count),
    progress: () => {},
  };
}
