import { errorLogReaders } from '../error-log/index.js';
import type { FormatReader, ReaderOptions } from '../reader.js';
import { DIALECTS } from './dialects.js';
import { type Recognition, readLog, recogniseLog } from './read.js';

/** Other readers are sure at 1; a log is known by its lines alone. */
const SUREST = 0.8;
const LEAST = 0.2;

const recognised = new WeakMap<Uint8Array, { readonly options: ReaderOptions; readonly recognition: Recognition }>();

/** Reading the head once answers for all formats. */
function recognise(head: Uint8Array, options: ReaderOptions): Recognition {
  const known = recognised.get(head);
  if (known !== undefined && known.options === options) return known.recognition;
  const recognition = recogniseLog(head, options);
  recognised.set(head, { options, recognition });
  return recognition;
}

function logReader(format: string): FormatReader {
  return {
    format,
    recognise(head, options) {
      const { format: found, share } = recognise(head, options);
      return found === format ? LEAST + (SUREST - LEAST) * share : 0;
    },
    read: (input, sink, options) => readLog(input, sink, options, format),
  };
}

/** Readers for the logs of proxies: one for each name a format goes by, all of them able to read any line; error logs too. */
export const accessLogReaders: readonly FormatReader[] = [
  ...Object.values(DIALECTS).map(({ format }) => logReader(format)),
  ...errorLogReaders,
];
