/** Bytes that have arrived and are not used up yet. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #parts: Buffer[] = [];
  #size = 0;
  #offset = 0;
  #isOver = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Offset in the input of the next byte. */
  get offset(): number {
    return this.#offset;
  }

  /** Up to `length` bytes without using them up; fewer only at the end of the input. */
  async peek(length: number): Promise<Buffer> {
    while (this.#size < length && !this.#isOver) {
      const next = await this.#chunks.next();
      if (next.done === true) this.#isOver = true;
      else if (next.value.length > 0) {
        this.#parts.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
        this.#size += next.value.length;
      }
    }
    const [first] = this.#parts;
    if (first === undefined) return EMPTY;
    if (first.length < length && this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return (this.#parts[0] as Buffer).subarray(0, length);
  }

  /** As `peek`, and uses them up. */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.peek(length);
    this.#drop(bytes.length);
    return bytes;
  }

  /** Passes over `length` bytes without keeping them; returns how many there were. */
  async skip(length: number): Promise<number> {
    let left = length;
    while (left > 0) {
      const bytes = await this.peek(1);
      if (bytes.length === 0) break;
      const step = Math.min(left, (this.#parts[0] as Buffer).length);
      this.#drop(step);
      left -= step;
    }
    return length - left;
  }

  #drop(length: number): void {
    const first = this.#parts[0];
    if (first === undefined) return;
    if (length >= first.length) this.#parts.shift();
    else this.#parts[0] = first.subarray(length);
    this.#size -= length;
    this.#offset += length;
  }
}

const EMPTY = Buffer.alloc(0);
