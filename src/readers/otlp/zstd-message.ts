import { Decompress } from 'fzstd';

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd] as const;
/** Small steps bound what one of them can unpack to. */
const STEP_BYTES = 1 << 14;

export type Unpacked =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string; readonly bytes: Buffer };

/** Whether bytes begin a zstd frame (RFC 8878). */
export function isZstd(bytes: Uint8Array, at = 0): boolean {
  return MAGIC.every((byte, index) => bytes[at + index] === byte);
}

/** Unpacks one zstd-compressed message of at most `maxBytes`. A broken one gives what came before the break. */
export function unzstd(packed: Buffer, maxBytes: number): Unpacked {
  const parts: Uint8Array[] = [];
  let size = 0;
  const engine = new Decompress((part) => {
    size += part.length;
    if (size <= maxBytes) parts.push(part);
  });
  const so = (): Buffer => Buffer.concat(parts);
  try {
    for (let at = 0; at < packed.length; at += STEP_BYTES) {
      const end = Math.min(packed.length, at + STEP_BYTES);
      engine.push(packed.subarray(at, end), end === packed.length);
      if (size > maxBytes)
        return { ok: false, reason: `unpacks to more than ${maxBytes} bytes`, bytes: Buffer.alloc(0) };
    }
  } catch {
    return { ok: false, reason: 'the compressed message is broken or cut', bytes: so() };
  }
  return { ok: true, bytes: so() };
}
