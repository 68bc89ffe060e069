import { PostmortemError } from '../../error.js';

/** What a compressed input may unpack to. Real logs shrink 5 to 100 times; 1,000 times is a bomb. */
export interface InflateLimits {
  readonly maxBytes: number;
  readonly maxRatio: number;
  /** The ratio is judged from here on: small inputs of white space are no danger. */
  readonly ratioFromBytes: number;
}

export const INFLATE_LIMITS: InflateLimits = {
  maxBytes: 256 * 2 ** 30,
  maxRatio: 400,
  ratioFromBytes: 256 * 2 ** 20,
};

/** Entries an archive may list. Playwright stores one per body. */
export const MAX_ARCHIVE_ENTRIES = 200_000;

/** What is held in memory at once: a body file, an archive inside an archive. */
export const MAX_MEMBER_IN_MEMORY = 256 * 2 ** 20;

/** JSON values nested deeper are refused: the value, the entry or the line, never the file. */
export const MAX_DEPTH = 512;

/** @throws PostmortemError `input-limit` when `unpacked` bytes out of `packed` ones break a limit. */
export function assertWithinLimits(path: string, packed: number, unpacked: number, limits: InflateLimits): void {
  if (unpacked > limits.maxBytes) {
    throw new PostmortemError(
      'input-limit',
      `${path}: unpacks to more than ${limits.maxBytes} bytes`,
      'Unpack it by hand, look at what it holds, and split it.',
    );
  }
  if (unpacked > limits.ratioFromBytes && unpacked > packed * limits.maxRatio) {
    throw new PostmortemError(
      'input-limit',
      `${path}: unpacks to more than ${limits.maxRatio} times its size (${unpacked} bytes so far), as a decompression bomb does`,
      'If the file is genuine, unpack it by hand and analyse the result.',
    );
  }
}
