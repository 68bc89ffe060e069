import type { CapturedHttp } from '../captured-http.js';
import { dissect } from '../dissect.js';
import { EvidenceTally } from '../evidence-tally.js';
import type { Element } from '../input/json-frames.js';
import { McpFilter } from '../is-mcp.js';
import type { ReaderInput, ReaderOptions, RecordSink } from '../reader.js';
import { zoneOffset } from '../zone.js';
import { type CaptureContext, captureEntry } from './capture.js';
import { type HarEntry, harEntry } from './entry.js';
import { parseElement } from './parse-element.js';
import type { HarProducer } from './producer.js';
import { ServiceWorkerTwins } from './twins.js';
import { HarWarnings } from './warnings.js';

interface Taken {
  readonly entry: HarEntry;
  readonly http: CapturedHttp;
}

/** Turns entries into captures, batch by batch. */
export class EntryBatches {
  readonly evidence = new EvidenceTally();
  readonly warnings: HarWarnings;
  records = 0;
  readonly #sink: RecordSink;
  readonly #options: ReaderOptions;
  readonly #context: CaptureContext;
  readonly #filter = new McpFilter();

  constructor(input: ReaderInput, sink: RecordSink, options: ReaderOptions, producer: HarProducer) {
    this.#sink = sink;
    this.#options = options;
    this.warnings = new HarWarnings(producer, options.zone !== null);
    this.#context = {
      producer,
      vantage: options.vantage ?? producer.vantage,
      zone: options.zone === null ? () => 0 : zoneOffset(options.zone),
      attachment: async (name) => {
        const bytes = await input.sibling(name);
        if (bytes === null) this.warnings.missingBody();
        return bytes;
      },
    };
  }

  /**
   * Takes the next entries. What one of them says holds for all of the batch: which endpoint speaks MCP, which fetch
   * went over the wire.
   */
  async take(elements: readonly Element[]): Promise<void> {
    const twins = new ServiceWorkerTwins();
    const taken: Taken[] = [];
    this.records += elements.length;
    for (const element of elements) {
      const entry = this.#read(element);
      if (entry === null) continue;
      const captured = await captureEntry(entry, this.#context);
      this.warnings.note(captured);
      this.#filter.learn(captured.http);
      twins.learn(entry, captured.http);
      taken.push({ entry, http: captured.http });
    }
    for (const { entry, http } of taken) {
      if (!this.#filter.accepts(http)) this.#sink.skip(1);
      else if (twins.isTwin(entry, http)) this.#sink.duplicate(1);
      else this.#hand(http);
    }
  }

  #read(element: Element): HarEntry | null {
    const locator = `entry ${element.index}`;
    const parsed = parseElement(element);
    const entry = parsed.reason === null ? harEntry(parsed.value, locator) : parsed.reason;
    if (typeof entry !== 'string') return entry;
    this.#sink.reject(locator, `${entry} (byte ${element.start})`);
    return null;
  }

  #hand(http: CapturedHttp): void {
    const capture = dissect(http, this.#options);
    this.evidence.add(capture);
    this.#sink.capture(capture);
  }
}
