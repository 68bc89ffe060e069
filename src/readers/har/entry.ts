import { isObject, type JsonObject, objectAt, ownAt, stringAt } from '../../mcp/json-object.js';
import { type HeaderMap, header } from '../captured-http.js';
import { harHeaders } from './headers.js';

/** The parts of a HAR entry that matter, missing ones null. */
export interface HarEntry {
  readonly locator: string;
  readonly raw: JsonObject;
  readonly method: string | null;
  readonly url: string;
  readonly postData: JsonObject | null;
  readonly response: JsonObject;
  readonly content: JsonObject | null;
  /** null: no answer (0, -1), or not a number. */
  readonly status: number | null;
  readonly requestHeaders: HeaderMap | null;
  readonly responseHeaders: HeaderMap | null;
  /** Media type with parameters, lower case; header first, then `content.mimeType`. */
  readonly responseType: string;
  /** The producer's words for what went wrong: `_error`, `_failureText`. */
  readonly error: string | null;
}

/**
 * Reads one element of `log.entries`. Only a request with a URL is demanded (HAR 1.2 has it mandatory, and nothing
 * can be said without); every other field may be missing or of another type.
 * @returns the entry, or the reason why it is none
 */
export function harEntry(value: unknown, locator: string): HarEntry | string {
  if (!isObject(value)) return 'not an object';
  const request = objectAt(value, 'request');
  if (request === null) return 'no request in it';
  const url = stringAt(request, 'url');
  if (url === null || url === '') return 'a request without a URL';
  const response = objectAt(value, 'response') ?? {};
  const content = objectAt(response, 'content');
  const responseHeaders = harHeaders(ownAt(response, 'headers'));
  return {
    locator,
    raw: value,
    method: stringAt(request, 'method')?.toUpperCase() ?? null,
    url,
    postData: objectAt(request, 'postData'),
    response,
    content,
    status: statusOf(ownAt(response, 'status')),
    requestHeaders: harHeaders(ownAt(request, 'headers')),
    responseHeaders,
    responseType: (header(responseHeaders, 'content-type') ?? stringAt(content, 'mimeType') ?? '').toLowerCase(),
    error: errorOf(response, value),
  };
}

function statusOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 999 ? number : null;
}

function errorOf(response: JsonObject, entry: JsonObject): string | null {
  for (const holder of [response, entry]) {
    for (const key of ['_error', '_failureText']) {
      const text = stringAt(holder, key);
      if (text !== null && text !== '') return text;
    }
  }
  const charles = stringAt(entry, '_charlesStatus');
  return charles !== null && /fail|abort|exception/i.test(charles) ? charles : null;
}

/** A size that was really recorded; HAR writes -1 for *not available*. */
export function sizeAt(object: JsonObject | null, key: string): number | null {
  const value = ownAt(object, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Whether the answer says that it is an event stream. */
export function isEventStream(entry: HarEntry): boolean {
  return entry.responseType.startsWith('text/event-stream');
}

export function isSuccess(entry: HarEntry): boolean {
  return entry.status !== null && entry.status >= 200 && entry.status < 300;
}
