import { createHash, type Hash } from 'node:crypto';
import type { Source } from '../readers/input/open.js';

/** The beginning of a source: so many bytes, so many line ends in them, and their SHA-256 (hex). */
export interface Beginning {
  readonly bytes: number;
  readonly lines: number;
  readonly sha256: string;
}

/** A source's unpacked bytes, gone through once. */
export interface Measured {
  readonly all: Beginning;
  /** Up to the end of the last whole line. */
  readonly wholeLines: Beginning;
  /** SHA-256 of the first n bytes, for every n that was asked for and that there are. */
  readonly prefixes: ReadonlyMap<number, string>;
  /** Code of the last byte that is no white space; -1: there is none. */
  readonly lastByte: number;
  /** Why compressed data broke off; null: it did not. */
  readonly damage: string | null;
}

const LF = 10;

/**
 * Digests of a source and of its beginnings.
 * @param marks lengths of beginnings, in bytes
 * @throws PostmortemError `input-unreadable`, `input-limit`
 */
export async function measure(source: Source, marks: Iterable<number>): Promise<Measured> {
  const input = await source.open();
  try {
    const tape = new Tape(marks);
    for await (const raw of input.chunks()) tape.add(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    return { ...tape.end(), damage: input.damage()?.reason ?? null };
  } finally {
    await input.close();
  }
}

/** SHA-256 of the first `bytes` bytes; null: the source is shorter. @throws PostmortemError */
export async function prefixDigest(source: Source, bytes: number): Promise<string | null> {
  const input = await source.open();
  try {
    const hash = createHash('sha256');
    let missing = bytes;
    for await (const chunk of input.chunks()) {
      hash.update(chunk.subarray(0, missing));
      missing -= Math.min(missing, chunk.length);
      if (missing === 0) return hash.digest('hex');
    }
    return missing === 0 ? hash.digest('hex') : null;
  } finally {
    await input.close();
  }
}

class Tape {
  readonly #hash: Hash = createHash('sha256');
  readonly #marks: number[];
  readonly #prefixes = new Map<number, string>();
  #bytes = 0;
  #lines = 0;
  #atLineEnd = { bytes: 0, lines: 0, hash: createHash('sha256') };
  #lastByte = -1;

  constructor(marks: Iterable<number>) {
    this.#marks = [...new Set(marks)].sort((a, b) => b - a);
  }

  add(chunk: Buffer): void {
    const lineEnd = chunk.lastIndexOf(LF) + 1;
    let from = 0;
    for (const cut of this.#cuts(chunk.length, lineEnd)) {
      this.#hash.update(chunk.subarray(from, cut));
      from = cut;
      if (cut === lineEnd) {
        this.#lines += countLines(chunk);
        this.#atLineEnd = { bytes: this.#bytes + cut, lines: this.#lines, hash: this.#hash.copy() };
      }
      if (this.#marks.at(-1) === this.#bytes + cut) {
        this.#prefixes.set(this.#bytes + cut, this.#hash.copy().digest('hex'));
        this.#marks.pop();
      }
    }
    this.#hash.update(chunk.subarray(from));
    this.#bytes += chunk.length;
    this.#lastByte = lastVisible(chunk) ?? this.#lastByte;
  }

  end(): Omit<Measured, 'damage'> {
    const { bytes, lines, hash } = this.#atLineEnd;
    return {
      all: { bytes: this.#bytes, lines: this.#lines, sha256: this.#hash.digest('hex') },
      wholeLines: { bytes, lines, sha256: hash.digest('hex') },
      prefixes: this.#prefixes,
      lastByte: this.#lastByte,
    };
  }

  /** Places in the chunk where a digest is taken, in order. */
  #cuts(length: number, lineEnd: number): number[] {
    const cuts: number[] = lineEnd > 0 ? [lineEnd] : [];
    for (let index = this.#marks.length - 1; index >= 0; index -= 1) {
      const cut = this.#marks[index]! - this.#bytes;
      if (cut > length) break;
      if (cut !== lineEnd) cuts.push(cut);
    }
    return cuts.sort((a, b) => a - b);
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}

function lastVisible(bytes: Buffer): number | null {
  for (let at = bytes.length - 1; at >= 0; at -= 1) if (bytes[at]! > 32) return bytes[at]!;
  return null;
}
