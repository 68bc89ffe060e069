import { type ArrayPath, type Element, JsonFramer } from '../input/json-frames.js';
import { forEachLine, lineBlocks } from '../input/lines.js';
import type { ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { headText } from './head.js';
import type { SpanSink } from './json-spans.js';
import { parseBytes } from './parse.js';
import { SpanWindow, summaryOf } from './span-window.js';

/** How spans lie in a JSON format that is not OTLP. */
export interface DocumentShape {
  /** Arrays whose elements are documents. */
  readonly arrays: readonly ArrayPath[];
  /** Hands on the spans of one document; false: it is none of the format. */
  walk(document: unknown, place: string, sink: SpanSink): boolean;
}

/** A document that is not in an array and not on a line of its own is read as a whole, up to this size. */
const MAX_WHOLE_BYTES = 64 * 2 ** 20;

/** Reads spans from arrays of documents, from one document a line, or from a single document. */
export async function readDocuments(
  format: string,
  input: ReaderInput,
  sink: RecordSink,
  options: ReaderOptions,
  shape: DocumentShape,
): Promise<ReadSummary> {
  const window = new SpanWindow(sink, options);
  const text = headText(input.head);
  if (isOneLineEach(text)) await readLines(input, sink, shape, window);
  else await readArrays(input, sink, shape, window);
  window.flush();
  return summaryOf(format, window);
}

/** Whether the first line is a whole object and others follow, or is that of a short single document. */
function isOneLineEach(text: string): boolean {
  const end = text.indexOf('\n');
  return text.startsWith('{') && end > 0 && /\}\s*$/.test(text.slice(0, end)) && text.slice(end).trim() !== '';
}

async function readLines(
  input: ReaderInput,
  sink: RecordSink,
  shape: DocumentShape,
  window: SpanWindow,
): Promise<void> {
  const onOverlong = ({ line, bytes }: { line: number; bytes: number }): void =>
    window.reject(`line ${line}`, `${bytes} bytes in one line`);
  for await (const block of lineBlocks(input.chunks(), onOverlong)) {
    forEachLine(block, (start, end, line) => {
      if (end > start) readText(block.bytes, start, end, `line ${line}`, shape, window);
    });
    sink.progress(block.offset + block.bytes.length);
  }
}

async function readArrays(
  input: ReaderInput,
  sink: RecordSink,
  shape: DocumentShape,
  window: SpanWindow,
): Promise<void> {
  const framer = new JsonFramer(shape.arrays);
  let kept: Uint8Array[] | null = [];
  let bytes = 0;
  for await (const chunk of input.chunks()) {
    takeElements(framer.push(chunk), shape, window);
    bytes += chunk.length;
    if (window.records > 0 || bytes > MAX_WHOLE_BYTES) kept = null;
    kept?.push(chunk);
    sink.progress(bytes);
  }
  const { elements, end } = framer.end();
  takeElements(elements, shape, window);
  if (end.found) {
    if (end.cutAt !== null && elements.length === 0)
      window.reject(`byte ${end.cutAt}`, 'the file ends inside the JSON');
  } else if (kept === null) {
    window.reject('byte 0', `no array of traces in ${bytes} bytes`);
  } else {
    const whole = Buffer.concat(kept);
    readText(whole, 0, whole.length, 'document', shape, window);
  }
}

function takeElements(elements: readonly Element[], shape: DocumentShape, window: SpanWindow): void {
  for (const { bytes, index, reason, start } of elements) {
    const place = `element ${index + 1}`;
    if (bytes === null) window.reject(`${place} (byte ${start})`, reason ?? 'unreadable');
    else readText(bytes, 0, bytes.length, place, shape, window);
  }
}

function readText(
  bytes: Buffer,
  start: number,
  end: number,
  place: string,
  shape: DocumentShape,
  window: SpanWindow,
): void {
  const parsed = parseBytes(bytes, start, end);
  if (!parsed.ok) {
    if (bytes.toString('latin1', start, Math.min(end, start + 1024)).trim() !== '') window.reject(place, parsed.reason);
  } else if (!shape.walk(parsed.value, place, window)) window.skip(1);
}
