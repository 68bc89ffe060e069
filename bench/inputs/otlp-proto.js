import { spanBatches } from './spans.js';

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

/** OTLP protobuf as the collector's file exporter writes it: a length of four bytes before every export request. */
export function* otlpFrames(shape) {
  for (const { service, pod, batch } of spanBatches(shape)) {
    const resource = Buffer.concat([
      attribute(1, ['service.name', service]),
      attribute(1, ['service.instance.id', pod]),
    ]);
    const scope = field(1, text(1, 'http'));
    const scopeSpans = Buffer.concat([scope, ...batch.map((span) => field(2, spanBytes(span)))]);
    const request = field(1, Buffer.concat([field(1, resource), field(2, scopeSpans)]));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(request.length);
    yield Buffer.concat([length, request]);
  }
}

function spanBytes(span) {
  return Buffer.concat([
    field(1, Buffer.from(span.traceId, 'hex')),
    field(2, Buffer.from(span.spanId, 'hex')),
    text(5, span.name),
    Buffer.from([tag(6, VARINT), 2]),
    fixed64(7, span.startNs),
    fixed64(8, span.endNs),
    ...span.attributes.map((pair) => attribute(9, pair)),
  ]);
}

function attribute(number, [key, value]) {
  return field(number, Buffer.concat([text(1, key), field(2, text(1, value))]));
}

function text(number, value) {
  return field(number, Buffer.from(value));
}

function field(number, bytes) {
  return Buffer.concat([Buffer.from([tag(number, BYTES)]), varint(bytes.length), bytes]);
}

function fixed64(number, value) {
  const bytes = Buffer.alloc(9);
  bytes[0] = tag(number, FIXED64);
  bytes.writeBigUInt64LE(value, 1);
  return bytes;
}

function tag(number, wireType) {
  return (number << 3) | wireType;
}

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
