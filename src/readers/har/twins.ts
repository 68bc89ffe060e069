import { objectAt, ownAt, stringAt } from '../../mcp/json-object.js';
import type { CapturedHttp } from '../captured-http.js';
import type { HarEntry } from './entry.js';

/**
 * Requests that a page made through a service worker are recorded twice: as the page's, marked
 * `_fetchedViaServiceWorker`, and as the worker's own fetch, which is the one on the wire.
 */
export class ServiceWorkerTwins {
  readonly #onTheWire = new Map<string, (bigint | null)[]>();

  /** Remembers a fetch that went over the wire. */
  learn(entry: HarEntry, http: CapturedHttp): void {
    if (isViaWorker(entry)) return;
    const key = keyOf(entry);
    const starts = this.#onTheWire.get(key);
    if (starts === undefined) this.#onTheWire.set(key, [http.startedNs]);
    else starts.push(http.startedNs);
  }

  /** Whether the entry is the page's view of a fetch that is recorded by itself. */
  isTwin(entry: HarEntry, http: CapturedHttp): boolean {
    if (!isViaWorker(entry)) return false;
    const starts = this.#onTheWire.get(keyOf(entry));
    const { startedNs, endedNs } = http;
    if (starts === undefined) return false;
    if (startedNs === null) return true;
    return starts.some((start) => start === null || (start >= startedNs && (endedNs === null || start <= endedNs)));
  }
}

function isViaWorker(entry: HarEntry): boolean {
  return ownAt(entry.response, '_fetchedViaServiceWorker') === true;
}

function keyOf(entry: HarEntry): string {
  const body = stringAt(objectAt(objectAt(entry.raw, 'request'), 'postData'), 'text') ?? '';
  return `${entry.method ?? ''} ${entry.url}\n${body}`;
}
