import { PostmortemError } from '../error.js';
import type { Source } from '../readers/input/open.js';
import type { Beginning } from './measure.js';

const LF = 10;
const PADDING_BYTES = 65_536;

/**
 * What stands behind `done` in a source of lines, up to byte `untilBytes`. Empty lines take the place of those that are
 * done with, so that every line keeps its number; the head stays that of the file, for readers learn from it.
 */
export function partOf(source: Source, done: Pick<Beginning, 'bytes' | 'lines'>, untilBytes: number): Source {
  return {
    ...source,
    open: async () => {
      const input = await source.open();
      return { ...input, chunks: () => part(source.path, input.chunks(), done, untilBytes) };
    },
  };
}

async function* part(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  done: Pick<Beginning, 'bytes' | 'lines'>,
  untilBytes: number,
): AsyncGenerator<Uint8Array> {
  for (let missing = done.lines; missing > 0; missing -= PADDING_BYTES) {
    yield Buffer.alloc(Math.min(missing, PADDING_BYTES), LF);
  }
  let at = 0;
  for await (const chunk of chunks) {
    const from = Math.max(0, done.bytes - at);
    const until = Math.min(chunk.length, untilBytes - at);
    at += chunk.length;
    if (until > from) yield chunk.subarray(from, until);
    if (at >= untilBytes) return;
  }
  if (at < untilBytes) {
    throw new PostmortemError('input-unreadable', `${path}: was cut while it was read`, 'The next run reads it again.');
  }
}
