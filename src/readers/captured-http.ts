import type { EndState, Vantage } from './record.js';

/** Header names in lower case, values in the order in which they were sent. */
export type HeaderMap = ReadonlyMap<string, readonly string[]>;

/** One item of Chrome's `_eventSourceMessages`, or of anything else that recorded events without their bytes. */
export interface RecordedEvent {
  /** Arrival; null: not recorded. */
  readonly atNs: bigint | null;
  /** `event` field; null or empty: `message`. */
  readonly type: string | null;
  /** Sticky: the last event id a client held after this event. Empty: none. */
  readonly id: string;
  /** null: removed by a sanitizer. */
  readonly data: string | null;
}

/**
 * An HTTP exchange as a reader with headers or bodies sees it (HAR, inspector, JSON logs with headers).
 * `null` is *not recorded*; an empty map, string or array is *recorded and empty*.
 */
export interface CapturedHttp {
  /** Place in the source, as in `ExchangeRecord`. */
  readonly locator: string;
  readonly vantage: Vantage;
  /** Absolute URL, or path when the source knows no more. Raw: the query is redacted here, not by the reader. */
  readonly url: string;
  readonly method: string | null;
  readonly startedNs: bigint | null;
  readonly endedNs: bigint | null;
  readonly precisionNs: bigint;
  /** null, 0 and -1: no answer. */
  readonly status: number | null;
  readonly requestHeaders: HeaderMap | null;
  readonly responseHeaders: HeaderMap | null;
  readonly requestBody: string | Uint8Array | null;
  /** Decoded of any content coding and transfer coding. */
  readonly responseBody: string | Uint8Array | null;
  /** The capture kept only the beginning of the response body: a cut in it is the recorder's, not the stream's. */
  readonly responseBodyCut: boolean;
  /** Media type of the response where no response header says so (HAR `content.mimeType`); null: unknown. */
  readonly responseType: string | null;
  /** Used when there is no response body. */
  readonly recordedEvents: readonly RecordedEvent[] | null;
  /** How the exchange ended as far as the source says; what the body tells is added by `dissect`. */
  readonly endState: EndState;
  readonly endReason: string | null;
  readonly backends: readonly string[];
  readonly backendStatuses: readonly (number | null)[];
  readonly client: string | null;
  readonly connection: string | null;
  /** Proxy's own id of the request; the `x-request-id` header is found by `dissect`. */
  readonly requestId: string | null;
  readonly requestBytes: number | null;
  readonly responseBytes: number | null;
  readonly incomplete: boolean;
}

/** A captured exchange of which nothing is known but where it stands. */
export function emptyCapturedHttp(locator: string, vantage: Vantage, url: string): CapturedHttp {
  return {
    locator,
    vantage,
    url,
    method: null,
    startedNs: null,
    endedNs: null,
    precisionNs: 1_000_000n,
    status: null,
    requestHeaders: null,
    responseHeaders: null,
    requestBody: null,
    responseBody: null,
    responseBodyCut: false,
    responseType: null,
    recordedEvents: null,
    endState: 'unknown',
    endReason: null,
    backends: [],
    backendStatuses: [],
    client: null,
    connection: null,
    requestId: null,
    requestBytes: null,
    responseBytes: null,
    incomplete: false,
  };
}

/** Header fields as name-value pairs to a map that does not care about case (RFC 9110, section 5.1). */
export function headerMap(pairs: Iterable<readonly [string, string]>): HeaderMap {
  const map = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const values = map.get(key);
    if (values === undefined) map.set(key, [value]);
    else values.push(value);
  }
  return map;
}

/** First value of a header, trimmed; null: absent or not recorded. `name` in lower case. */
export function header(headers: HeaderMap | null, name: string): string | null {
  return headers?.get(name)?.[0]?.trim() ?? null;
}
