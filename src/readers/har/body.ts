import { constants, gunzipSync } from 'node:zlib';
import { ownAt, stringAt } from '../../mcp/json-object.js';
import { header } from '../captured-http.js';
import { type HarEntry, isEventStream, isSuccess, sizeAt } from './entry.js';
import { undoWindows1252 } from './mojibake.js';
import type { HarProducer } from './producer.js';

export type Body = string | Uint8Array | null;

/** Gives a body that lies in a file of its own (Playwright's `_file`); null: there is none, or it may not be read. */
export type Attachment = (name: string) => Promise<Uint8Array | null>;

/** The request body; null: not recorded. */
export async function requestBody(entry: HarEntry, attachment: Attachment): Promise<Body> {
  const file = stringAt(entry.postData, '_file');
  if (file !== null) return attachment(file);
  const text = stringAt(entry.postData, 'text');
  if (text === null) return asksForRest(entry) ? '' : null;
  if (stringAt(entry.postData, 'encoding') === 'base64') return fromBase64(text);
  if (text === '' && (requestSize(entry) ?? 0) > 0) return null;
  return text;
}

/** A POST that brings a cursor and, as the entry says, nothing else. */
function asksForRest(entry: HarEntry): boolean {
  return entry.method === 'POST' && header(entry.requestHeaders, 'last-event-id') !== null && requestSize(entry) === 0;
}

const requestSize = (entry: HarEntry): number | null => sizeAt(ownObject(entry, 'request'), 'bodySize');

/** The response body, decoded; null: not recorded, which an empty text may mean too. */
export async function responseBody(entry: HarEntry, producer: HarProducer, attachment: Attachment): Promise<Body> {
  if (entry.status === null) return null;
  const file = stringAt(entry.content, '_file');
  if (file !== null) {
    const bytes = await attachment(file);
    return bytes === null ? null : asSent(Buffer.from(bytes).toString('utf8'), entry, producer, bytes);
  }
  const text = stringAt(entry.content, 'text');
  if (text === null) return null;
  if (text === '') return isReallyEmpty(entry, producer) ? '' : null;
  if (stringAt(entry.content, 'encoding')?.toLowerCase() === 'base64') return gunzipped(fromBase64(text), entry);
  return asSent(text, entry, producer, text);
}

/** Events with their bytes gone: the recorder took the body in, the export lost it. */
function isReallyEmpty(entry: HarEntry, producer: HarProducer): boolean {
  if (entry.status === 204 || entry.status === 202 || entry.status === 304) return true;
  const announced = Number(header(entry.responseHeaders, 'content-length') ?? Number.NaN);
  if (announced > 0 || (sizeAt(entry.content, 'size') ?? 0) > 0) return false;
  // A proxy that streams a body through writes the empty text for it; a browser means it.
  const isStreamed = isEventStream(entry) || entry.responseType.includes('json');
  const isBrowser = producer.family === 'chrome' || producer.family === 'playwright';
  return !(isStreamed && isSuccess(entry)) || isBrowser || announced === 0;
}

/** Chrome decodes event streams without charset as windows-1252. */
function asSent<T extends string | Uint8Array>(
  text: string,
  entry: HarEntry,
  producer: HarProducer,
  asIs: T,
): T | Buffer {
  if (!isEventStream(entry) || entry.responseType.includes('charset')) return asIs;
  const repaired = undoWindows1252(text);
  if (repaired === null) return asIs;
  // Chrome counts the bytes on the wire, so its size tells; Playwright counts those of the spoiled text.
  const size = producer.family === 'playwright' ? null : sizeAt(entry.content, 'size');
  return size !== repaired.length && size === Buffer.byteLength(text) ? asIs : repaired;
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

const MAX_GUNZIPPED_BYTES = 64 * 2 ** 20;

/** mitmproxy keeps a body whose gzip is broken as it was on the wire. */
function gunzipped(bytes: Buffer, entry: HarEntry): Buffer | null {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip || header(entry.responseHeaders, 'content-encoding')?.toLowerCase() !== 'gzip') return bytes;
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_GUNZIPPED_BYTES });
  } catch {
    return null;
  }
}

function ownObject(entry: HarEntry, key: string) {
  const value = ownAt(entry.raw, key);
  return typeof value === 'object' && value !== null ? (value as HarEntry['raw']) : null;
}
