/**
 * Unpacks one raw LZ4 block (LZ4 block format: sequences of literals and back references) into `length` bytes.
 * @throws RangeError when the block is malformed
 */
export function unlz4(packed: Uint8Array, length: number): Uint8Array {
  const out = new Uint8Array(length);
  let from = 0;
  let to = 0;
  const lengthAt = (nibble: number): number => {
    let count = nibble;
    if (nibble !== 15) return count;
    for (let byte = 255; byte === 255; ) {
      byte = packed[from++] ?? fail();
      count += byte;
    }
    return count;
  };
  while (from < packed.length) {
    const token = packed[from++] as number;
    const literals = lengthAt(token >> 4);
    if (from + literals > packed.length || to + literals > length) fail();
    out.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from >= packed.length) break;
    const distance = (packed[from] ?? fail()) | ((packed[from + 1] ?? fail()) << 8);
    from += 2;
    const count = lengthAt(token & 15) + 4;
    if (distance === 0 || distance > to || to + count > length) fail();
    for (let copied = 0; copied < count; copied += 1) {
      out[to] = out[to - distance] as number;
      to += 1;
    }
  }
  if (to !== length) fail();
  return out;
}

function fail(): never {
  throw new RangeError('malformed LZ4 block');
}
