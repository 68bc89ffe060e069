import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { ByteQueue } from './byte-queue.js';
import { readBatch } from './json-batch.js';
import { MarkScanner } from './marks.js';
import { frameLength, LENGTH_BYTES, looksLikeRequest, MAX_MESSAGE_BYTES } from './proto-recognise.js';
import { readRequest } from './proto-request.js';
import { SpanWindow, summaryOf } from './span-window.js';
import { BYTES, WireError, WireReader } from './wire.js';
import { isZstd, unzstd } from './zstd-message.js';

/** What one compressed message may unpack to; collectors refuse to send a tenth of it. */
const MAX_UNPACKED_BYTES = 64 * 2 ** 20;

/** One request, or several one after another without anything between (which is the same message to protobuf). */
export const protoReader: FormatReader = {
  format: 'otlp/proto',
  recognise: (head) => (looksLikeRequest(asBuffer(head), 0, head.length) ? 0.9 : 0),
  read: (input, sink, options) => readWith('otlp/proto', input, sink, options, readBare),
};

/** The collector's file exporter with `format: proto`: a big-endian length before every request. */
export const framedProtoReader: FormatReader = {
  format: 'otlp/framed-proto',
  recognise(head) {
    const bytes = asBuffer(head);
    const length = frameLength(bytes);
    return length !== null && looksLikeRequest(bytes, LENGTH_BYTES, LENGTH_BYTES + length) ? 0.9 : 0;
  },
  read: (input, sink, options) => readWith('otlp/framed-proto', input, sink, options, readFramed),
};

/** The same with `compression: zstd` before native compression: every message is compressed on its own. */
export const framedZstdReader: FormatReader = {
  format: 'otlp/framed-zstd',
  recognise: (head) => (frameLength(asBuffer(head)) !== null && isZstd(head, LENGTH_BYTES) ? 0.95 : 0),
  read: (input, sink, options) => readWith('otlp/framed-zstd', input, sink, options, readFramed),
};

async function readWith(
  format: string,
  input: ReaderInput,
  sink: RecordSink,
  options: ReaderOptions,
  read: (queue: ByteQueue, window: SpanWindow, progress: (bytes: number) => void) => Promise<void>,
): Promise<ReadSummary> {
  const window = new SpanWindow(sink, options);
  await read(new ByteQueue(input.chunks()), window, (bytes) => sink.progress(bytes));
  window.flush();
  return summaryOf(format, window);
}

/** Takes the top-level fields one by one: a file of many requests is never in memory as a whole. */
async function readBare(queue: ByteQueue, window: SpanWindow, progress: (bytes: number) => void): Promise<void> {
  for (;;) {
    const head = await queue.peek(20);
    if (head.length === 0) return;
    const size = fieldSize(head);
    if (typeof size === 'string' || size > MAX_MESSAGE_BYTES) {
      window.reject(`byte ${queue.offset}`, typeof size === 'string' ? size : `a field of ${size} bytes`);
      return;
    }
    const { offset } = queue;
    const bytes = await queue.take(size);
    readRequest(bytes, 0, bytes.length, { name: '', offset }, window);
    progress(queue.offset);
  }
}

/** Length of the first field with its tag, or what is wrong with it. */
function fieldSize(head: Buffer): number | string {
  const wire = new WireReader(head, 0, head.length);
  try {
    const tag = wire.tag();
    if ((tag & 7) === BYTES) return wire.varint() + wire.pos;
    wire.skip(tag);
    return wire.pos;
  } catch (error) {
    if (error instanceof WireError) return error.message;
    throw error;
  }
}

async function readFramed(queue: ByteQueue, window: SpanWindow, progress: (bytes: number) => void): Promise<void> {
  for (let frame = 1; ; frame += 1) {
    const head = await queue.take(LENGTH_BYTES);
    if (head.length === 0) return;
    const offset = queue.offset;
    const name = `frame ${frame}, `;
    if (head.length < LENGTH_BYTES) {
      window.reject(`${name}byte ${offset}`, 'the input ends inside a length');
      return;
    }
    const length = head.readUInt32BE(0);
    if (length > MAX_MESSAGE_BYTES) {
      window.reject(`${name}byte ${offset}`, `a message of ${length} bytes; the lengths do not add up from here on`);
      return;
    }
    const bytes = await queue.take(length);
    readMessage(bytes, bytes.length < length, { name, offset }, window);
    progress(queue.offset);
  }
}

function readMessage(bytes: Buffer, isCut: boolean, place: { name: string; offset: number }, window: SpanWindow): void {
  const before = window.rejects;
  let message = bytes;
  let fault = isCut ? 'the input ends inside it' : null;
  if (isZstd(bytes)) {
    const unpacked = unzstd(bytes, MAX_UNPACKED_BYTES);
    if (!unpacked.ok) fault ??= unpacked.reason;
    message = unpacked.bytes;
  }
  if (message[0] === 0x7b || message[0] === 0x5b) {
    readBatch(message, 0, message.length, place.name.slice(0, -2), new MarkScanner(message, window.endpoints), window);
  } else readRequest(message, 0, message.length, place, window);
  if (fault !== null && window.rejects === before) window.reject(`${place.name}byte ${place.offset}`, fault);
}

function asBuffer(head: Uint8Array): Buffer {
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength);
}
