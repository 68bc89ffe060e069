import { objectAt, ownAt, stringAt } from '../../mcp/json-object.js';
import type { CapturedHttp } from '../captured-http.js';
import type { Vantage } from '../record.js';
import { millisToNs, writtenTime } from '../written-time.js';
import type { ZoneOffset } from '../zone.js';
import { type Attachment, requestBody, responseBody } from './body.js';
import { harEndState, hasWholeDuration } from './end-state.js';
import { type HarEntry, sizeAt } from './entry.js';
import { recordedEvents } from './event-messages.js';
import type { HarProducer } from './producer.js';

export interface CaptureContext {
  readonly producer: HarProducer;
  readonly vantage: Vantage;
  readonly zone: ZoneOffset;
  readonly attachment: Attachment;
}

export interface CapturedEntry {
  readonly http: CapturedHttp;
  /** The start was given without a zone. */
  readonly isZoneless: boolean;
  /** There is a start, and it is none that can be kept. */
  readonly hasBadTime: boolean;
}

/** A HAR entry as the exchange it records, with what its producer's habits say about what is missing. */
export async function captureEntry(entry: HarEntry, context: CaptureContext): Promise<CapturedEntry> {
  const { producer } = context;
  const request = objectAt(entry.raw, 'request');
  const start = writtenTime(ownAt(entry.raw, 'startedDateTime'), context.zone);
  const body = await responseBody(entry, producer, context.attachment);
  const endState = harEndState(entry, body, producer);
  const duration = hasWholeDuration(entry, endState, producer) ? millisToNs(ownAt(entry.raw, 'time')) : null;
  const responseBytes = entry.status === null || body === null ? null : sizeAt(entry.content, 'size');
  const http: CapturedHttp = {
    locator: entry.locator,
    vantage: context.vantage,
    url: entry.url,
    method: entry.method,
    startedNs: start.ns,
    endedNs: start.ns === null || duration === null ? null : start.ns + duration,
    precisionNs: start.precisionNs,
    status: entry.status,
    requestHeaders: entry.requestHeaders,
    responseHeaders: entry.status === null ? null : entry.responseHeaders,
    requestBody: await requestBody(entry, context.attachment),
    responseBody: body,
    responseBodyCut: false,
    responseType: mimeType(entry),
    recordedEvents: recordedEvents(entry, producer),
    endState,
    endReason: entry.error,
    backends: [],
    backendStatuses: [],
    client: null,
    connection: connectionOf(entry, producer),
    requestId: null,
    requestBytes: sizeAt(request, 'bodySize'),
    responseBytes: responseBytes ?? positiveSize(entry),
    incomplete: false,
  };
  return { http, isZoneless: start.isZoneless, hasBadTime: start.ns === null };
}

function mimeType(entry: HarEntry): string | null {
  const type = stringAt(entry.content, 'mimeType');
  return entry.status === null || type === null || type === '' || type === 'x-unknown' ? null : type;
}

/** Bytes that came although the body was not kept; nought then says nothing. */
function positiveSize(entry: HarEntry): number | null {
  const size = sizeAt(entry.content, 'size');
  return size === null || size === 0 ? null : size;
}

/** Chrome's `connection` used to be the socket and is the server's port now; Firefox's always was the port. */
function connectionOf(entry: HarEntry, producer: HarProducer): string | null {
  const id = stringAt(entry.raw, '_connectionId');
  if (id !== null) return id;
  if (producer.family === 'firefox') return null;
  const connection = stringAt(entry.raw, 'connection');
  return connection === null || connection === '' || connection === portOf(entry.url) ? null : connection;
}

function portOf(url: string): string {
  const port = /^[a-z]+:\/\/[^/?#]*?:(\d{1,5})(?:[/?#]|$)/i.exec(url)?.[1];
  return port ?? (url.startsWith('http:') ? '80' : '443');
}
