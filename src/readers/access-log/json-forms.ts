import type { Dialect } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { headersOf, isJsonObject, type JsonObject, objectAt, scalarAt } from './json-value.js';
import { type ScratchRow, SLOT, type SlotName } from './slot.js';

/** A kind of JSON record with a shape of its own. */
export interface JsonForm {
  readonly dialect: Dialect;
  readonly isMine: (record: JsonObject) => boolean;
  readonly fill: (record: JsonObject, row: ScratchRow) => void;
}

type HeaderMap = ReadonlyMap<string, string | number | null>;

const REQUEST_HEADERS: readonly (readonly [string, SlotName])[] = [
  ['mcp-session-id', 'session'],
  ['last-event-id', 'lastEventId'],
  ['mcp-protocol-version', 'protocolVersion'],
  ['mcp-method', 'rpcMethod'],
  ['mcp-name', 'rpcName'],
  ['user-agent', 'userAgent'],
  ['content-type', 'requestType'],
  ['authorization', 'authorization'],
  ['traceparent', 'traceparent'],
  ['x-request-id', 'requestId'],
  ['x-forwarded-for', 'forwardedFor'],
];

/** Every header of the request is logged: what is not there was not sent. */
function putRequestHeaders(row: ScratchRow, headers: HeaderMap): void {
  for (const [name, slot] of REQUEST_HEADERS) row.put(SLOT[slot], headers.get(name) ?? null);
}

function putResponseHeaders(row: ScratchRow, headers: HeaderMap): void {
  row.put(SLOT.responseSession, headers.get('mcp-session-id') ?? null);
  row.put(SLOT.responseType, headers.get('content-type') ?? null);
}

function putAll(row: ScratchRow, record: JsonObject | null, names: Readonly<Record<string, SlotName>>): void {
  for (const [name, slot] of Object.entries(names)) {
    if (record !== null && Object.hasOwn(record, name)) row.put(SLOT[slot], scalarAt(record, name));
  }
}

/** No response takes eleven days, and none a thousandth of a second so exactly. */
const CADDY_MAX_SECONDS = 1_000_000;

const caddy: JsonForm = {
  dialect: DIALECTS.caddy,
  isMine: (record) =>
    isJsonObject(record.request) &&
    (Object.hasOwn(record, 'resp_headers') || /^http\.log\.access/.test(String(record.logger ?? ''))),
  fill(record, row) {
    const request = objectAt(record, 'request');
    putAll(row, request, { method: 'method', uri: 'uri', host: 'host' });
    const peer = scalarAt(request, 'client_ip') ?? scalarAt(request, 'remote_ip') ?? scalarAt(request, 'remote_addr');
    row.put(SLOT.client, peer);
    putAll(row, record, { ts: 'timeEnd', status: 'status', size: 'responseBytes', bytes_read: 'requestBytes' });
    const user = scalarAt(record, 'user_id');
    if (user !== null) row.put(SLOT.user, user === '' ? null : user);
    // Seconds by default; the encoder can be told to write nanoseconds, or a unit behind the number.
    const duration = scalarAt(record, 'duration');
    if (typeof duration === 'number')
      row.put(duration > CADDY_MAX_SECONDS ? SLOT.durationNs : SLOT.durationS, plain(duration));
    else if (duration !== null) row.put(SLOT.durationText, duration);
    const headers = headersOf(objectAt(request, 'headers'));
    if (headers !== null) putRequestHeaders(row, headers);
    const answer = headersOf(objectAt(record, 'resp_headers'));
    if (answer !== null) {
      putResponseHeaders(row, answer);
      const upstream = answer.get('x-upstream');
      if (upstream !== undefined) row.put(SLOT.backend, upstream);
    }
    for (const key of ['upstream', 'upstream_hostport', 'http.reverse_proxy.upstream.hostport']) {
      if (Object.hasOwn(record, key)) row.put(SLOT.backend, scalarAt(record, key));
    }
  },
};

const kong: JsonForm = {
  dialect: DIALECTS.kong,
  isMine: (record) => isJsonObject(record.request) && isJsonObject(record.response) && isJsonObject(record.latencies),
  fill(record, row) {
    const request = objectAt(record, 'request');
    const response = objectAt(record, 'response');
    putAll(row, request, { method: 'method', size: 'requestBytes', id: 'requestId' });
    row.put(SLOT.uri, scalarAt(request, 'url') ?? scalarAt(request, 'uri'));
    putAll(row, response, { status: 'status', size: 'responseBytes' });
    putAll(row, record, { client_ip: 'client', started_at: 'timeStart', upstream_status: 'upstreamStatus' });
    putAll(row, objectAt(record, 'latencies'), { request: 'durationMs' });
    const headers = headersOf(objectAt(request, 'headers'));
    if (headers !== null) putRequestHeaders(row, headers);
    const answer = headersOf(objectAt(response, 'headers'));
    if (answer !== null) putResponseHeaders(row, answer);
    const tries = Array.isArray(record.tries) ? record.tries.filter(isJsonObject) : [];
    const addresses = tries.map((one) => `${scalarAt(one, 'ip') ?? '-'}:${scalarAt(one, 'port') ?? 0}`);
    row.put(SLOT.upstream, addresses.length === 0 ? null : addresses.join(', '));
  },
};

const cloudflare: JsonForm = {
  dialect: DIALECTS.cloudflare,
  isMine: (record) => Object.hasOwn(record, 'EdgeResponseStatus') || Object.hasOwn(record, 'EdgeStartTimestamp'),
  fill(record, row) {
    putAll(row, record, {
      ClientIP: 'client',
      ClientRequestHost: 'host',
      ClientRequestMethod: 'method',
      ClientRequestPath: 'uri',
      ClientRequestURI: 'uri',
      ClientRequestUserAgent: 'userAgent',
      ClientRequestBytes: 'requestBytes',
      EdgeResponseBytes: 'responseBytes',
      EdgeResponseContentType: 'responseType',
      EdgeResponseStatus: 'status',
      EdgeStartTimestamp: 'timeStart',
      EdgeEndTimestamp: 'timeEnd',
      OriginIP: 'backend',
      OriginResponseStatus: 'upstreamStatus',
      RayID: 'requestId',
    });
    const headers = headersOf(objectAt(record, 'RequestHeaders'));
    if (headers !== null) {
      for (const [name, slot] of REQUEST_HEADERS) {
        // Only the headers that the job names are logged, beside the fields of Cloudflare's own.
        if (headers.has(name) || slot === 'session') row.put(SLOT[slot], headers.get(name) ?? null);
      }
    }
    const answer = headersOf(objectAt(record, 'ResponseHeaders'));
    if (answer !== null) row.put(SLOT.responseSession, answer.get('mcp-session-id') ?? null);
  },
};

const gcp: JsonForm = {
  dialect: DIALECTS.gcp,
  isMine: (record) =>
    isJsonObject(record.httpRequest) &&
    (Object.hasOwn(record.httpRequest, 'requestMethod') || Object.hasOwn(record.httpRequest, 'requestUrl')),
  fill(record, row) {
    putAll(row, objectAt(record, 'httpRequest'), {
      requestMethod: 'method',
      requestUrl: 'uri',
      requestSize: 'requestBytes',
      responseSize: 'responseBytes',
      status: 'status',
      userAgent: 'userAgent',
      remoteIp: 'client',
      serverIp: 'backend',
      latency: 'durationText',
    });
    if (!row.carries(SLOT.backend)) row.put(SLOT.backend, null);
    putAll(row, record, { timestamp: 'timeStart', insertId: 'requestId' });
    putAll(row, objectAt(record, 'jsonPayload'), { statusDetails: 'details' });
    const trace = /([0-9a-f]{32})$/i.exec(String(scalarAt(record, 'trace') ?? ''));
    if (trace !== null) row.put(SLOT.traceId, trace[1]!);
    putAll(row, record, { spanId: 'spanId' });
  },
};

const AZURE_NAMES: Readonly<Record<string, SlotName>> = {
  clientIP: 'client',
  clientIp: 'client',
  ClientIp: 'client',
  httpMethod: 'method',
  HttpMethod: 'method',
  requestUri: 'uri',
  RequestUri: 'uri',
  requestQuery: 'query',
  RequestQuery: 'query',
  userAgent: 'userAgent',
  UserAgent: 'userAgent',
  httpStatus: 'status',
  HttpStatus: 'status',
  httpStatusCode: 'status',
  receivedBytes: 'requestBytes',
  ReceivedBytes: 'requestBytes',
  sentBytes: 'responseBytes',
  SentBytes: 'responseBytes',
  timeTaken: 'durationS',
  TimeTaken: 'durationS',
  host: 'host',
  Host: 'host',
  serverRouted: 'backend',
  ServerRouted: 'backend',
  BackendHost: 'backend',
  backendHost: 'backend',
  backendHostname: 'backend',
  serverStatus: 'upstreamStatus',
  ServerStatus: 'upstreamStatus',
  error_info: 'details',
  ErrorInfo: 'details',
  transactionId: 'requestId',
  TransactionId: 'requestId',
  trackingId: 'requestId',
};

const azure: JsonForm = {
  dialect: DIALECTS.azure,
  isMine: (record) => {
    const properties = objectAt(record, 'properties') ?? record;
    const has = (key: string) => Object.hasOwn(properties, key);
    return (has('httpMethod') && has('httpStatus')) || (has('HttpMethod') && has('HttpStatus'));
  },
  fill(record, row) {
    const properties = objectAt(record, 'properties') ?? record;
    putAll(row, record, { timeStamp: 'timeEnd', time: 'timeEnd', TimeGenerated: 'timeEnd' });
    putAll(row, properties, AZURE_NAMES);
  },
};

/** A number of JSON without an exponent, which is what the readers of numbers know. */
function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(9) : text;
}

export const JSON_FORMS: readonly JsonForm[] = [caddy, kong, cloudflare, gcp, azure];
