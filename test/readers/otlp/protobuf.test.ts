import { fromJson, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otlpJsonReader } from '../../../src/readers/otlp/json-reader.js';
import { protoReader } from '../../../src/readers/otlp/proto-reader.js';
import type { Collected } from '../../support/collect.js';
import { NO_OPTIONS, Collected as Sink } from '../../support/collect.js';
import { type ArbitraryRequest, arbitraryRequest } from './arbitrary.js';
import { REQUEST } from './descriptor.js';
import { inputOf } from './read.js';

const encode = (request: ArbitraryRequest): Buffer =>
  Buffer.from(toBinary(REQUEST, fromJson(REQUEST, request as never)));

async function readWith(reader: typeof protoReader, bytes: Uint8Array, chunkBytes = 65_536): Promise<Collected> {
  const sink = new Sink();
  sink.summary = await reader.read(inputOf(bytes, chunkBytes), sink, NO_OPTIONS);
  return sink;
}

/** What must not depend on the encoding; spans without ids are named by their place, which does. */
function essence(sink: Collected) {
  return {
    skipped: sink.skipped,
    duplicates: sink.duplicates,
    rejects: sink.rejects.length,
    evidence: [...(sink.summary?.evidence ?? [])].sort(),
    captures: sink.captures.map((capture) => ({
      ...capture,
      exchange: { ...capture.exchange, locator: capture.exchange.spanId },
    })),
  };
}

describe('protobuf', () => {
  it('says the same as the JSON of the same request (encoded by @bufbuild/protobuf)', async () => {
    let exchanges = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryRequest, async (request) => {
        const fromProto = await readWith(protoReader, encode(request));
        const fromText = await readWith(otlpJsonReader, Buffer.from(JSON.stringify(request)));
        exchanges += fromProto.captures.length;
        expect(essence(fromProto)).toEqual({ ...essence(fromText), skipped: expect.any(Number) });
      }),
      { numRuns: 400, seed: 20261201 },
    );
    expect(exchanges).toBeGreaterThan(200);
  });

  it('says the same whatever the chunks it arrives in', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRequest, fc.integer({ min: 1, max: 64 }), async (request, chunkBytes) => {
        const bytes = encode(request);
        expect(essence(await readWith(protoReader, bytes, chunkBytes))).toEqual(
          essence(await readWith(protoReader, bytes)),
        );
      }),
      { numRuns: 60, seed: 20261202 },
    );
  });

  it('cut at any byte gives the spans before the cut and one reject', async () => {
    const bytes = encode(TWO_SPANS);
    const whole = (await readWith(protoReader, bytes)).captures;
    expect(whole).toHaveLength(2);
    for (let end = 1; end < bytes.length; end += 1) {
      const { captures, rejects } = await readWith(protoReader, bytes.subarray(0, end));
      expect(captures).toEqual(whole.slice(0, captures.length));
      expect(rejects).toHaveLength(1);
    }
  });

  it('with any byte changed never throws and never hangs', async () => {
    const bytes = encode(TWO_SPANS);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), async (at, value) => {
        const broken = Buffer.from(bytes);
        broken[at] = value;
        const sink = await readWith(protoReader, broken);
        const { records } = sink.summary ?? { records: -1 };
        expect(records).toBe(sink.captures.length + sink.skipped + sink.rejects.length + sink.duplicates);
      }),
      { numRuns: 500, seed: 20261203 },
    );
  });
});

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const TWO_SPANS = {
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', 'x')] },
      scopeSpans: [
        {
          scope: { name: 'mcp-server' },
          spans: ['one', 'two'].map((tool, index) => ({
            traceId: Buffer.alloc(16, index + 1).toString('base64'),
            spanId: Buffer.alloc(8, index + 1).toString('base64'),
            name: `tools/call ${tool}`,
            kind: 2,
            startTimeUnixNano: '1795075200125000000',
            endTimeUnixNano: '1795075200225000000',
            attributes: [attribute('mcp.method.name', 'tools/call'), attribute('gen_ai.tool.name', tool)],
            status: {},
          })),
        },
      ],
    },
  ],
} as unknown as ArbitraryRequest;
