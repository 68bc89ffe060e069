import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachLine, lineBlocks, type OverlongLine } from '../../../src/readers/input/lines.js';

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

interface Read {
  text: string;
  line: number;
  at: number;
  cut: boolean;
}

async function linesOf(text: string | Buffer, sizes: readonly number[] = [7], maxLineBytes?: number) {
  const bytes = Buffer.from(text);
  const lines: Read[] = [];
  const overlong: OverlongLine[] = [];
  for await (const block of lineBlocks(inChunks(bytes, sizes), (line) => overlong.push(line), maxLineBytes)) {
    forEachLine(block, (start, end, line, cut) => {
      lines.push({ text: block.bytes.toString('utf8', start, end), line, at: block.offset + start, cut });
    });
  }
  return { lines, overlong, texts: lines.map((line) => line.text) };
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

describe('lines', () => {
  it('are the same however the input is cut into chunks', async () => {
    const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\n\n', ' ', 'é'), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, chunkSizes, async (parts, sizes) => {
        const whole = parts.join('');
        const expected = whole.split('\n').map((line) => line.replace(/\r$/, ''));
        if (expected.at(-1) === '') expected.pop();
        const { texts, lines } = await linesOf(whole, sizes);
        // A carriage return at the very end is left to stand when the line has no end.
        expect(texts.map((line) => line.replace(/\r$/, ''))).toEqual(expected);
        expect(lines.map((line) => line.line)).toEqual(expected.map((_, i) => i + 1));
        for (const { text: line, at } of lines) {
          expect(Buffer.from(whole).toString('utf8', at, at + Buffer.byteLength(line))).toBe(line);
        }
      }),
    );
  });

  it('say that the last one may be incomplete when no line feed ends it', async () => {
    expect((await linesOf('a\nb')).lines.map((line) => line.cut)).toEqual([false, true]);
    expect((await linesOf('a\nb\n')).lines.map((line) => line.cut)).toEqual([false, false]);
  });

  it('lose a byte order mark, and NUL bytes in front of a line', async () => {
    expect((await linesOf('\ufeffa\n\0\0\0b\n\0\0', [3])).texts).toEqual(['a', 'b']);
  });

  it('longer than the limit are reported with their number, and the others are kept', async () => {
    for (const size of [1, 5, 13]) {
      const { lines, overlong } = await linesOf(`one\n${'x'.repeat(50)}\nthree\n${'y'.repeat(50)}`, [size], 20);
      expect(lines.map(({ text, line }) => [line, text])).toEqual([
        [1, 'one'],
        [3, 'three'],
      ]);
      expect(overlong).toEqual([
        { line: 2, offset: 4, bytes: 50 },
        { line: 4, offset: 61, bytes: 50 },
      ]);
    }
  });

  it('keep no more of an endless line than the limit', async () => {
    async function* endless() {
      for (let i = 0; i < 200; i += 1) yield Buffer.alloc(1 << 20, 0x78);
    }
    const overlong: OverlongLine[] = [];
    const before = process.memoryUsage().arrayBuffers;
    for await (const _ of lineBlocks(endless(), (line) => overlong.push(line), 1 << 20)) throw new Error('a line');
    expect(overlong).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 << 20);
  });
});
