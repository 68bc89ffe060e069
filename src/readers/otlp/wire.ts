/** What is wrong with a protobuf message, and at which byte of the buffer. */
export class WireError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Wire types of the protobuf encoding. Groups (3 and 4) do not occur in OTLP and are refused. */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

const TWO_32 = 2 ** 32;

/**
 * A cursor over one protobuf message, `pos` to `end` of a buffer. Reads never pass `end`.
 * Every method throws WireError on malformed bytes.
 */
export class WireReader {
  readonly bytes: Buffer;
  pos: number;
  readonly end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.pos = start;
    this.end = end;
  }

  /** Field number times eight plus wire type. */
  tag(): number {
    const at = this.pos;
    const tag = this.varint();
    if (tag < 8 || tag >= TWO_32) throw new WireError('invalid tag', at);
    return tag;
  }

  /** A varint that is a length, a tag or an enum; beyond 2^53 it is no longer exact. */
  varint(): number {
    const { bytes } = this;
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count += 1) {
      if (this.pos >= this.end) throw new WireError('a varint is cut', this.pos);
      const byte = bytes[this.pos++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new WireError('a varint is longer than 10 bytes', this.pos - 10);
  }

  /** A signed 64-bit varint, exact. */
  int64(): number | bigint {
    const { bytes } = this;
    const start = this.pos;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.pos >= this.end) throw new WireError('a varint is cut', this.pos);
      const byte = bytes[this.pos++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        const signed = BigInt.asIntN(64, value);
        const number = Number(signed);
        return Number.isSafeInteger(number) ? number : signed;
      }
    }
    throw new WireError('a varint is longer than 10 bytes', start);
  }

  fixed64(): bigint {
    this.need(8);
    const value = this.bytes.readBigUInt64LE(this.pos);
    this.pos += 8;
    return value;
  }

  double(): number {
    this.need(8);
    const value = this.bytes.readDoubleLE(this.pos);
    this.pos += 8;
    return value;
  }

  /** Enters a length-delimited field: returns its end and leaves `pos` at its start. */
  delimited(): number {
    const at = this.pos;
    const length = this.varint();
    const end = this.pos + length;
    if (end > this.end) throw new WireError(`a field of ${length} bytes runs past the end of its message`, at);
    return end;
  }

  text(): string {
    const end = this.delimited();
    const text = this.bytes.toString('utf8', this.pos, end);
    this.pos = end;
    return text;
  }

  /** Passes over a field that nothing here reads. */
  skip(tag: number): void {
    switch (tag & 7) {
      case VARINT:
        this.varint();
        return;
      case FIXED64:
        this.need(8);
        this.pos += 8;
        return;
      case BYTES:
        this.pos = this.delimited();
        return;
      case FIXED32:
        this.need(4);
        this.pos += 4;
        return;
      default:
        throw new WireError(`wire type ${tag & 7} does not occur in OTLP`, this.pos);
    }
  }

  private need(length: number): void {
    if (this.pos + length > this.end) throw new WireError('a number is cut', this.pos);
  }
}

/** Tag of a field. */
export function tagOf(field: number, wireType: number): number {
  return field * 8 + wireType;
}
