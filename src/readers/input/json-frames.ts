import { type ScanState, scanState, skipContainer, skipString } from './json-scan.js';
import { MAX_DEPTH } from './limits.js';

/** Where the arrays lie whose elements are wanted: `['log', 'entries']`; `[]` is a top-level array; `'*'` any index. */
export type ArrayPath = readonly string[];

/** One element of a wanted array. */
export interface Element {
  /** Place among all elements of this path, from 0. */
  readonly index: number;
  /** Which of the paths. */
  readonly path: ArrayPath;
  /** Byte range in the (decompressed) input, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The text; null: refused, see `reason`. */
  readonly bytes: Buffer | null;
  /** Why there is no text: too deep, too long, cut off, or no JSON. */
  readonly reason: string | null;
}

export interface FramesEnd {
  /** Byte offset at which the input stopped although brackets were open; null: it is whole. */
  readonly cutAt: number | null;
  /** An array at one of the paths was seen. */
  readonly found: boolean;
}

/** Longer elements are refused: as bytes, text, parsed value and body at once they would take five times this. */
export const MAX_ELEMENT_BYTES = 128 * 2 ** 20;
/** How much of the document around the elements is kept. */
const MAX_REST_BYTES = 1 << 20;
const MAX_KEY_BYTES = 128;

const Place = { document: 0, array: 1, element: 2, scalar: 3, skipped: 4, text: 5, lost: 6 } as const;
type Place = (typeof Place)[keyof typeof Place];

interface Level {
  readonly isArray: boolean;
  key: string;
}

/**
 * Cuts the elements of wanted arrays out of a JSON document that may be larger than memory, and keeps the small rest
 * (`rest`). Works in one pass with bounded memory; a document that breaks off gives every element before the break.
 * Several documents one after the other are read as one sequence.
 */
export class JsonFramer {
  readonly #paths: readonly ArrayPath[];
  readonly #counts: number[];
  #place: Place = Place.document;
  #levels: Level[] = [];
  #scan: ScanState = scanState();
  #target = -1;
  /** Offset of the current chunk in the input, and of the element under way. */
  #offset = 0;
  #start = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #string: Buffer[] | null = null;
  #lastString = '';
  #rest: Buffer[] = [];
  #restBytes = 0;
  #lastByte = 0;
  #found = false;

  constructor(paths: readonly ArrayPath[]) {
    this.#paths = paths;
    this.#counts = paths.map(() => 0);
  }

  /**
   * The document without the elements, as far as it was read, all brackets closed: `{"log":{"creator":{…},"entries":[]}}`.
   * Not JSON when the input is none, or when the input stands within a value.
   */
  documentSoFar(): string {
    const closing = this.#levels.map((level) => (level.isArray ? ']' : '}')).reverse();
    return Buffer.concat(this.#rest).toString('utf8') + closing.join('');
  }

  /** Takes the next bytes (a byte order mark in front is no harm); returns the elements that they complete. */
  push(chunk: Uint8Array): Element[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const out: Element[] = [];
    let i = 0;
    while (i >= 0 && i < bytes.length) {
      const before = i;
      switch (this.#place) {
        case Place.document:
          i = this.#readDocument(bytes, i);
          this.#keep(bytes, before, i);
          break;
        case Place.text:
          i = this.#readText(bytes, i);
          this.#keep(bytes, before, i);
          break;
        case Place.skipped:
          i = skipContainer(this.#scan, bytes, i);
          this.#keep(bytes, before, i);
          if (i >= 0) this.#place = Place.document;
          break;
        case Place.array:
          i = this.#readArray(bytes, i);
          break;
        case Place.lost:
          i = this.#findElement(bytes, i, out);
          break;
        default:
          i = this.#readElement(bytes, i, out);
      }
    }
    this.#offset += bytes.length;
    return out;
  }

  /** Ends the input: the element that was cut off, if any, and whether the document was whole. */
  end(): { elements: Element[]; end: FramesEnd } {
    const elements: Element[] = [];
    const place = this.#place;
    const isCut = place !== Place.document || this.#levels.length > 0;
    if (place === Place.element || place === Place.scalar || place === Place.lost) {
      this.#finish(elements, this.#offset, `the input ends inside it, at byte ${this.#offset}`);
    }
    return { elements, end: { cutAt: isCut ? this.#offset : null, found: this.#found } };
  }

  /** Up to the next container, string or end of chunk. */
  #readDocument(bytes: Buffer, from: number): number {
    for (let i = from; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      const level = this.#levels.at(-1);
      if (byte === 0x22) {
        this.#string = [];
        this.#place = Place.text;
        this.#scan = scanState();
        return i + 1;
      }
      if (byte === 0x3a && level !== undefined) level.key = this.#lastString;
      else if (byte === 0x2c) this.#lastString = '';
      else if (byte === 0x7d || byte === 0x5d) this.#levels.pop();
      else if (byte === 0x7b || byte === 0x5b) {
        this.#open(byte === 0x5b);
        return i + 1;
      }
    }
    return -1;
  }

  #open(isArray: boolean): void {
    const path = this.#levels.map((level) => (level.isArray ? '*' : level.key));
    const matches = (wanted: ArrayPath) => path.every((key, i) => wanted[i] === key);
    this.#target = isArray ? this.#paths.findIndex((p) => p.length === path.length && matches(p)) : -1;
    if (this.#target >= 0) {
      this.#found = true;
      this.#levels.push({ isArray, key: '*' });
      this.#place = Place.array;
    } else if (this.#paths.some((p) => p.length > path.length && matches(p))) {
      this.#levels.push({ isArray, key: '' });
    } else {
      this.#scan = { ...scanState(), depth: 1, deepest: 1 };
      this.#place = Place.skipped;
    }
    this.#lastString = '';
  }

  #readText(bytes: Buffer, from: number): number {
    const end = skipString(this.#scan, bytes, from);
    const part = bytes.subarray(from, end < 0 ? bytes.length : end - 1);
    if (this.#string !== null) {
      this.#string.push(Buffer.from(part.subarray(0, MAX_KEY_BYTES)));
      if (this.#string.length * MAX_KEY_BYTES > 64 * MAX_KEY_BYTES) this.#string = null;
    }
    if (end < 0) return -1;
    this.#lastString = this.#string === null ? '' : keyOf(Buffer.concat(this.#string));
    this.#string = null;
    this.#place = Place.document;
    return end;
  }

  /** Between two elements. */
  #readArray(bytes: Buffer, from: number): number {
    for (let i = from; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (byte === 0x2c || byte <= 0x20) continue;
      if (byte === 0x5d) {
        // Left to the document, which keeps it and closes the level.
        this.#place = Place.document;
        return i;
      }
      this.#start = this.#offset + i;
      this.#scan = scanState();
      if (byte === 0x7b || byte === 0x5b) this.#place = Place.element;
      else this.#place = byte === 0x3a || byte === 0x7d ? Place.lost : Place.scalar;
      return i;
    }
    return -1;
  }

  #readElement(bytes: Buffer, from: number, out: Element[]): number {
    const end = this.#place === Place.element ? skipContainer(this.#scan, bytes, from) : this.#skipScalar(bytes, from);
    this.#collect(bytes, from, end < 0 ? bytes.length : end);
    if (end < 0) return -1;
    const isTooDeep = this.#scan.deepest + this.#levels.length > MAX_DEPTH;
    this.#finish(out, this.#offset + end, isTooDeep ? `nested deeper than ${MAX_DEPTH} levels` : null);
    this.#place = Place.array;
    return end;
  }

  #skipScalar(bytes: Buffer, from: number): number {
    let i = from;
    if (this.#scan.inString || bytes[i] === 0x22) {
      return skipString(this.#scan, bytes, this.#scan.inString ? i : i + 1);
    }
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      if (byte === 0x2c || byte === 0x5d || byte === 0x7d || byte === 0x3a || byte <= 0x20) return i;
      i += 1;
    }
    return -1;
  }

  /** Brackets do not match: goes on at the next `,{`, which is where an element most likely begins. */
  #findElement(bytes: Buffer, from: number, out: Element[]): number {
    for (let i = from; i < bytes.length; i += 1) {
      const byte = bytes[i] as number;
      if (byte === 0x7b && this.#lastByte === 0x2c) {
        this.#lastByte = 0;
        this.#finish(out, this.#offset + i, 'the brackets around it do not match');
        this.#place = Place.array;
        return i;
      }
      if (byte > 0x20) this.#lastByte = byte;
    }
    return -1;
  }

  #collect(bytes: Buffer, from: number, to: number): void {
    this.#partBytes += to - from;
    if (this.#partBytes > MAX_ELEMENT_BYTES || this.#scan.deepest + this.#levels.length > MAX_DEPTH) this.#parts = [];
    else this.#parts.push(bytes.subarray(from, to));
  }

  #finish(out: Element[], end: number, refusal: string | null): void {
    const isTooLong = this.#partBytes > MAX_ELEMENT_BYTES;
    const reason = refusal ?? (isTooLong ? `longer than ${MAX_ELEMENT_BYTES} bytes` : null);
    const parts = this.#parts;
    const bytes = reason !== null ? null : parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const index = this.#counts[this.#target] ?? 0;
    this.#counts[this.#target] = index + 1;
    out.push({ index, path: this.#paths[this.#target] ?? [], start: this.#start, end, bytes, reason });
    this.#parts = [];
    this.#partBytes = 0;
  }

  #keep(bytes: Buffer, from: number, to: number): void {
    const end = to < 0 ? bytes.length : to;
    if (this.#restBytes + end - from > MAX_REST_BYTES) return;
    this.#restBytes += end - from;
    this.#rest.push(Buffer.from(bytes.subarray(from, end)));
  }
}

function keyOf(text: Buffer): string {
  const key = text.toString('utf8');
  if (!key.includes('\\')) return key;
  try {
    return String(JSON.parse(`"${key}"`));
  } catch {
    return key;
  }
}
