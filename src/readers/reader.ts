import type { Capture, CompanionRecord, Evidence, Vantage } from './record.js';

/** Where a reader puts what it finds. All calls are synchronous; order is the order of the source. */
export interface RecordSink {
  /** One MCP exchange. */
  capture(capture: Capture): void;
  /** One error-log line that belongs to an exchange of another source. */
  companion(record: CompanionRecord): void;
  /** Something that could not be read: where, why and what to do. Counted, the first ones are shown. */
  reject(locator: string, reason: string): void;
  /** Well-formed but not ours: other traffic, foreign lines, metrics. */
  skip(count: number): void;
  /** The same record again (a span delivered twice, a line doubled). */
  duplicate(count: number): void;
  /** Bytes read so far, for progress. */
  progress(bytes: number): void;
}

export interface ReaderOptions {
  /** Overrides what the reader would assume. */
  readonly vantage: Vantage | null;
  /** `--log-format`: nginx `log_format` string, Apache `LogFormat`, HAProxy `log-format`. */
  readonly logFormat: string | null;
  /** `--map session=$.headers.sid,…` */
  readonly map: string | null;
  /** `--zone`: offset for times without one, `+02:00` or an IANA name. null: UTC, with a warning. */
  readonly zone: string | null;
  readonly keepBodies: boolean;
}

/** The opened input, decompressed. */
export interface ReaderInput {
  /** As given on the command line, or `archive.zip!member`. */
  readonly path: string;
  /** The first bytes, decompressed, BOM kept; at most 256 KiB, less only when the input is shorter. */
  readonly head: Uint8Array;
  /** The whole input from its start, decompressed. Can be called once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** A file beside the input or in the same archive (`_file` of Playwright); null when absent or outside. */
  sibling(name: string): Promise<Uint8Array | null>;
}

/** What a reader says of the source once it has read it. */
export interface ReadSummary {
  /** `har`, `access-log/nginx`, `otlp/json`, … */
  format: string;
  producer: string | null;
  vantage: Vantage | 'mixed';
  /** Records the source holds: entries, lines, spans, log records; read, skipped and rejected. */
  records: number;
  evidence: readonly Evidence[];
  warnings: readonly string[];
}

/** One input format. Registered in `registry.ts`; found by content, never by name. */
export interface FormatReader {
  readonly format: string;
  /** How sure the reader is that `head` is its format: 0 (no) to 1 (certain). Higher wins. */
  recognise(head: Uint8Array, options: ReaderOptions): number;
  read(input: ReaderInput, sink: RecordSink, options: ReaderOptions): Promise<ReadSummary>;
}
