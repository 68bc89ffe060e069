const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** Called for each line: its bytes in `buffer`, where it starts in the body, and where the next one does. */
export type LineHandler = (buffer: Buffer, start: number, end: number, offset: number, next: number) => void;

/**
 * Cuts bytes into lines at LF, CR and CRLF, and takes off one leading BOM (WHATWG HTML, section 9.2.5).
 * A CR at the end of a chunk waits for the next byte, so that a CRLF is one line end wherever it is cut.
 * Lines that span chunks are joined once: the cost stays linear however small the chunks are.
 */
export class LineSplitter {
  readonly #onLine: LineHandler;
  /** Pieces of the line that is not finished, BOM left out. */
  #pieces: Uint8Array[] = [];
  #lineStart = 0;
  #position = 0;
  #crPending = false;
  #bomSeen = 0;

  constructor(onLine: LineHandler) {
    this.#onLine = onLine;
  }

  /** Bytes taken in so far. */
  get position(): number {
    return this.#position;
  }

  push(chunk: Uint8Array): void {
    const buffer = asBuffer(chunk);
    const base = this.#position;
    let start = this.#skipBom(buffer);
    if (this.#crPending && buffer.length > 0) {
      start = buffer[0] === LF ? 1 : 0;
      this.#finish(buffer, 0, 0, base + start);
    }
    this.#position = base + buffer.length;
    this.#scan(buffer, start, base);
  }

  /** Ends the last line if a CR closed it; the bytes of an unfinished line are returned. */
  end(): Uint8Array {
    if (this.#crPending) this.#finish(asBuffer(new Uint8Array(0)), 0, 0, this.#position);
    if (this.#bomSeen > 0 && this.#bomSeen < BOM.length) return Uint8Array.from(BOM.slice(0, this.#bomSeen));
    return concatBytes(this.#pieces);
  }

  #scan(buffer: Buffer, from: number, base: number): void {
    let start = from;
    let cr = buffer.indexOf(CR, start);
    let lf = buffer.indexOf(LF, start);
    while (start < buffer.length) {
      if (cr !== -1 && cr < start) cr = buffer.indexOf(CR, start);
      if (lf !== -1 && lf < start) lf = buffer.indexOf(LF, start);
      const end = lf === -1 ? cr : cr === -1 || lf < cr ? lf : cr;
      if (end === -1) break;
      let next = end + 1;
      if (buffer[end] === CR) {
        if (next === buffer.length) {
          this.#keep(buffer, start, end);
          this.#crPending = true;
          return;
        }
        if (buffer[next] === LF) next += 1;
      }
      this.#finish(buffer, start, end, base + next);
      start = next;
    }
    this.#keep(buffer, start, buffer.length);
  }

  #finish(buffer: Buffer, start: number, end: number, next: number): void {
    const offset = this.#lineStart;
    this.#lineStart = next;
    this.#crPending = false;
    if (this.#pieces.length === 0) {
      this.#onLine(buffer, start, end, offset, next);
      return;
    }
    this.#keep(buffer, start, end);
    const line = concatBytes(this.#pieces);
    this.#pieces = [];
    this.#onLine(line, 0, line.length, offset, next);
  }

  #keep(buffer: Buffer, start: number, end: number): void {
    if (end > start) this.#pieces.push(buffer.subarray(start, end));
  }

  /** How many bytes at the start of this chunk belong to the BOM; one that turns out not to be whole is given back. */
  #skipBom(buffer: Buffer): number {
    let taken = 0;
    while (this.#bomSeen >= 0 && taken < buffer.length) {
      if (this.#bomSeen === BOM.length) break;
      if (buffer[taken] === BOM[this.#bomSeen]) {
        this.#bomSeen += 1;
        taken += 1;
        continue;
      }
      const before = this.#bomSeen - taken;
      if (before > 0) this.#pieces.push(Uint8Array.from(BOM.slice(0, before)));
      this.#bomSeen = -1;
      return 0;
    }
    if (this.#bomSeen === BOM.length) {
      this.#bomSeen = -1;
      this.#lineStart = BOM.length;
    }
    return taken;
  }
}

export function concatBytes(pieces: readonly Uint8Array[]): Buffer {
  return pieces.length === 1 ? asBuffer(pieces[0]!) : Buffer.concat(pieces);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
