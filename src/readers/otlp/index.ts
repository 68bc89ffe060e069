import type { FormatReader } from '../reader.js';
import { otlpJsonReader, tempoReader } from './json-reader.js';
import { framedProtoReader, framedZstdReader, protoReader } from './proto-reader.js';

/** Readers of trace exports. */
export const traceReaders: readonly FormatReader[] = [
  otlpJsonReader,
  tempoReader,
  protoReader,
  framedProtoReader,
  framedZstdReader,
];
