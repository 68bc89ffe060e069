/** Bytes that can be read at any place: an open file, or a part of memory. */
export interface RandomAccess {
  readonly size: number;
  /** Up to `length` bytes from `offset`; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** A part of memory as `RandomAccess`. */
export function memoryAccess(bytes: Uint8Array): RandomAccess {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    read: async (offset, length) => buffer.subarray(offset, Math.min(buffer.length, offset + length)),
  };
}

/** A window of another `RandomAccess`. */
export function sliceAccess(source: RandomAccess, start: number, size: number): RandomAccess {
  return {
    size,
    read: (offset, length) => source.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}

const CHUNK_BYTES = 1 << 20;

/** All bytes in order, in chunks of one megabyte; each chunk is a buffer of its own. */
export async function* chunksOf(source: RandomAccess): AsyncGenerator<Buffer> {
  let offset = 0;
  while (offset < source.size) {
    const chunk = await source.read(offset, Math.min(CHUNK_BYTES, source.size - offset));
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}

/** Collects a stream; null when it is longer than `maxBytes`. */
export async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxBytes) return null;
    parts.push(chunk);
  }
  return Buffer.concat(parts, length);
}
