import { PostmortemError } from '../error.js';
import { accessLogReaders } from './access-log/index.js';
import { harReader } from './har/index.js';
import type { OpenedInput } from './input/content.js';
import { type Inputs, openInputs, type Source } from './input/open.js';
import { inspectorReader } from './inspector/index.js';
import { mcpsnoopFramesReader, mcpsnoopHarReader } from './mcpsnoop/index.js';
import { traceReaders } from './otlp/index.js';
import type { FormatReader, ReaderOptions, ReadSummary, RecordSink } from './reader.js';
import { describe } from './unknown.js';

/** Every format that can be read. The order decides nothing: the surest reader wins. */
export const readers: readonly FormatReader[] = [
  harReader,
  mcpsnoopHarReader,
  mcpsnoopFramesReader,
  inspectorReader,
  ...traceReaders,
  ...accessLogReaders,
];

const NO_OPTIONS: ReaderOptions = { vantage: null, logFormat: null, map: null, zone: null, keepBodies: false };

/** Finds what lies behind paths of the command line; see `openInputs`. */
export function findSources(paths: readonly string[], options: ReaderOptions = NO_OPTIONS): Promise<Inputs> {
  return openInputs(paths, { isCapture: (head) => readerFor(head, options) !== null });
}

/** The surest reader for an input that begins like this; null: none knows it. */
export function readerFor(head: Uint8Array, options: ReaderOptions): FormatReader | null {
  let best: FormatReader | null = null;
  let bestConfidence = 0;
  for (const reader of readers) {
    const confidence = reader.recognise(head, options);
    if (confidence > bestConfidence) {
      best = reader;
      bestConfidence = confidence;
    }
  }
  return best;
}

/**
 * Reads one source into `sink`.
 * @param forcedFormat name of a reader (`--input-format`); null: found by content
 * @throws PostmortemError `input-unknown-format` naming file and content, `input-unreadable`, `input-limit`, `usage`
 */
export async function readSource(
  source: Source,
  sink: RecordSink,
  options: ReaderOptions,
  forcedFormat: string | null = null,
): Promise<ReadSummary> {
  const input = await source.open();
  try {
    const reader = forcedFormat === null ? readerFor(input.head, options) : readerNamed(forcedFormat);
    if (reader === null) {
      const { what, hint } = describe(input.head);
      throw new PostmortemError('input-unknown-format', `${source.path}: the file is ${what}`, hint);
    }
    return await readDamaged(input, reader, sink, options);
  } finally {
    await input.close();
  }
}

function readerNamed(format: string): FormatReader {
  const reader = readers.find((r) => r.format === format) ?? readers.find((r) => r.format.startsWith(`${format}/`));
  if (reader !== undefined) return reader;
  const known = [...new Set(readers.map((r) => r.format))].sort().join(', ');
  throw new PostmortemError('usage', `--input-format ${format}: no such format`, `Known formats: ${known}.`);
}

/** Compressed data that broke off is a rejected record, unless the reader has already missed the end itself. */
async function readDamaged(
  input: OpenedInput,
  reader: FormatReader,
  sink: RecordSink,
  options: ReaderOptions,
): Promise<ReadSummary> {
  let rejects = 0;
  const counting: RecordSink = {
    capture: (capture) => sink.capture(capture),
    companion: (record) => sink.companion(record),
    reject: (locator, reason) => {
      rejects += 1;
      sink.reject(locator, reason);
    },
    skip: (count) => sink.skip(count),
    duplicate: (count) => sink.duplicate(count),
    progress: (bytes) => sink.progress(bytes),
  };
  const summary = await reader.read(input, counting, options);
  const damage = input.damage();
  if (damage === null) return summary;
  const warning = `${damage.reason}; read up to byte ${damage.unpackedBytes} of the unpacked data`;
  if (rejects > 0) return { ...summary, warnings: [...summary.warnings, warning] };
  sink.reject(`byte ${damage.unpackedBytes}`, damage.reason);
  return { ...summary, records: summary.records + 1, warnings: [...summary.warnings, warning] };
}
