import { JsonFramer } from '../input/json-frames.js';
import {
  ENVELOPES,
  LOG_CONTAINERS,
  METRIC_CONTAINERS,
  SPAN_CONTAINERS,
  walkDocument,
  walkResourceLogs,
  walkResourceSpans,
} from './json-spans.js';
import { MarkScanner } from './marks.js';
import { parseBytes } from './parse.js';
import { countRecords } from './record-count.js';
import type { SpanWindow } from './span-window.js';

/** Keys under which an export request holds resources of any signal. */
export const CONTAINERS: readonly string[] = [...SPAN_CONTAINERS, ...LOG_CONTAINERS, ...METRIC_CONTAINERS];

/**
 * Reads one JSON text of requests (a line, a message) into the window. One without a mark of MCP is counted, not parsed;
 * a broken one is one reject. `marks` belongs to `bytes`.
 */
export function readBatch(
  bytes: Buffer,
  start: number,
  end: number,
  place: string,
  marks: MarkScanner,
  window: SpanWindow,
): void {
  const last = lastVisible(bytes, start, end);
  if (last < start) return;
  const isWhole = bytes[last] === 0x7d || bytes[last] === 0x5d;
  if (isWhole && !marks.has(start, end)) {
    window.skip(countRecords(bytes, start, end));
  } else if (end - start > WHOLE_BYTES) {
    readInParts(bytes.subarray(start, end), place, window);
  } else {
    const parsed = parseBytes(bytes, start, end);
    if (!parsed.ok) window.reject(place, parsed.reason);
    else if (!walkDocument(parsed.value, place, window)) window.skip(1);
  }
}

/** Longer texts are parsed resource by resource. */
const WHOLE_BYTES = 8 * 2 ** 20;
/** Shorter ones are parsed sooner than searched for marks. */
const SHORT_BYTES = 2048;
/** Resources are cut out of so many bytes at a time. */
const STEP_BYTES = 1 << 16;

/** A long text is taken apart before it is parsed, so that its size does not fill the memory. */
function readInParts(text: Buffer, place: string, window: SpanWindow): void {
  const framer = requestFramer();
  const before = window.records;
  for (let at = 0; at < text.length; at += STEP_BYTES) {
    takeElements(framer.push(text.subarray(at, at + STEP_BYTES)), `${place}, `, window);
  }
  const { elements, end } = framer.end();
  takeElements(elements, `${place}, `, window);
  if (end.cutAt !== null && elements.length === 0) window.reject(place, 'it ends inside the JSON');
  else if (window.records === before) window.skip(1);
}

/** A framer for the resources of export requests: one, many, in an array, in an envelope. */
export function requestFramer(): JsonFramer {
  return new JsonFramer(
    CONTAINERS.flatMap((container) => [
      [container],
      ['*', container],
      ...ENVELOPES.map((envelope) => [envelope, container]),
    ]),
  );
}

/** Reads resources that the framer cut out. */
export function takeElements(elements: ReturnType<JsonFramer['push']>, prefix: string, window: SpanWindow): void {
  for (const { path, index, bytes, reason, start } of elements) {
    const container = path.at(-1) ?? '';
    const place = `${prefix}${container} ${index + 1}`;
    if (bytes === null) {
      window.reject(`${place} (byte ${start})`, reason ?? 'unreadable');
    } else if (isOneOf(METRIC_CONTAINERS, container)) {
      window.skip(1);
    } else if (bytes.length > SHORT_BYTES && !new MarkScanner(bytes, window.endpoints).has(0, bytes.length)) {
      window.skip(countRecords(bytes, 0, bytes.length));
    } else {
      const parsed = parseBytes(bytes, 0, bytes.length);
      if (!parsed.ok) window.reject(`${place} (byte ${start})`, parsed.reason);
      else if (isOneOf(LOG_CONTAINERS, container)) walkResourceLogs(parsed.value, place, window);
      else walkResourceSpans(parsed.value, place, window);
    }
  }
}

function isOneOf(containers: readonly string[], container: string): boolean {
  return containers.includes(container);
}

/** Index of the last byte that is no white space; before `start`: there is none. */
function lastVisible(bytes: Buffer, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && (bytes[at] as number) <= 0x20) at -= 1;
  return at;
}
