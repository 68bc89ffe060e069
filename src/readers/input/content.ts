import type { ReaderInput } from '../reader.js';
import { compressionOf, type Damage, unpack } from './compression.js';
import { INFLATE_LIMITS } from './limits.js';
import { HEAD_BYTES } from './sniff.js';
import { fromUtf16, utf16Of } from './text.js';

/** An input that is open: decompressed, its head read. */
export interface OpenedInput extends ReaderInput {
  /** Known once all chunks are read; null: the compressed data is intact, or there is none. */
  damage(): Damage | null;
  close(): Promise<void>;
}

/** Bytes as they are stored. */
export interface Content {
  readonly path: string;
  bytes(): AsyncIterable<Uint8Array>;
  sibling(name: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** How many layers of compression are taken off: `.json.gz` that was compressed once more in transit. */
const MAX_LAYERS = 2;

/**
 * Takes compression and UTF-16 off, by magic bytes, and reads the head.
 * @throws PostmortemError `input-limit` here or out of `chunks` when it unpacks to too much.
 */
export async function openContent(content: Content): Promise<OpenedInput> {
  const damages: (() => Damage | null)[] = [];
  let stream = await peek(content.bytes());
  try {
    for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
      const compression = compressionOf(stream.head);
      if (compression === null) break;
      const unpacked = unpack(compression, stream.chunks(), content.path, INFLATE_LIMITS);
      damages.push(unpacked.damage);
      stream = await peek(unpacked.chunks);
    }
    const encoding = utf16Of(stream.head);
    if (encoding !== null) stream = await peek(fromUtf16(stream.chunks(), encoding));
  } catch (error) {
    await content.close();
    throw error;
  }
  const { head, chunks, stop } = stream;
  return {
    path: content.path,
    head,
    chunks,
    sibling: (name) => content.sibling(name),
    damage: () => damages.map((damage) => damage()).find((damage) => damage !== null) ?? null,
    close: async () => {
      await stop();
      await content.close();
    },
  };
}

/** Reads ahead until the head is full; `chunks` still gives everything from the start. */
async function peek(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  const ahead: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  while (length < HEAD_BYTES && !isDone) {
    const next = await iterator.next();
    if (next.done === true) isDone = true;
    else {
      ahead.push(next.value);
      length += next.value.length;
    }
  }
  const head = Buffer.concat(ahead, length).subarray(0, HEAD_BYTES);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* ahead.splice(0);
      while (!isDone) {
        const next = await iterator.next();
        if (next.done === true) isDone = true;
        else yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  const stop = async () => {
    isDone = true;
    ahead.length = 0;
    await iterator.return?.();
  };
  return { head, chunks, stop };
}
