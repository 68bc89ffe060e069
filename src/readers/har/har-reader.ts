import { type Element, JsonFramer } from '../input/json-frames.js';
import { peekText } from '../input/sniff.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import { EntryBatches } from './batch.js';
import { harProducer } from './producer.js';

/** HAR 1.1 and 1.2, whoever wrote it, whole or broken off. */
export const harReader: FormatReader = { format: 'har', recognise: recogniseHar, read: readHar };

function recogniseHar(head: Uint8Array): number {
  const text = peekText(head).trimStart();
  if (!text.startsWith('{')) return 0;
  const opensWithLog = /^\{\s*"log"\s*:\s*\{/.test(text);
  if (opensWithLog && /"(?:entries|creator|version|pages)"\s*:/.test(text)) return 0.95;
  return /"log"\s*:\s*\{/.test(text) && /"startedDateTime"\s*:/.test(text) ? 0.9 : 0;
}

const ENTRIES = ['log', 'entries'];
const BATCH_ENTRIES = 2000;
const BATCH_BYTES = 16 * 2 ** 20;

async function readHar(input: ReaderInput, sink: RecordSink, options: ReaderOptions): Promise<ReadSummary> {
  const framer = new JsonFramer([ENTRIES]);
  let batches: EntryBatches | null = null;
  let waiting: Element[] = [];
  let waitingBytes = 0;
  let read = 0;

  const flush = async (): Promise<EntryBatches> => {
    const elements = waiting;
    waiting = [];
    waitingBytes = 0;
    batches ??= new EntryBatches(input, sink, options, harProducer(framer.documentSoFar()));
    await batches.take(elements);
    return batches;
  };
  for await (const chunk of input.chunks()) {
    for (const element of framer.push(chunk)) {
      waiting.push(element);
      waitingBytes += element.bytes?.length ?? 0;
    }
    if (waiting.length >= BATCH_ENTRIES || waitingBytes >= BATCH_BYTES) await flush();
    read += chunk.length;
    sink.progress(read);
  }
  const last = framer.end();
  waiting.push(...last.elements);
  const done = await flush();
  const producer = harProducer(framer.documentSoFar());
  const cut = last.end.cutAt === null ? [] : [`The file ends inside the HAR, at byte ${last.end.cutAt}.`];
  return {
    format: 'har',
    producer: producer.label,
    vantage: options.vantage ?? producer.vantage,
    records: done.records,
    evidence: done.evidence(),
    warnings: [...cut, ...done.warnings.list()],
  };
}
