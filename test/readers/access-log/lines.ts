import { accessLogReaders } from '../../../src/readers/access-log/index.js';
import type { ReaderOptions } from '../../../src/readers/reader.js';
import type { ExchangeRecord } from '../../../src/readers/record.js';
import { Collected, NO_OPTIONS } from '../../support/collect.js';

export interface Log {
  readonly format: string;
  readonly exchanges: readonly ExchangeRecord[];
  readonly collected: Collected;
}

/** Reads text as if it were a file. Unknown formats give `unknown` and nothing else. */
export async function readLog(text: string | Buffer, options: Partial<ReaderOptions> = {}): Promise<Log> {
  const bytes = Buffer.from(text);
  const head = bytes.subarray(0, 256 * 1024);
  const all = { ...NO_OPTIONS, ...options };
  const collected = new Collected();
  const sure = accessLogReaders.map((reader) => reader.recognise(head, all));
  const reader = accessLogReaders[sure.indexOf(Math.max(...sure))];
  if (reader === undefined || Math.max(...sure) === 0) return { format: 'unknown', exchanges: [], collected };
  const input = {
    path: 'some.log',
    head,
    async *chunks() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    },
    sibling: async () => null,
  };
  collected.summary = await reader.read(input, collected, all);
  return {
    format: collected.summary.format,
    exchanges: collected.captures.map((capture) => capture.exchange),
    collected,
  };
}

/** The only exchange of a text. */
export async function readOne(text: string, options: Partial<ReaderOptions> = {}): Promise<ExchangeRecord> {
  const { exchanges, collected, format } = await readLog(text, options);
  const [exchange] = exchanges;
  if (exchange === undefined || exchanges.length > 1) {
    throw new Error(`${exchanges.length} exchanges (${format}): ${JSON.stringify(collected.rejects)}`);
  }
  return exchange;
}

export function ms(ns: bigint | null): number | null {
  return ns === null ? null : Number(ns / 1_000_000n);
}
