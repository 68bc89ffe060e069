import { PostmortemError } from '../error.js';
import { escapeTerminal } from '../report/escape.js';

/** How often a progress line is drawn. */
const PROGRESS_EVERY_MS = 100;

/** What is said beside the report: on standard error, with everything that comes from inputs made inert. */
export class Console {
  readonly #quiet: boolean;
  readonly #showsProgress: boolean;
  #drawnAt = 0;
  #drawn = false;

  readonly #write: (line: string) => void;

  /** @param write takes whole lines; standard error when not given */
  constructor(quiet: boolean, write: (line: string) => void = (line) => void process.stderr.write(line)) {
    this.#write = write;
    this.#quiet = quiet;
    this.#showsProgress = !quiet && process.stderr.isTTY === true;
  }

  /** One line that goes away again; only on a terminal. */
  progress(text: string): void {
    if (!this.#showsProgress) return;
    const now = performance.now();
    if (now - this.#drawnAt < PROGRESS_EVERY_MS) return;
    this.#drawnAt = now;
    this.#drawn = true;
    const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
    process.stderr.write(`\r\u001b[K${escapeTerminal(text).slice(0, width)}`);
  }

  clearProgress(): void {
    if (this.#drawn) process.stderr.write('\r\u001b[K');
    this.#drawn = false;
  }

  note(text: string): void {
    if (!this.#quiet) this.#line(text);
  }

  warning(text: string): void {
    if (!this.#quiet) this.#line(`warning: ${text}`);
  }

  /** A known error is one line and its hint; of an unknown one the place in the program is shown, never its data. */
  error(error: unknown): void {
    if (error instanceof PostmortemError) {
      this.#line(`error: ${error.message}`);
      if (error.hint !== '') this.#line(`  ${error.hint}`);
      if (error.cause instanceof Error && error.code === 'detector-failed') this.#line(`  ${error.cause.message}`);
      return;
    }
    const name = error instanceof Error ? error.name : 'Error';
    const message = error instanceof Error ? error.message : String(error);
    this.#line(`error: unexpected ${name}: ${message.slice(0, 200)}`);
    const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
    for (const frame of frames) this.#line(frame);
  }

  #line(text: string): void {
    this.clearProgress();
    this.#write(`${escapeTerminal(text)}\n`);
  }
}
