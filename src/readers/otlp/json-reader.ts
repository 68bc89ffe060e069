import { forEachLine, lineBlocks } from '../input/lines.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { headKeys, headText, RECOGNISED_BYTES } from './head.js';
import { CONTAINERS, readBatch, requestFramer, takeElements } from './json-batch.js';
import { MarkScanner } from './marks.js';
import { SpanWindow, summaryOf } from './span-window.js';

/** OTLP/JSON as the collector's file exporter, SDKs and proxies of OTLP/HTTP write it. */
export const otlpJsonReader: FormatReader = jsonReader('otlp/json', (keys) => {
  if (keys.some((key) => CONTAINERS.includes(key) && key !== 'batches')) return 0.95;
  return keys.some((key) => /^result\.resourceSpans$/.test(key)) ? 0.95 : 0;
});

/** Tempo's API and Grafana's download of a trace. */
export const tempoReader: FormatReader = jsonReader('otlp/tempo', (keys) => {
  if (keys.includes('trace.resourceSpans') || keys.includes('trace.batches')) return 0.96;
  const hasScopes = keys.some((key) =>
    /^batches\.(resource|scopeSpans|instrumentationLibrarySpans|scope_spans)$/.test(key),
  );
  return hasScopes ? 0.96 : 0;
});

function jsonReader(format: string, confidence: (keys: readonly string[]) => number): FormatReader {
  return {
    format,
    recognise(head) {
      const text = headText(head.subarray(0, RECOGNISED_BYTES));
      if (!text.startsWith('{') && !text.startsWith('[')) return confidenceOfLaterLine(text, confidence);
      return confidence(headKeys(text, 2)) || confidenceOfLaterLine(text, confidence);
    },
    read: (input, sink, options) => readJson(format, input, sink, options),
  };
}

/** A file that begins with a broken or foreign line is known by its others. */
function confidenceOfLaterLine(text: string, confidence: (keys: readonly string[]) => number): number {
  for (const line of text.split('\n', 20).slice(1)) {
    if (line.startsWith('{"') && confidence(headKeys(line.slice(0, 4096), 2)) > 0) return 0.8;
  }
  return 0;
}

async function readJson(
  format: string,
  input: ReaderInput,
  sink: RecordSink,
  options: ReaderOptions,
): Promise<ReadSummary> {
  const window = new SpanWindow(sink, options);
  if (isOneLineEach(headText(input.head))) await readLines(input, sink, window);
  else await readFrames(input.chunks(), sink, window);
  window.flush();
  return summaryOf(format, window);
}

/** Whether the input has one document a line: not an array, and its first line (or a later one) is whole. */
function isOneLineEach(text: string): boolean {
  const end = text.indexOf('\n');
  if (text.startsWith('[')) return end >= 0 && /\]\s*$/.test(text.slice(0, end)) && text.slice(end).trim() !== '';
  if (end < 0) return true;
  return /\}\s*$/.test(text.slice(0, end)) || /\n\{ ?"/.test(text);
}

async function readLines(input: ReaderInput, sink: RecordSink, window: SpanWindow): Promise<void> {
  const onOverlong = ({ line, bytes }: { line: number; bytes: number }): void =>
    window.reject(`line ${line}`, `${bytes} bytes in one line; split the export into lines of one request each`);
  for await (const block of lineBlocks(input.chunks(), onOverlong)) {
    let learned = window.endpoints.size;
    let marks = new MarkScanner(block.bytes, window.endpoints);
    forEachLine(block, (start, end, line) => {
      readBatch(block.bytes, start, end, `line ${line}`, marks, window);
      if (window.endpoints.size === learned) return;
      learned = window.endpoints.size;
      marks = new MarkScanner(block.bytes, window.endpoints);
    });
    sink.progress(block.offset + block.bytes.length);
  }
}

async function readFrames(chunks: AsyncIterable<Uint8Array>, sink: RecordSink, window: SpanWindow): Promise<void> {
  const framer = requestFramer();
  let bytes = 0;
  for await (const chunk of chunks) {
    takeElements(framer.push(chunk), '', window);
    bytes += chunk.length;
    sink.progress(bytes);
  }
  const { elements, end } = framer.end();
  takeElements(elements, '', window);
  if (end.cutAt !== null && elements.length === 0) window.reject(`byte ${end.cutAt}`, 'the file ends inside the JSON');
}
