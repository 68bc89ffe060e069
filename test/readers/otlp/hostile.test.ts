import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framedProtoReader, protoReader } from '../../../src/readers/otlp/proto-reader.js';
import { BYTES, tagOf, WireError, WireReader } from '../../../src/readers/otlp/wire.js';
import { Collected, NO_OPTIONS } from '../../support/collect.js';
import { inputOf, readBytes, traceReaderFor } from './read.js';
import { attributes, line, span } from './spans.js';

const CALL = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'pay' };

function nested(depth: number): object {
  let value: object = { stringValue: 'x' };
  for (let level = 0; level < depth; level += 1) value = { arrayValue: { values: [value] } };
  return value;
}

function field(number: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as Buffer)));
  return Buffer.concat([varint(tagOf(number, BYTES)), varint(body.length), body]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

const CALL_ATTRIBUTE = field(9, field(1, 'mcp.method.name'), field(2, field(1, 'tools/call')));

/** A request of one span with these bytes as its fields. */
function request(...spans: Buffer[]): Buffer {
  return field(1, field(2, ...spans.map((each) => field(2, each))));
}

async function read(bytes: Buffer, reader = protoReader): Promise<Collected> {
  const sink = new Collected();
  sink.summary = await reader.read(inputOf(bytes), sink, NO_OPTIONS);
  return sink;
}

describe('nesting', () => {
  it('of 513 levels in a value refuses the span and keeps those beside it', async () => {
    const deep = span({ attributes: { ...CALL, 'gen_ai.tool.call.arguments': nested(513) as never } });
    const sink = await readBytes(line([deep, span({ attributes: CALL })]));
    expect(sink.captures).toHaveLength(1);
    expect(sink.rejects[0]?.reason).toMatch(/deeper than 512/);
  });

  it('of 512 levels in a value is read', async () => {
    const sink = await readBytes(
      line([span({ attributes: { ...CALL, 'gen_ai.tool.call.arguments': nested(500) as never } })]),
    );
    expect(sink.captures).toHaveLength(1);
  });

  it.each([40_000, 4_000_000])('of %i levels in one line costs at most that line', async (depth) => {
    const deep = `{"resourceSpans":${'['.repeat(depth)}"mcp"${']'.repeat(depth)}}\n`;
    const good = line([span({ attributes: CALL })]);
    const sink = await readBytes(good + deep + good.replaceAll('aaaa', 'cccc'), 1 << 20);
    expect(sink.captures).toHaveLength(2);
  });

  it('and width without bound are refused before they fill the memory', async () => {
    const wide = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"tools/call mcp","attributes":[${'{},'.repeat(4_100_000)}{}]}]}]}]}\n`;
    const sink = await readBytes(wide + line([span({ attributes: CALL })]), 1 << 20);
    expect(sink.captures).toHaveLength(1);
    expect(sink.rejects[0]?.reason).toMatch(/more than 4000000 objects/);
  });

  it('of 2,000 levels in protobuf refuses the span', async () => {
    let value = field(1, 'x');
    for (let level = 0; level < 2000; level += 1) value = field(5, field(1, value));
    const deep = Buffer.concat([CALL_ATTRIBUTE, field(9, field(1, 'mcp.tool.arguments'), field(2, value))]);
    const sink = await read(request(deep, CALL_ATTRIBUTE));
    expect(sink.captures).toHaveLength(1);
    expect(sink.rejects[0]?.reason).toMatch(/deeper than 512/);
  });
});

describe('malformed protobuf', () => {
  it.each<[string, Buffer]>([
    ['a varint of eleven bytes', Buffer.from([0x30, ...Array(10).fill(0xff), 0x01])],
    ['a group', Buffer.from([0x0b, 0x0c])],
    ['a length past the end', Buffer.from([0x2a, 0xff, 0xff, 0xff, 0x7f])],
    ['a length of 2^63', Buffer.from([0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])],
    ['field number zero', Buffer.from([0x00, 0x01])],
    ['a cut fixed64', Buffer.from([0x39, 0x01])],
  ])('in a span (%s) refuses that span and names the byte', async (_what, bytes) => {
    const sink = await read(request(Buffer.concat([CALL_ATTRIBUTE, bytes]), CALL_ATTRIBUTE));
    expect(sink.captures).toHaveLength(1);
    expect(sink.rejects).toHaveLength(1);
    expect(sink.rejects[0]?.locator).toMatch(/^byte \d+$/);
  });

  it('ten-byte varints are read', () => {
    const wire = new WireReader(Buffer.from([...Array(9).fill(0xff), 0x01]), 0, 10);
    expect(wire.int64()).toBe(-1);
  });

  it('fields that are not known are passed over', async () => {
    const unknown = Buffer.concat([field(77, 'later'), varint(tagOf(78, 0)), varint(5)]);
    expect((await read(request(Buffer.concat([unknown, CALL_ATTRIBUTE, unknown])))).captures).toHaveLength(1);
  });

  it('random bytes end in an error of the wire, nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const wire = new WireReader(Buffer.from(bytes), 0, bytes.length);
        try {
          while (wire.pos < wire.end) wire.skip(wire.tag());
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
    );
  });
});

describe('frames', () => {
  const frame = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const good = frame(request(CALL_ATTRIBUTE));

  it('that are broken inside cost themselves only', async () => {
    const sink = await read(Buffer.concat([good, frame(Buffer.from('not protobuf')), good]), framedProtoReader);
    expect(sink.captures).toHaveLength(2);
    expect(sink.rejects[0]?.locator).toMatch(/^frame 2, byte/);
  });

  it('with a length that cannot be end the reading, and what came before is kept', async () => {
    const sink = await read(Buffer.concat([good, Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3])]), framedProtoReader);
    expect(sink.captures).toHaveLength(1);
    expect(sink.rejects).toHaveLength(1);
  });

  it('cut at any byte are one reject, unless the cut is between two', async () => {
    const bytes = Buffer.concat([good, good]);
    for (let end = 1; end < bytes.length; end += 1) {
      const sink = await read(bytes.subarray(0, end), framedProtoReader);
      expect(sink.rejects).toHaveLength(end === good.length ? 0 : 1);
    }
  });

  it('of a zstd bomb are refused', async () => {
    // One frame of zeros: an RLE block of 128 KiB costs four bytes.
    const block = Buffer.from([0x02 | 0x00, 0x00, 0x10, 0x00]);
    const bomb = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...Array(3000).fill(block)]);
    const sink = await read(frame(bomb), framedProtoReader);
    expect(sink.captures).toHaveLength(0);
    expect(sink.rejects).toHaveLength(1);
  });
});

describe('keys and values', () => {
  it('called __proto__ and constructor are plain data', async () => {
    const tool = { ...CALL, 'gen_ai.tool.name': '__proto__' };
    const text = line([span({ attributes: { ...tool, constructor: 'x' } })]).replace(
      '"status":{}',
      '"__proto__":{"name":"x"},"status":{}',
    );
    const { captures } = await readBytes(text);
    expect(captures[0]?.exchange.tool).toBe('__proto__');
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it('of wrong types do no harm', async () => {
    const values = [null, 7, 'x', [], {}, [[]], true];
    const spans = values.flatMap((value) => [
      { ...(span({ attributes: CALL }) as object), attributes: value },
      { ...(span({ attributes: CALL }) as object), events: value, status: value, kind: value, name: value },
      {
        ...(span({}) as object),
        attributes: [...attributes(CALL), value, { key: value, value }, { key: 'url.path', value }],
      },
    ]);
    for (const wrong of [...values, ...spans]) {
      const text = `${JSON.stringify({ resourceSpans: [{ resource: wrong, scopeSpans: [{ scope: wrong, spans: [wrong] }, wrong] }, wrong], x: 'mcp' })}\n`;
      const sink = await readBytes(text);
      expect(sink.summary?.records).toBe(sink.captures.length + sink.skipped + sink.rejects.length + sink.duplicates);
    }
  });

  it('by the hundred thousand are read in a moment', async () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const before = performance.now();
    expect((await readBytes(line([span({ attributes: { ...many, ...CALL } })]))).captures).toHaveLength(1);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('what is no trace export', () => {
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['blank lines', '\n\n\n\n\n\n\n\n\n\n\n\n\n'],
    ['text', '\nHello there, this is text\n'],
    ['null', 'null'],
    ['a number', '123'],
    ['an empty object', '{}'],
    ['a HAR that quotes OTLP', '{"log":{"entries":[{"request":{"postData":{"text":"{\\"resourceSpans\\":[]}"}}}]}}'],
    ['another Jaeger-like list', '{"data":[{"id":1}],"total":1}'],
    ['an access log in JSON', '{"time":"2026-01-01T00:00:00Z","status":200,"trace_id":"ab"}\n'],
    ['brackets', '['.repeat(80_000)],
    ['zeros', Buffer.alloc(4096)],
  ])('%s is left to others', (_what, bytes) => {
    expect(traceReaderFor(Buffer.from(bytes as string))).toBeNull();
  });

  const corpus = join(import.meta.dirname, '../../../../shared/corpus/formats');
  it.skipIf(!existsSync(corpus))('a PNG is left to others (needs ../shared beside the project)', () => {
    expect(traceReaderFor(readFileSync(join(corpus, '503-png-beside-a-har/screenshot.har')))).toBeNull();
  });
});
