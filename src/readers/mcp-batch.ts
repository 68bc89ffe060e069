import type { CapturedHttp } from './captured-http.js';
import { dissect } from './dissect.js';
import { EvidenceTally } from './evidence-tally.js';
import { McpFilter } from './is-mcp.js';
import type { ReaderOptions, RecordSink } from './reader.js';

/** Hands captured exchanges on, those that are MCP; what one shows of its endpoint holds for all of its batch. */
export class McpBatches {
  readonly evidence = new EvidenceTally();
  readonly #filter = new McpFilter();
  readonly #sink: RecordSink;
  readonly #options: ReaderOptions;

  constructor(sink: RecordSink, options: ReaderOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /** @param isTwin whether an exchange is a second view of another one of the batch */
  take(batch: readonly CapturedHttp[], isTwin: (http: CapturedHttp) => boolean = () => false): void {
    for (const http of batch) this.#filter.learn(http);
    for (const http of batch) {
      if (!this.#filter.accepts(http)) this.#sink.skip(1);
      else if (isTwin(http)) this.#sink.duplicate(1);
      else this.#hand(http);
    }
  }

  #hand(http: CapturedHttp): void {
    const capture = dissect(http, this.#options);
    this.evidence.add(capture);
    this.#sink.capture(capture);
  }
}
