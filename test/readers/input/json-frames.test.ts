import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Element, JsonFramer } from '../../../src/readers/input/json-frames.js';

function frames(text: string | Buffer, sizes: readonly number[] = [1 << 20], paths: string[][] = [['log', 'entries']]) {
  const bytes = Buffer.from(text);
  const framer = new JsonFramer(paths);
  const elements: Element[] = [];
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    elements.push(...framer.push(Buffer.from(bytes.subarray(at, at + size))));
    at += size;
  }
  const last = framer.end();
  elements.push(...last.elements);
  const values = elements.map(({ bytes: b }) => (b === null ? undefined : (JSON.parse(b.toString()) as unknown)));
  return { elements, values, end: last.end, document: framer.documentSoFar() };
}

const har = (entries: string) =>
  `{"log":{"version":"1.2","creator":{"name":"x [{\\"","version":"1"},"entries":[${entries}],"pages":[]}}`;
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const entry = fc.jsonValue({ maxDepth: 4 });

describe('framing the elements of a JSON array', () => {
  it('gives what JSON.parse gives, however the input is cut into chunks', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), sizes, fc.constantFrom(0, 1), (entries, chunkSizes, indent) => {
        const text = JSON.stringify(
          { a: [1, { entries: [9] }], log: { 'cre"ator': '\\', entries, z: [[]] } },
          null,
          indent,
        );
        const { values, end, document } = frames(text, chunkSizes);
        expect(values).toEqual(JSON.parse(JSON.stringify(entries)));
        expect(end).toEqual({ cutAt: null, found: true });
        expect(JSON.parse(document)).toEqual({
          a: [1, { entries: [9] }],
          log: { 'cre"ator': '\\', entries: [], z: [[]] },
        });
      }),
    );
  });

  it('gives byte ranges that hold exactly the element', () => {
    const text = har('{"é":1} , [2],"three" ,4');
    for (const { bytes, start, end } of frames(text, [3]).elements) {
      expect(Buffer.from(text).toString('utf8', start, end)).toBe(bytes?.toString());
    }
  });

  it('jumps over strings full of brackets, quotes and backslashes', () => {
    const body = `${'\\'.repeat(101)}"}]${'x'.repeat(500)}\\"}${'"'.repeat(40)}`;
    const text = har(`${JSON.stringify({ body })},${JSON.stringify({ body: 2 })}`);
    for (const size of [1, 2, 33, 1000]) expect(frames(text, [size]).values).toEqual([{ body }, { body: 2 }]);
  });

  it('keeps every complete element of a document that breaks off, wherever it does', () => {
    const entries = [{ a: 'x"y' }, { b: [1, { c: '\\' }] }, { d: null }];
    const text = har(entries.map((one) => JSON.stringify(one)).join(','));
    const ends = frames(text).elements.map((element) => element.end);
    for (let cut = 1; cut < Buffer.byteLength(text); cut += 1) {
      const { elements, end } = frames(Buffer.from(text).subarray(0, cut), [5]);
      const whole = ends.filter((at) => at <= cut).length;
      const complete = elements.filter((element) => element.bytes !== null);
      expect(complete.map((element) => JSON.parse(element.bytes!.toString()))).toEqual(entries.slice(0, whole));
      expect(elements.length - complete.length).toBeLessThanOrEqual(1);
      expect(end.cutAt).toBe(cut);
      for (const { bytes, reason } of elements) if (bytes === null) expect(reason).toContain(`byte ${cut}`);
    }
  });

  it('refuses an element deeper than 512 levels and goes on', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const { elements } = frames(har(`1,${deep(509)},${deep(510)},${deep(100_000)},2`), [64]);
    expect(elements.map(({ bytes }) => bytes !== null)).toEqual([true, true, false, false, true]);
    expect(elements[2]?.reason).toContain('512');
  });

  it('reads documents that follow one another as one sequence', () => {
    const text = `${har('1,2')}\n${har('3')}`;
    expect(frames(text, [4]).elements.map(({ index, bytes }) => [index, bytes?.toString()])).toEqual([
      [0, '1'],
      [1, '2'],
      [2, '3'],
    ]);
  });

  it('finds its way back after an element whose brackets do not match', () => {
    const { values, elements } = frames(har('{"a":1},{"b":2}},"c":3},{"d":4}'), [6]);
    expect(values.filter((value) => typeof value === 'object')).toEqual([{ a: 1 }, { b: 2 }, { d: 4 }]);
    expect(elements.some((element) => element.reason?.includes('brackets'))).toBe(true);
  });

  it('takes a top-level array, and several paths at once', () => {
    expect(frames('[{"a":1},{"a":2}]', [2], [[]]).values).toEqual([{ a: 1 }, { a: 2 }]);
    const both = frames('{"data":[{"spans":[1,2]},{"spans":[3]}],"x":[4]}', [3], [['data', '*', 'spans'], ['x']]);
    expect(both.elements.map(({ path, index, bytes }) => [path.at(-1), index, bytes?.toString()])).toEqual([
      ['spans', 0, '1'],
      ['spans', 1, '2'],
      ['spans', 2, '3'],
      ['x', 0, '4'],
    ]);
  });

  it('survives any bytes', () => {
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'log', '"log":', '"entries":[', ' ', '1', '\0', '\x01'),
    );
    fc.assert(
      fc.property(soup, sizes, (parts, chunkSizes) => {
        const { elements } = (() => {
          const framer = new JsonFramer([['log', 'entries']]);
          const bytes = Buffer.from(`{"log":{"entries":[${parts.join('')}`);
          const found: Element[] = [];
          for (let at = 0, i = 0; at < bytes.length; i += 1) {
            const size = chunkSizes[i % chunkSizes.length]!;
            found.push(...framer.push(bytes.subarray(at, at + size)));
            at += size;
          }
          return { elements: [...found, ...framer.end().elements] };
        })();
        for (const { bytes, reason } of elements) expect(bytes === null).toBe(reason !== null);
      }),
      { numRuns: 2000 },
    );
  });
});
