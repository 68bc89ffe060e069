const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where a scan over JSON text stands between two chunks. */
export interface ScanState {
  /** Containers that are open. */
  depth: number;
  /** The most that were open at once. */
  deepest: number;
  inString: boolean;
  /** The next byte is escaped. */
  isEscaped: boolean;
}

/** The start of a scan, before the first bracket. */
export function scanState(): ScanState {
  return { depth: 0, deepest: 0, inString: false, isEscaped: false };
}

/** So many bytes of a string are looked at one by one before the native search takes over. */
const NEAR_BYTES = 32;

/**
 * Goes to the end of a string.
 * @param from index after the opening quote, or the start of a chunk inside a string
 * @returns index after the closing quote; -1: the string goes on in the next chunk, `state` says how
 */
export function skipString(state: ScanState, bytes: Buffer, from: number): number {
  const length = bytes.length;
  let i = state.isEscaped ? from + 1 : from;
  state.isEscaped = false;
  state.inString = true;
  for (;;) {
    const near = Math.min(length, i + NEAR_BYTES);
    while (i < near) {
      const byte = bytes[i];
      if (byte === QUOTE) {
        state.inString = false;
        return i + 1;
      }
      i += byte === BACKSLASH ? 2 : 1;
    }
    if (i >= length) {
      state.isEscaped = i > length;
      return -1;
    }
    const quote = bytes.indexOf(QUOTE, i);
    const end = quote < 0 ? length : quote;
    let run = end - 1;
    while (run >= i && bytes[run] === BACKSLASH) run -= 1;
    const isEscaped = ((end - 1 - run) & 1) === 1;
    if (quote < 0) {
      state.isEscaped = isEscaped;
      return -1;
    }
    i = quote + 1;
    if (!isEscaped) {
      state.inString = false;
      return i;
    }
  }
}

/**
 * Goes to the end of the containers that are open, jumping over strings. Brackets are counted, not matched: what is
 * found is still to be parsed.
 * @returns index after the bracket that closes the last one; -1: it goes on in the next chunk
 */
export function skipContainer(state: ScanState, bytes: Buffer, from: number): number {
  const length = bytes.length;
  let i = from;
  if (state.inString) {
    i = skipString(state, bytes, i);
    if (i < 0) return -1;
  }
  let depth = state.depth;
  while (i < length) {
    const byte = bytes[i] as number;
    i += 1;
    if (byte === QUOTE) {
      i = skipString(state, bytes, i);
      if (i < 0) {
        state.depth = depth;
        return -1;
      }
      continue;
    }
    // Bit 0x20 is all that sets `[` and `{`, `]` and `}` apart.
    const bracket = byte | 0x20;
    if (bracket === 0x7b) {
      depth += 1;
      if (depth > state.deepest) state.deepest = depth;
    } else if (bracket === 0x7d) {
      depth -= 1;
      if (depth === 0) {
        state.depth = 0;
        return i;
      }
    }
  }
  state.depth = depth;
  return -1;
}
