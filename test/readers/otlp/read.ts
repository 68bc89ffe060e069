import { openInputs } from '../../../src/readers/input/open.js';
import { traceReaders } from '../../../src/readers/otlp/index.js';
import type { FormatReader, ReaderInput, ReaderOptions } from '../../../src/readers/reader.js';
import { Collected, NO_OPTIONS } from '../../support/collect.js';

/** The surest of the trace readers for bytes that begin like this. */
export function traceReaderFor(head: Uint8Array): FormatReader | null {
  const [best] = traceReaders
    .map((reader) => ({ reader, confidence: reader.recognise(head, NO_OPTIONS) }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence);
  return best?.reader ?? null;
}

/** Reads everything behind a path; formats in the order of the files. */
export async function readPath(path: string, options: ReaderOptions = NO_OPTIONS) {
  const { sources } = await openInputs([path], { isCapture: (head) => traceReaderFor(head) !== null });
  const into = new Collected();
  const formats: string[] = [];
  let records = 0;
  for (const source of sources) {
    const input = await source.open();
    try {
      const reader = traceReaderFor(input.head);
      formats.push(reader?.format ?? 'unknown');
      if (reader === null) continue;
      into.summary = await reader.read(input, into, options);
      records += into.summary.records;
    } finally {
      await input.close();
    }
  }
  return { into, formats, records };
}

/** An input made of bytes, in chunks of `chunkBytes`. */
export function inputOf(bytes: Uint8Array | string, chunkBytes = 65_536): ReaderInput {
  const buffer = Buffer.from(bytes as Uint8Array);
  return {
    path: 'input',
    head: buffer.subarray(0, 256 * 1024),
    async *chunks() {
      for (let at = 0; at < buffer.length; at += chunkBytes) yield buffer.subarray(at, at + chunkBytes);
    },
    sibling: async () => null,
  };
}

/** Reads bytes with the reader that recognises them. */
export async function readBytes(bytes: Uint8Array | string, chunkBytes = 65_536): Promise<Collected> {
  const input = inputOf(bytes, chunkBytes);
  const reader = traceReaderFor(input.head);
  if (reader === null) throw new Error('no trace reader recognises the bytes');
  const into = new Collected();
  into.summary = await reader.read(input, into, NO_OPTIONS);
  return into;
}
