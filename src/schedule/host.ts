import type { DetectorPage } from '../report/options.js';

/** What a run needs of the program around it. */
export interface JobHost {
  readonly version: string;
  /** Replaces a file as a whole or leaves the old one. @throws PostmortemError `output-failed` */
  write(path: string, text: string): Promise<void>;
  note(text: string): void;
  warning(text: string): void;
  error(error: unknown): void;
  progress(text: string): void;
  /** @throws PostmortemError `interrupted` once the run is to end */
  throwIfInterrupted(): void;
  /** Has `stop` called when the run is to end; the result takes that back. */
  onInterrupt(stop: () => void): () => void;
  /** Now, milliseconds since the epoch: for files that may still be written to, and for the time of the last success. */
  now(): number;
}

/** Documentation of detectors for the reports, by id. */
export type DetectorPages = ReadonlyMap<string, DetectorPage>;
