import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressionOf, unpack } from '../../../src/readers/input/compression.js';
import { INFLATE_LIMITS } from '../../../src/readers/input/limits.js';

/** A zstd frame (RFC 8878) with one raw block: enough to test framing without an encoder. */
function rawZstd(text: string): Buffer {
  const content = Buffer.from(text);
  const block = (content.length << 3) | 1;
  const header = Buffer.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x00,
    0x58,
    block & 255,
    (block >> 8) & 255,
    (block >> 16) & 255,
  ]);
  return Buffer.concat([header, content]);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpacked(bytes: Buffer, size = 1 << 16, limits = INFLATE_LIMITS) {
  const compression = compressionOf(bytes);
  if (compression === null) throw new Error('not compressed');
  const { chunks, damage } = unpack(compression, inPieces(bytes, size), 'x.gz', limits);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return { text: Buffer.concat(parts).toString(), damage: damage() };
}

const LOG = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${(i * 7919) % 10_007}\n`).join('');

describe('compressed input', () => {
  it('is told by its first bytes', () => {
    expect(compressionOf(gzipSync('x'))).toBe('gzip');
    for (const level of [1, 6, 9]) expect(compressionOf(deflateSync('x', { level }))).toBe('zlib');
    expect(compressionOf(rawZstd('x'))).toBe('zstd');
    expect(compressionOf(Buffer.from('{"log":{}}'))).toBeNull();
    expect(compressionOf(Buffer.from('x^2'))).toBeNull();
    // Framed OTLP: a length in front of each zstd frame is no zstd file.
    expect(compressionOf(Buffer.concat([Buffer.from([0, 0, 0, 9]), rawZstd('x')]))).toBeNull();
  });

  it('may come as several gzip members or zstd frames', async () => {
    const gzip = Buffer.concat([gzipSync('one '), gzipSync(LOG), gzipSync(' three')]);
    for (const size of [1000, 1 << 20]) expect((await unpacked(gzip, size)).text).toBe(`one ${LOG} three`);
    const zstd = Buffer.concat([rawZstd('one '), rawZstd('two '), rawZstd('three')]);
    for (const size of [1, 7, 1000]) {
      expect(await unpacked(zstd, size)).toEqual({ text: 'one two three', damage: null });
    }
  });

  it('is read up to the place where it breaks off', async () => {
    const gzip = gzipSync(LOG);
    const half = await unpacked(gzip.subarray(0, gzip.length >> 1));
    expect(half.text.length).toBeGreaterThan(LOG.length / 3);
    expect(LOG.startsWith(half.text)).toBe(true);
    expect(half.damage).toEqual({ unpackedBytes: half.text.length, reason: 'the compressed data ends early' });

    const zstd = Buffer.concat([rawZstd('one '), rawZstd('two two two')]);
    const cut = await unpacked(zstd.subarray(0, zstd.length - 3));
    expect(cut.text.startsWith('one ')).toBe(true);
    expect(cut.damage?.reason).toContain('early');
  });

  it('is read up to the place where its bytes are wrong', async () => {
    const gzip = Buffer.from(gzipSync(LOG));
    gzip.fill(0xff, gzip.length >> 1, (gzip.length >> 1) + 50);
    const broken = await unpacked(gzip, 4096);
    expect(broken.text.length).toBeGreaterThan(1000);
    expect(broken.damage?.reason).toContain('broken');
  });

  it('is refused when it unpacks to too many times its size, or to too much', async () => {
    const bomb = gzipSync(Buffer.alloc(4 << 20, 0x20));
    const tight = { maxBytes: 1 << 30, maxRatio: 400, ratioFromBytes: 1 << 20 };
    await expect(unpacked(bomb, 1 << 16, tight)).rejects.toMatchObject({ code: 'input-limit' });
    await expect(unpacked(gzipSync(LOG), 1 << 16, { ...tight, maxBytes: 1000 })).rejects.toThrow(
      'more than 1000 bytes',
    );
    expect((await unpacked(gzipSync(LOG), 1 << 16, tight)).text).toBe(LOG);
  });
});
