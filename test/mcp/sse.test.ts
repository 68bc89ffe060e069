import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSse, type SseEvent, SseParser } from '../../src/mcp/sse.js';

const parse = (text: string | Uint8Array) => parseSse(typeof text === 'string' ? Buffer.from(text) : text);
const brief = (text: string) =>
  parse(text).events.map(({ id, lastEventId, type, data }) => [id, lastEventId, type, data]);

describe('fields of the stream', () => {
  test.each([
    ['LF', 'id: 1\ndata: a\n\nid: 2\ndata: b\n\n'],
    ['CRLF', 'id: 1\r\ndata: a\r\n\r\nid: 2\r\ndata: b\r\n\r\n'],
    ['CR', 'id: 1\rdata: a\r\rid: 2\rdata: b\r\r'],
    ['all three', 'id: 1\r\ndata: a\n\rid: 2\rdata: b\r\n\n'],
  ])('%s ends a line', (_, text) => {
    expect(brief(text)).toEqual([
      ['1', '1', 'message', 'a'],
      ['2', '2', 'message', 'b'],
    ]);
  });

  test('exactly one space is stripped', () => {
    expect(brief('data:x\n\ndata: x\n\ndata:  x\n\nid:  s2\ndata\n\n').map((event) => event[3])).toEqual([
      'x',
      'x',
      ' x',
      '',
    ]);
    expect(parse('id:  s2\ndata\n\n').tail.lastEventId).toBe(' s2');
  });

  test('data lines are joined with a line feed, also empty ones', () => {
    expect(brief('data: {"a":\ndata: 1}\n\n')[0]?.[3]).toBe('{"a":\n1}');
    expect(brief('data\n\n')[0]?.[3]).toBe('');
    expect(brief('data\ndata\n\n')[0]?.[3]).toBe('\n');
    expect(parse('data: ab\ndata: c\n\n').events[0]?.dataBytes).toBe(4);
  });

  test('a priming event has an id and empty data', () => {
    expect(brief('id: 1\ndata:\n\n')).toEqual([['1', '1', 'message', '']]);
  });

  test('an id without data is no event but moves the cursor', () => {
    const { events, tail } = parse('id: 9\n\n');
    expect(events).toEqual([]);
    expect(tail).toMatchObject({ lastEventId: '9', midFrame: false, pending: null });
  });

  test('an empty id resets the cursor, one with U+0000 does not count', () => {
    expect(brief('id: 1\ndata: a\n\nid\ndata: b\n\n')[1]).toEqual(['', '', 'message', 'b']);
    expect(brief('id: 1\ndata: a\n\nid: 2\0z\ndata: b\n\n')[1]).toEqual([null, '1', 'message', 'b']);
  });

  test('an event without an id inherits the last one, its type does not last', () => {
    expect(brief('id: 5\nevent: prime\ndata: a\n\ndata: b\n\n')).toEqual([
      ['5', '5', 'prime', 'a'],
      [null, '5', 'message', 'b'],
    ]);
  });

  test('retry takes digits only and belongs to the event that follows', () => {
    expect(parse('retry: 250\n\nretry: 1x\nretry:\ndata: a\n\n').events[0]?.retryMs).toBe(250);
    expect(parse('data: a\n\nretry: 9\n\n').tail.retryMs).toBe(9);
  });

  test('comments are counted, unknown fields and wrong case are ignored', () => {
    const { events, tail } = parse(': ping\n\n:\nData: x\nfoo: y\nID: 3\ndata: a\n\n');
    expect(tail.comments).toBe(2);
    expect(events.map(({ id, data }) => [id, data])).toEqual([[null, 'a']]);
  });

  test('one leading BOM goes, a second one is part of a field name', () => {
    expect(brief('\uFEFFid: b1\ndata: a\n\n')[0]?.[0]).toBe('b1');
    expect(brief('\uFEFF\uFEFFid: b1\ndata: a\n\n')[0]?.[0]).toBe(null);
    expect(brief('data: a\n\n\uFEFFid: b1\ndata: a\n\n')[1]?.[0]).toBe(null);
  });

  test('U+2028, U+2029 and U+0085 end no line', () => {
    expect(brief('data: a\u2028b\u2029c\u0085d\n\n')[0]?.[3]).toBe('a\u2028b\u2029c\u0085d');
  });
});

describe('byte ranges', () => {
  test('an event reaches from its first field to the end of its blank line', () => {
    const text = '\uFEFF: hi\r\n\r\nid: é\r\ndata: a\r\n\r\ndata: b\n\n';
    const bytes = Buffer.from(text);
    const ranges = parse(bytes).events.map(({ startByte, endByte }) => bytes.toString('utf8', startByte, endByte));
    expect(ranges).toEqual(['id: é\r\ndata: a\r\n\r\n', 'data: b\n\n']);
  });

  test('data bytes are those of UTF-8, not of the string', () => {
    expect(parse('data: é😀\n\n').events[0]?.dataBytes).toBe(6);
  });
});

describe('the tail that no client dispatched', () => {
  test('fields without a blank line are pending and leave the cursor alone', () => {
    const { events, tail } = parse('id: t1\ndata: a\n\nid: t2\ndata: bc\n');
    expect(events).toHaveLength(1);
    expect(tail).toMatchObject({
      lastEventId: 't1',
      midFrame: true,
      partialLineBytes: 0,
      pending: { id: 't2', type: 'message', dataBytes: 2, startByte: 16 },
    });
  });

  test('a line that was cut is seen, an id in it is not', () => {
    expect(parse('id: t2\ndata: {"a').tail).toMatchObject({
      midFrame: true,
      partialLineBytes: 9,
      pending: { dataBytes: 3 },
    });
    expect(parse('data: a\n\nid: t').tail).toMatchObject({ midFrame: true, pending: null, lastEventId: '' });
  });

  test('a cut inside a character is told from one between characters', () => {
    const bytes = Buffer.from('data: 😀');
    expect(parse(bytes).tail.incompleteUtf8).toBe(false);
    for (const cut of [1, 2, 3]) expect(parse(bytes.subarray(0, -cut)).tail.incompleteUtf8).toBe(true);
  });

  test('a stream that ends on a CR, in a comment or with nothing is not cut', () => {
    expect(parse('data: a\r\r').tail.midFrame).toBe(false);
    expect(parse('data: a\n\n: keep').tail.midFrame).toBe(false);
    expect(parse('').tail).toMatchObject({ midFrame: false, bytes: 0 });
  });
});

const piece = fc.constantFrom(
  'data',
  'data:',
  'data: x',
  'data:  é😀',
  'id: 7',
  'id:',
  'id',
  'event: prime',
  'retry: 5',
  ':c',
  ': ',
  'foo: bar',
  '\uFEFF',
  'id: a\0b',
);
const lineEnd = fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n');
const stream = fc.array(fc.tuple(piece, lineEnd)).map((lines) => lines.flat().join(''));

describe('however the bytes are cut into chunks', () => {
  test('events, ranges and tail are the same', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(60), { maxLength: 12 }), (text, cuts) => {
        const bytes = Buffer.from(text);
        const events: SseEvent[] = [];
        const parser = new SseParser((event) => events.push(event));
        let from = 0;
        for (const at of [...new Set(cuts)].sort((a, b) => a - b).filter((cut) => cut < bytes.length)) {
          parser.push(bytes.subarray(from, at));
          from = at;
        }
        parser.push(bytes.subarray(from));
        expect({ events, tail: parser.end() }).toEqual(parse(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  test('events are those of eventsource-parser, on what it supports', () => {
    fc.assert(
      fc.property(stream, (text) => {
        // The reference does not strip a decoded BOM and waits for the byte after a last CR.
        const input = `${text.replaceAll('\uFEFF', 'bom')}\n`;
        const expected: unknown[] = [];
        const reference = createParser({
          onEvent: ({ id, event, data }) => expected.push([id ?? null, event || 'message', data]),
        });
        reference.feed(input);
        expect(parse(input).events.map(({ id, type, data }) => [id, type, data])).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('one byte at a time costs no more than in proportion', () => {
    const bytes = Buffer.from(`data: ${'x'.repeat(400_000)}\n\n`);
    const parser = new SseParser((event) => expect(event.dataBytes).toBe(400_000));
    const started = performance.now();
    for (let i = 0; i < bytes.length; i += 1) parser.push(bytes.subarray(i, i + 1));
    expect(parser.end().midFrame).toBe(false);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
