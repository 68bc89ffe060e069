import { Unwrapper } from '../access-log/unwrap.js';
import { forEachLine, lineBlocks } from '../input/lines.js';
import { HEAD_BYTES } from '../input/sniff.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { type ZoneOffset, zoneOffset } from '../zone.js';
import { type ErrorLine, errorLine } from './error-line.js';

const FORMATS = ['error-log/nginx', 'error-log/apache', 'error-log/caddy'] as const;
const CONFIDENCE = 0.75;
const LOOKED_AT = 200;
const MAX_LINE = 65_536;

/** Reads the lines of an error log; the carriers of `access-log` are taken off here too. */
class ErrorLines {
  readonly #unwrapper = new Unwrapper();
  readonly #zone: ZoneOffset;

  constructor(zone: string | null) {
    this.#zone = zone === null ? () => 0 : zoneOffset(zone);
  }

  /** null: not of an error log. `blank`: nothing stands there, or a part of a line that goes on. */
  read(bytes: Buffer, from: number, to: number, line: number): ErrorLine | 'blank' | null {
    if (from === to || !this.#unwrapper.unwrap(bytes, from, to)) return 'blank';
    const inner = this.#unwrapper.line;
    if (inner.from === inner.to) return 'blank';
    if (inner.to - inner.from > MAX_LINE) return null;
    return errorLine(inner.bytes.toString('utf8', inner.from, inner.to), `line ${line}`, this.#zone);
  }
}

/** Share of the first lines that are of this error log. */
function share(head: Uint8Array, format: string): number {
  const lines = new ErrorLines(null);
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const end = head.length < HEAD_BYTES ? head.length : bytes.lastIndexOf(10) + 1;
  let seen = 0;
  let mine = 0;
  forEachLine({ bytes: bytes.subarray(0, end), offset: 0, firstLine: 1, cut: false }, (from, to, line) => {
    if (seen >= LOOKED_AT) return;
    const found = lines.read(bytes, from, to, line);
    if (found === 'blank') return;
    seen += 1;
    if (found?.format === format) mine += 1;
  });
  return seen === 0 ? 0 : mine / seen;
}

async function readErrorLog(
  input: ReaderInput,
  sink: RecordSink,
  options: ReaderOptions,
  format: string,
): Promise<ReadSummary> {
  const lines = new ErrorLines(options.zone);
  let records = 0;
  const reject = (line: number, reason: string) => {
    records += 1;
    sink.reject(`line ${line}`, reason);
  };
  const blocks = lineBlocks(input.chunks(), ({ line, bytes }) => reject(line, `a line of ${bytes} bytes: too long`));
  for await (const block of blocks) {
    forEachLine(block, (from, to, line) => {
      const found = lines.read(block.bytes, from, to, line);
      if (found === 'blank') return;
      if (found === null) {
        reject(line, 'not a line of a known error log');
        return;
      }
      records += 1;
      if (found.companion === null) sink.skip(1);
      else sink.companion(found.companion);
    });
    sink.progress(block.offset + block.bytes.length);
  }
  return {
    format,
    producer: null,
    vantage: options.vantage ?? 'proxy',
    records,
    evidence: ['end-state'],
    warnings:
      options.zone === null && format !== 'error-log/caddy'
        ? ['times carry no zone and were read as UTC; give --zone if the proxy wrote local time']
        : [],
  };
}

/** Readers for the error logs of proxies, which know how exchanges of the access log beside them ended. */
export const errorLogReaders: readonly FormatReader[] = FORMATS.map((format) => ({
  format,
  recognise: (head, _options) => CONFIDENCE * share(head, format),
  read: (input, sink, options) => readErrorLog(input, sink, options, format),
}));
