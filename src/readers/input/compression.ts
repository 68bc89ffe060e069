import type { Transform } from 'node:stream';
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Decompress } from 'fzstd';
import { PostmortemError } from '../../error.js';
import { assertWithinLimits, type InflateLimits } from './limits.js';

export type Compression = 'gzip' | 'zlib' | 'zstd' | 'raw-deflate';

/** Where compressed data broke off; what came before it is kept. */
export interface Damage {
  /** Bytes that could still be unpacked. */
  readonly unpackedBytes: number;
  readonly reason: string;
}

/** A decompressed stream with what went wrong at its end. */
export interface Unpacked {
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** Known once `chunks` has ended; null: intact. */
  damage(): Damage | null;
}

/** Tells a compressed stream by its first bytes (RFC 1952, RFC 1950, RFC 8878); null: none of these. */
export function compressionOf(head: Uint8Array): Exclude<Compression, 'raw-deflate'> | null {
  const [a, b, c, d] = head;
  if (a === 0x1f && b === 0x8b) return 'gzip';
  if (a === 0x78 && (b === 0x01 || b === 0x9c || b === 0xda)) return 'zlib';
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return 'zstd';
  // A skippable frame in front, as pzstd and seekable zstd write it.
  if (a !== undefined && a >= 0x50 && a <= 0x5f && b === 0x2a && c === 0x4d && d === 0x18) return 'zstd';
  return null;
}

/**
 * Unpacks `packed` as it is read; memory stays flat. Gzip members and zstd frames may follow one another.
 * Data that breaks off ends the stream, and `damage` says where.
 * @throws PostmortemError `input-limit` out of `chunks` when the limits are broken.
 */
export function unpack(
  compression: Compression,
  packed: AsyncIterable<Uint8Array>,
  path: string,
  limits: InflateLimits,
): Unpacked {
  let damage: Damage | null = null;
  const counted = { packed: 0 };
  const source = count(packed, counted);
  const engine = compression === 'zstd' ? zstdChunks(source) : zlibChunks(engineOf(compression), source);

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let unpacked = 0;
    try {
      for await (const chunk of engine) {
        unpacked += chunk.length;
        assertWithinLimits(path, counted.packed, unpacked, limits);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof PostmortemError) throw error;
      damage = { unpackedBytes: unpacked, reason: reasonOf(error) };
    }
  }
  return { chunks: chunks(), damage: () => damage };
}

async function* count(chunks: AsyncIterable<Uint8Array>, counter: { packed: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    counter.packed += chunk.length;
    yield chunk;
  }
}

function engineOf(compression: Exclude<Compression, 'zstd'>): Transform {
  const options = { chunkSize: 1 << 18 };
  if (compression === 'gzip') return createGunzip(options);
  return compression === 'zlib' ? createInflate(options) : createInflateRaw(options);
}

async function* zlibChunks(engine: Transform, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: unknown = null;
  // The engine discards unread output when it fails, so output is taken the moment it is there.
  engine.on('data', (chunk: Buffer) => ready.push(chunk));
  engine.on('error', (error) => {
    failure ??= error;
  });
  const closed = new Promise<void>((done) => {
    engine.once('close', done);
  });
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  try {
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length && failure === null; at += ZLIB_STEP) {
        const step = chunk.subarray(at, at + ZLIB_STEP);
        const written = new Promise<void>((done) => {
          engine.write(step, () => done());
        });
        // The consumer works on the last step's output while this one is unpacked on another thread.
        yield* take();
        await Promise.race([written, closed]);
      }
      if (failure !== null) break;
    }
    yield* take();
    if (failure === null) {
      engine.end();
      await closed;
    }
    yield* take();
  } finally {
    engine.destroy();
  }
  if (failure !== null) throw failure;
}

/** Bounds what one step can unpack to: deflate reaches 1,032 times. */
const ZLIB_STEP = 1 << 15;

async function* zstdChunks(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let last: Uint8Array | null = null;
  const engine = new Decompress((chunk) => {
    if (chunk.length > 0) ready.push(chunk);
  });
  for await (const chunk of packed) {
    for (let at = 0; at < chunk.length; at += ZSTD_STEP) {
      last = chunk.subarray(at, at + ZSTD_STEP);
      let failure: unknown = null;
      try {
        engine.push(last, false);
      } catch (error) {
        failure = error;
      }
      yield* ready.splice(0);
      if (failure !== null) throw failure;
    }
  }
  let failure: unknown = null;
  try {
    engine.push(new Uint8Array(0), true);
  } catch (error) {
    failure = error;
  }
  yield* ready.splice(0);
  if (failure !== null) throw failure;
}

/** Small steps keep what one step can unpack to small. */
const ZSTD_STEP = 1 << 14;

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /unexpected (end|eof)/i.test(text)
    ? 'the compressed data ends early'
    : `the compressed data is broken (${text})`;
}
