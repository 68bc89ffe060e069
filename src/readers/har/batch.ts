import type { CapturedHttp } from '../captured-http.js';
import type { Element } from '../input/json-frames.js';
import { parseElement } from '../input/parse-element.js';
import { McpBatches } from '../mcp-batch.js';
import type { ReaderInput, ReaderOptions, RecordSink } from '../reader.js';
import type { Evidence } from '../record.js';
import { zoneOffset } from '../zone.js';
import { type CaptureContext, captureEntry } from './capture.js';
import { type HarEntry, harEntry } from './entry.js';
import type { HarProducer } from './producer.js';
import { ServiceWorkerTwins } from './twins.js';
import { HarWarnings } from './warnings.js';

/** Turns entries into captures, batch by batch. */
export class EntryBatches {
  readonly warnings: HarWarnings;
  records = 0;
  readonly #sink: RecordSink;
  readonly #context: CaptureContext;
  readonly #batches: McpBatches;

  constructor(input: ReaderInput, sink: RecordSink, options: ReaderOptions, producer: HarProducer) {
    this.#sink = sink;
    this.#batches = new McpBatches(sink, options);
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
    const taken = new Map<CapturedHttp, HarEntry>();
    this.records += elements.length;
    for (const element of elements) {
      const entry = this.#read(element);
      if (entry === null) continue;
      const captured = await captureEntry(entry, this.#context);
      this.warnings.note(captured);
      twins.learn(entry, captured.http);
      taken.set(captured.http, entry);
    }
    this.#batches.take([...taken.keys()], (http) => twins.isTwin(taken.get(http)!, http));
  }

  /** What the captures handed on so far carry. */
  evidence(): Evidence[] {
    return this.#batches.evidence.evidence();
  }

  #read(element: Element): HarEntry | null {
    const locator = `entry ${element.index}`;
    const parsed = parseElement(element);
    const entry = parsed.reason === null ? harEntry(parsed.value, locator) : parsed.reason;
    if (typeof entry !== 'string') return entry;
    this.#sink.reject(locator, `${entry} (byte ${element.start})`);
    return null;
  }
}
