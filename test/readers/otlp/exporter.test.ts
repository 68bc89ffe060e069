import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBytes } from './read.js';

type ExportedSpan = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number];

const value = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
);
const attributes = fc.dictionary(
  fc.constantFrom(
    'mcp.method.name',
    'mcp.session.id',
    'gen_ai.tool.name',
    'http.request.header.mcp-session-id',
    'http.response.status_code',
    'url.path',
    'other',
  ),
  value,
);
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((id) => `1${Buffer.from(id).toString('hex').slice(1)}`);

/** A span as the OpenTelemetry SDK for JavaScript hands it to its exporters. */
const exported = fc
  .record({
    traceId: hex(16),
    spanId: hex(8),
    attributes,
    kind: fc.integer({ min: 0, max: 4 }),
    seconds: fc.nat(2 ** 31),
    nanos: fc.nat(999_999_999),
  })
  .map(
    ({ traceId, spanId, attributes: values, kind, seconds, nanos }) =>
      ({
        name: 'tools/call x',
        kind,
        spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
        startTime: [seconds, nanos],
        endTime: [seconds + 1, nanos],
        duration: [1, 0],
        status: { code: 0 },
        attributes: values,
        links: [],
        events: [],
        ended: true,
        resource: { attributes: { 'service.name': 'js' }, getRawAttributes: () => [['service.name', 'js']] },
        instrumentationScope: { name: 'mcp-test', version: '1' },
        droppedAttributesCount: 0,
        droppedEventsCount: 0,
        droppedLinksCount: 0,
      }) as unknown as ExportedSpan,
  );

describe('what the OpenTelemetry SDK for JavaScript exports', () => {
  it('reads the same from its JSON and from its protobuf', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(exported, { minLength: 1, maxLength: 5 }), async (spans) => {
        const json = await readBytes(JsonTraceSerializer.serializeRequest(spans) ?? '');
        const proto = await readBytes(ProtobufTraceSerializer.serializeRequest(spans) ?? '');
        expect(proto.captures).toEqual(json.captures);
        expect(json.captures.length).toBeGreaterThan(0);
        expect([proto.rejects, json.rejects]).toEqual([[], []]);
        expect([json.summary?.format, proto.summary?.format]).toEqual(['otlp/json', 'otlp/proto']);
      }),
      { numRuns: 200, seed: 20261205 },
    );
  });
});
