import { isObject, type JsonObject, objectAt, ownAt, stringAt } from '../../mcp/json-object.js';
import { type CapturedHttp, emptyCapturedHttp, type HeaderMap, header, headerMap } from '../captured-http.js';
import { type Element, JsonFramer } from '../input/json-frames.js';
import { parseElement } from '../input/parse-element.js';
import { peekText } from '../input/sniff.js';
import { McpBatches } from '../mcp-batch.js';
import type { FormatReader, ReaderInput, ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import type { EndState, Vantage } from '../record.js';
import { millisToNs, writtenTime } from '../written-time.js';
import { type ZoneOffset, zoneOffset } from '../zone.js';

/** The network export of the MCP Inspector: an array of fetches (`FetchRequestEntry`). */
export const inspectorReader: FormatReader = { format: 'inspector', recognise, read };

function recognise(head: Uint8Array): number {
  const text = peekText(head, 16_384).trimStart();
  if (!/^\[\s*\{/.test(text)) return 0;
  const has = (name: string) => text.includes(`"${name}"`);
  return has('requestHeaders') && has('timestamp') && has('url') && has('method') ? 0.9 : 0;
}

const BATCH_ENTRIES = 2000;

async function read(input: ReaderInput, sink: RecordSink, options: ReaderOptions): Promise<ReadSummary> {
  const framer = new JsonFramer([[]]);
  const batches = new McpBatches(sink, options);
  const vantage = options.vantage ?? 'client';
  const zone = options.zone === null ? () => 0 : zoneOffset(options.zone);
  let waiting: CapturedHttp[] = [];
  let records = 0;
  let bytes = 0;

  const take = (elements: readonly Element[]) => {
    for (const element of elements) {
      records += 1;
      const fetched = readEntry(element, vantage, zone);
      if (typeof fetched === 'string') sink.reject(`entry ${element.index}`, `${fetched} (byte ${element.start})`);
      else waiting.push(fetched);
    }
    if (waiting.length >= BATCH_ENTRIES) flush();
  };
  const flush = () => {
    batches.take(waiting);
    waiting = [];
  };
  for await (const chunk of input.chunks()) {
    take(framer.push(chunk));
    bytes += chunk.length;
    sink.progress(bytes);
  }
  const last = framer.end();
  take(last.elements);
  flush();
  const warnings = last.end.cutAt === null ? [] : [`The file ends inside the list, at byte ${last.end.cutAt}.`];
  return {
    format: 'inspector',
    producer: 'MCP Inspector',
    vantage,
    records,
    evidence: batches.evidence.evidence(),
    warnings,
  };
}

function readEntry(element: Element, vantage: Vantage, zone: ZoneOffset): CapturedHttp | string {
  const { value, reason } = parseElement(element);
  if (reason !== null) return reason;
  if (!isObject(value)) return 'not an object';
  const url = stringAt(value, 'url');
  if (url === null || url === '') return 'a fetch without a URL';
  const responseHeaders = headersAt(value, 'responseHeaders');
  const type = header(responseHeaders, 'content-type')?.toLowerCase() ?? '';
  const body = stringAt(value, 'responseBody');
  const start = writtenTime(ownAt(value, 'timestamp'), zone);
  // The duration ends with the headers of the answer: of a stream it says nothing.
  const duration = type.startsWith('text/event-stream') ? null : millisToNs(ownAt(value, 'duration'));
  const status = ownAt(value, 'responseStatus');
  return {
    ...emptyCapturedHttp(`entry ${element.index}`, vantage, url),
    method: stringAt(value, 'method')?.toUpperCase() ?? null,
    startedNs: start.ns,
    endedNs: start.ns === null || duration === null ? null : start.ns + duration,
    precisionNs: start.precisionNs,
    status: typeof status === 'number' && status >= 100 ? status : null,
    requestHeaders: headersAt(value, 'requestHeaders'),
    responseHeaders,
    requestBody: stringAt(value, 'requestBody'),
    responseBody: body,
    endState: endStateOf(value, type, body),
    endReason: stringAt(value, 'error'),
  };
}

function endStateOf(entry: JsonObject, type: string, body: string | null): EndState {
  const error = stringAt(entry, 'error');
  if (error !== null && error !== '') {
    if (/timed?[ _-]?out/i.test(error)) return 'timed-out';
    return /abort|cancel/i.test(error) ? 'client-aborted' : 'truncated';
  }
  if (typeof ownAt(entry, 'responseStatus') !== 'number') return 'open';
  // The body of a long-lived stream is never recorded, whatever became of it.
  return type.startsWith('text/event-stream') && body === null ? 'unknown' : 'complete';
}

/** Headers as recorded; a redacted credential is one that was not recorded. */
function headersAt(entry: JsonObject, key: string): HeaderMap | null {
  const headers = objectAt(entry, key);
  if (headers === null) return null;
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && value !== '[REDACTED]') pairs.push([name, value]);
  }
  return headerMap(pairs);
}
