import { objectAt, ownAt, stringAt } from '../../mcp/json-object.js';
import { type CapturedHttp, emptyCapturedHttp } from '../captured-http.js';
import { dissect } from '../dissect.js';
import { type HarEntry, harEntry } from '../har/entry.js';
import { harProducer } from '../har/producer.js';
import { type Element, JsonFramer } from '../input/json-frames.js';
import { parseElement } from '../input/parse-element.js';
import { peekText } from '../input/sniff.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import type { Vantage } from '../record.js';
import { millisToNs, writtenTime } from '../written-time.js';
import { SYNTHETIC_WARNING } from './synthetic.js';

/** The HAR that mcpsnoop makes out of calls: one entry a call, status and URL invented, no headers. */
export const mcpsnoopHarReader: FormatReader = { format: 'mcpsnoop', recognise, read };

function recognise(head: Uint8Array): number {
  const text = peekText(head, 16_384).trimStart();
  if (!/^\{\s*"log"\s*:\s*\{/.test(text)) return 0;
  return /"creator"\s*:\s*\{[^{}]*"name"\s*:\s*"mcpsnoop\b/i.test(text) ? 1 : 0;
}

async function read(input: ReaderInput, sink: RecordSink, options: ReaderOptions): Promise<ReadSummary> {
  const framer = new JsonFramer([['log', 'entries']]);
  const vantage = options.vantage ?? 'proxy';
  let records = 0;
  let bytes = 0;
  const take = (elements: readonly Element[]) => {
    for (const element of elements) {
      records += 1;
      const locator = `entry ${element.index}`;
      const parsed = parseElement(element);
      const entry = parsed.reason ?? harEntry(parsed.value, locator);
      if (typeof entry === 'string') sink.reject(locator, `${entry} (byte ${element.start})`);
      else handOn(entry, vantage, sink, options);
    }
  };
  for await (const chunk of input.chunks()) {
    take(framer.push(chunk));
    bytes += chunk.length;
    sink.progress(bytes);
  }
  const last = framer.end();
  take(last.elements);
  const producer = harProducer(framer.documentSoFar());
  return {
    format: 'mcpsnoop',
    producer: producer.label,
    vantage,
    records,
    evidence: ['bodies'],
    warnings: [SYNTHETIC_WARNING],
  };
}

function handOn(entry: HarEntry, vantage: Vantage, sink: RecordSink, options: ReaderOptions): void {
  const call = callOf(entry, vantage);
  if (call === null) sink.skip(1);
  else sink.capture(dissect(call, options));
}

/** `mcp://<server>/<method>/<name>`; params and result are the bodies. */
function callOf(entry: HarEntry, vantage: Vantage): CapturedHttp | null {
  const parts = /^mcp:\/\/([^/]*)\/(.+)$/.exec(entry.url);
  if (parts === null) return null;
  const id = entry.locator;
  const method = /^tools\/call\//.test(parts[2]!) ? 'tools/call' : parts[2]!;
  const params = json(stringAt(entry.postData, 'text'));
  const answer = json(stringAt(entry.content, 'text'));
  const isAnswered = entry.status !== null && answer !== undefined;
  const outcome = entry.status === 200 ? { result: answer } : { error: answer };
  const start = writtenTime(ownAt(entry.raw, 'startedDateTime'), () => 0);
  const duration = isAnswered ? millisToNs(ownAt(entry.raw, 'time')) : null;
  return {
    ...emptyCapturedHttp(entry.locator, vantage, `mcp://${parts[1]}/`),
    method: stringAt(objectAt(entry.raw, 'request'), 'method'),
    startedNs: start.ns,
    endedNs: start.ns === null || duration === null ? null : start.ns + duration,
    precisionNs: start.precisionNs,
    requestBody: JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }),
    responseBody: isAnswered ? JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) : null,
    endState: isAnswered ? 'complete' : 'unknown',
  };
}

function json(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
