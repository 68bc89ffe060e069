import type { FormatReader } from '../reader.js';
import { clickhouseReader } from './clickhouse.js';
import { jaegerReader } from './jaeger.js';
import { otlpJsonReader, tempoReader } from './json-reader.js';
import { framedProtoReader, framedZstdReader, protoReader } from './proto-reader.js';
import { zipkinReader } from './zipkin.js';

/** Readers of trace exports. */
export const traceReaders: readonly FormatReader[] = [
  otlpJsonReader,
  tempoReader,
  protoReader,
  framedProtoReader,
  framedZstdReader,
  jaegerReader,
  zipkinReader,
  clickhouseReader,
];
