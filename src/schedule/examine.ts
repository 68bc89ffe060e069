import { createHash } from 'node:crypto';
import { PostmortemError } from '../error.js';
import type { Source } from '../readers/input/open.js';
import { readerFor } from '../readers/registry.js';
import type { JobInput } from './config.js';
import { type Content, HEAD, type Ledger, START } from './ledger.js';
import { isByLine } from './line-format.js';
import { type Beginning, measure } from './measure.js';

/** What a source holds now, and what of it is known. */
export interface Examined {
  readonly source: Source;
  /** What can be read of it: all, or up to the last whole line. */
  readonly readable: Beginning;
  /** A last line that is not whole was left out. */
  readonly isPartial: boolean;
  /** Whether what will be appended can be read by itself. */
  readonly byLine: boolean;
  readonly headSha256: string;
  readonly startSha256: string;
  /** SHA-256 of the bytes on disk. */
  readonly diskSha256: string;
  /** Known contents that are the beginning of this one, or all of it; the longest first. */
  readonly known: readonly Content[];
  /** Known logs that begin alike and are longer: this one may be the beginning of one of them. */
  readonly longer: readonly Content[];
}

/** Why a source is left for a later run. */
export interface Unfinished {
  readonly unfinished: string;
}

/** Times that decide whether a file is still being written. */
export interface Quiet {
  /** Since when nobody has written to the file. */
  readonly quietMs: number;
  readonly settleMs: number;
  readonly patienceMs: number;
}

/**
 * Looks at a source without reading its records.
 * @throws PostmortemError `input-unknown-format` when it is no capture, `input-unreadable`, `input-limit`
 */
export async function examine(
  source: Source,
  input: JobInput,
  ledger: Ledger,
  { quietMs, settleMs, patienceMs }: Quiet,
): Promise<Examined | Unfinished> {
  const head = await headOf(source);
  const format = input.format ?? readerFor(head, input.options)?.format ?? null;
  const isGrowing = quietMs < patienceMs;
  if (format === null) {
    if (quietMs < settleMs) return { unfinished: 'was written to just now' };
    throw new PostmortemError('input-unknown-format', `${source.path}: is no capture`, '');
  }
  const lines = isByLine(head, format);
  if (!lines && quietMs < settleMs) return { unfinished: 'was written to just now' };
  const alike = ledger.alike(head.subarray(0, START), digest);
  const { all, wholeLines, prefixes, lastByte, damage } = await measure(
    source,
    alike.map(({ done }) => done.bytes),
  );
  if (damage !== null && isGrowing) return { unfinished: damage };
  // Without a single line end it is a document, whatever it may become.
  const byLine = lines && wholeLines.bytes > 0;
  if (!byLine && isGrowing && isOpenJson(head, lastByte)) return { unfinished: 'the JSON is not finished' };
  const isCut = byLine && wholeLines.bytes < all.bytes;
  const readable = isCut && isGrowing ? wholeLines : all;
  return {
    source,
    readable,
    isPartial: isCut && isGrowing,
    byLine: byLine && !(isCut && !isGrowing),
    headSha256: digest(head.subarray(0, Math.min(HEAD, readable.bytes))),
    startSha256: digest(head.subarray(0, Math.min(START, readable.bytes))),
    diskSha256: all.bytes === source.bytes ? readable.sha256 : await source.sha256(),
    known: alike
      .filter(({ done }) => done.bytes <= readable.bytes && prefixes.get(done.bytes) === done.sha256)
      .sort((a, b) => b.done.bytes - a.done.bytes),
    longer: byLine ? alike.filter((content) => content.byLine && content.done.bytes > readable.bytes) : [],
  };
}

async function headOf(source: Source): Promise<Uint8Array> {
  const input = await source.open();
  await input.close();
  return input.head;
}

/** A JSON document whose last visible byte closes nothing. */
function isOpenJson(head: Uint8Array, lastByte: number): boolean {
  const first = head.find((byte) => byte > 32 && byte < 0x80);
  return (first === 0x7b || first === 0x5b) && lastByte !== 0x7d && lastByte !== 0x5d;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
