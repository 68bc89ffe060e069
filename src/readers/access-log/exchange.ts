import { eraOfVersion } from '../../mcp/era.js';
import { type Evidence, type ExchangeRecord, emptyExchange, type Vantage } from '../record.js';
import { type Backends, NO_BACKENDS, singleBackend, upstreamBackends } from './backends.js';
import type { Dialect, ReadText } from './dialect.js';
import { decode, Interner } from './intern.js';
import { integerAt } from './numbers.js';
import { type RequestInfo, Requests } from './request.js';
import { ABSENT, type Row, SLOT, type SlotName } from './slot.js';
import type { Timing } from './timing.js';
import { unescapeValue } from './unescape.js';
import { headerName, mediaType, spanParents, stripPort } from './values.js';

const MINUS = 45;

function isMasked(value: string | null): boolean {
  return value !== null && value.length <= 12 && /^(?:\[?redacted\]?|\*{3,})$/i.test(value);
}

/** Turns the values of one line into an exchange. Knows what the values mean, not where they stood. */
export class ExchangeBuilder {
  readonly requests = new Requests();
  /** Why the last line gave no exchange: a broken line; null: it is well formed and not MCP. */
  reason: string | null = null;
  /** What the lines so far can carry. */
  readonly evidence = new Set<Evidence>();
  readonly #interner = new Interner();
  readonly #read: ReadText;
  #row: Row | null = null;

  constructor(
    readonly vantage: Vantage,
    readonly timing: Timing,
  ) {
    this.#read = (slot) => this.#word(slot);
  }

  /** The exchange of a line; null: see `reason`. */
  build(row: Row, dialect: Dialect, locator: string): ExchangeRecord | null {
    this.#row = row;
    this.reason = null;
    const request = this.#request(row);
    if (this.reason !== null) return null;
    const marked = this.#text(row, SLOT.session);
    const rawSession = row.from[SLOT.session] === ABSENT ? this.#text(row, SLOT.plainSession) : marked;
    const markedResponse = this.#text(row, SLOT.responseSession) ?? this.#answeredBy(row, SLOT.upstreamSession);
    const rawResponseSession = markedResponse ?? this.#answeredBy(row, SLOT.plainResponseSession);
    const session = isMasked(rawSession) ? null : rawSession;
    const responseSession = isMasked(rawResponseSession) ? null : rawResponseSession;
    const lastEventId = this.#text(row, SLOT.lastEventId);
    const protocolVersion = this.#text(row, SLOT.protocolVersion);
    const rpcMethod = this.#text(row, SLOT.rpcMethod);
    // Any event source of a web page sends Last-Event-ID; it tells only where sessions are not logged.
    const isResume = !!lastEventId && row.from[SLOT.session] === ABSENT;
    const isMarked = !!(marked || markedResponse || protocolVersion || rpcMethod || isResume);
    if (isMarked) {
      if (request !== null) request.place.isMcp = true;
    } else if (request === null || !request.place.isMcp || !request.isMcpMethod) {
      return null;
    }
    const status = this.#status(row);
    if (this.reason !== null) return null;

    const exchange = emptyExchange(locator, this.vantage);
    this.reason = this.timing.stamp(row, exchange);
    if (this.reason !== null) return null;
    exchange.status = status;
    exchange.httpMethod = request?.method ?? this.#text(row, SLOT.method);
    if (request !== null) {
      exchange.path = request.path;
      exchange.endpoint =
        row.from[SLOT.host] === ABSENT
          ? request.endpoint
          : this.requests.endpoint(request, this.#text(row, SLOT.scheme), this.#text(row, SLOT.host));
    }
    exchange.requestSession = session;
    exchange.responseSession = responseSession;
    exchange.lastEventId = lastEventId;
    exchange.protocolVersion = protocolVersion;
    if (rpcMethod) {
      exchange.rpcMethod = headerName(rpcMethod);
      const name = this.#text(row, SLOT.rpcName);
      if (name && exchange.rpcMethod === 'tools/call') exchange.tool = headerName(name);
    }
    exchange.era =
      eraOfVersion(protocolVersion) ?? (rpcMethod ? 'stateless' : session || responseSession ? 'sessions' : null);
    // A session that was masked is not an absent one: the log does not show it.
    exchange.sawRequestHeaders =
      (row.from[SLOT.session] !== ABSENT || row.from[SLOT.plainSession] !== ABSENT) && session === rawSession;
    exchange.sawResponseHeaders =
      (row.from[SLOT.responseSession] !== ABSENT ||
        row.from[SLOT.upstreamSession] !== ABSENT ||
        row.from[SLOT.plainResponseSession] !== ABSENT) &&
      responseSession === rawResponseSession;
    const ending = dialect.ending(status, this.#read);
    exchange.endState = ending.state;
    exchange.endReason = ending.reason;
    const backends = this.#backends(row, status);
    exchange.backends = backends.names;
    exchange.backendStatuses = backends.statuses;
    exchange.attempts = attemptsOf(row);
    this.#people(row, dialect, exchange);
    this.#rest(row, exchange);
    if (!this.evidence.has('end-state') && dialect.knowsEnd(this.#read)) this.evidence.add('end-state');
    this.#note(row, exchange);
    return exchange;
  }

  /** A session of the response under another name: counts where the answer to the client was not logged as such. */
  #answeredBy(row: Row, slot: number): string | null {
    return row.from[SLOT.responseSession] === ABSENT ? this.#text(row, slot) : null;
  }

  #request(row: Row): RequestInfo | null {
    if (row.from[SLOT.request]! >= 0) {
      const line = this.#text(row, SLOT.request);
      if (line === '<BADREQ>') this.reason = 'the proxy itself could not read this request (<BADREQ>)';
      return line ? this.requests.line(line) : null;
    }
    const uri = this.#text(row, SLOT.uri);
    if (!uri) return null;
    const query = row.from[SLOT.query] === ABSENT ? null : this.#text(row, SLOT.query);
    const target = query && !uri.includes('?') ? `${uri}?${query.replace(/^\?/, '')}` : uri;
    return this.requests.parts(this.#text(row, SLOT.method), target);
  }

  #people(row: Row, dialect: Dialect, exchange: ExchangeRecord): void {
    const forwarded = this.#text(row, SLOT.forwardedFor);
    const first = forwarded ? forwarded.split(',', 1)[0]!.trim() : null;
    const peer = this.#text(row, SLOT.client);
    const client = dialect.clientFrom === 'forwarded' ? first || peer : peer || first;
    exchange.client = client ? stripPort(client) : null;
    exchange.userAgent = this.#text(row, SLOT.userAgent);
    exchange.connection = this.#text(row, SLOT.connection) || null;
    if (row.from[SLOT.authorization]! >= 0 || row.from[SLOT.user]! >= 0) {
      const credential = this.#text(row, SLOT.authorization) || this.#text(row, SLOT.user);
      if (credential && !/redacted|^\*+$/i.test(credential)) {
        exchange.principal = credential;
        this.evidence.add('principal');
      }
    }
  }

  #rest(row: Row, exchange: ExchangeRecord): void {
    const responseType = this.#text(row, SLOT.responseType);
    if (responseType) exchange.responseType = mediaType(responseType);
    const requestType = this.#text(row, SLOT.requestType);
    if (requestType) exchange.requestType = mediaType(requestType);
    exchange.requestBytes = integerAt(row, SLOT.requestBytes);
    exchange.responseBytes = integerAt(row, SLOT.responseBytes);
    const requestId = row.from[SLOT.requestId]!;
    if (requestId >= 0) exchange.requestId = this.#unique(row, SLOT.requestId);
    if (row.from[SLOT.traceparent]! >= 0) {
      const parents = spanParents(this.#unique(row, SLOT.traceparent));
      exchange.traceId = parents.traceId;
      exchange.parentSpanId = parents.spanId;
    }
    if (row.from[SLOT.traceId]! >= 0) {
      const traceId = this.#unique(row, SLOT.traceId)?.toLowerCase() ?? '';
      const spanId = this.#unique(row, SLOT.spanId)?.toLowerCase() ?? '';
      if (/^[0-9a-f]{16}(?:[0-9a-f]{16})?$/.test(traceId)) exchange.traceId = traceId.padStart(32, '0');
      if (/^[0-9a-f]{16}$/.test(spanId)) exchange.spanId = spanId;
    }
  }

  #backends(row: Row, status: number | null): Backends {
    if (row.from[SLOT.upstream] !== ABSENT) {
      const list = this.#text(row, SLOT.upstream);
      return list ? upstreamBackends(list, this.#text(row, SLOT.upstreamStatus)) : NO_BACKENDS;
    }
    if (row.from[SLOT.backendServer] !== ABSENT) {
      const server = this.#text(row, SLOT.backendServer);
      const pool = this.#text(row, SLOT.backendPool);
      if (!server || server.startsWith('<')) return NO_BACKENDS;
      return singleBackend(server, status, pool);
    }
    const backend = this.#text(row, SLOT.backend);
    if (!backend) return NO_BACKENDS;
    const cluster = this.#text(row, SLOT.upstreamCluster);
    if (cluster?.startsWith('inbound|') || backend.startsWith('127.0.0.6:')) {
      // The sidecar of the server: its upstream is the loopback, the instance is the pod it sits in.
      const pod = this.#text(row, SLOT.localAddress);
      if (pod) return singleBackend(pod, status, null);
    }
    if (row.from[SLOT.upstreamStatus] === ABSENT) return singleBackend(backend, status, null);
    const statuses = this.#text(row, SLOT.upstreamStatus);
    if (backend.includes(', ')) return upstreamBackends(backend, statuses);
    return singleBackend(backend, statuses === null ? null : Number(statuses) || null, null);
  }

  /** HTTP status; null: none was sent (0, 000, -1, `-`). Sets `reason` for what is no status. */
  #status(row: Row): number | null {
    const from = row.from[SLOT.status]!;
    if (from < 0) return null;
    const value = integerAt(row, SLOT.status);
    if (value !== null) return value >= 100 && value <= 999 ? value : null;
    const text = this.#interner.text(row.bytes, from, Math.min(row.to[SLOT.status]!, from + 20));
    if (text !== '' && text !== '-' && text !== '-1') this.reason = 'what stands in the place of the status is none';
    return null;
  }

  #text(row: Row, slot: number): string | null {
    const from = row.from[slot]!;
    if (from < 0) return null;
    const to = row.to[slot]!;
    if (from === to) return row.blank === 'dash-or-empty' ? null : '';
    if (to - from === 1 && row.bytes[from] === MINUS && row.blank !== 'exact') return null;
    return row.escaped ? unescapeValue(row.bytes, from, to, row.escape) : this.#interner.text(row.bytes, from, to);
  }

  /** A value that hardly ever comes twice. */
  #unique(row: Row, slot: number): string | null {
    const from = row.from[slot]!;
    const to = row.to[slot]!;
    if (from < 0 || from === to || (to - from === 1 && row.bytes[from] === MINUS)) return null;
    return decode(row.bytes, from, to);
  }

  #word(slot: SlotName): string | null {
    const row = this.#row!;
    const from = row.from[SLOT[slot]]!;
    if (from === ABSENT) return null;
    return from < 0 ? '-' : this.#interner.text(row.bytes, from, row.to[SLOT[slot]]!);
  }

  #note(row: Row, exchange: ExchangeRecord): void {
    const { evidence } = this;
    if (exchange.sawRequestHeaders) evidence.add('request-headers');
    if (exchange.sawResponseHeaders) evidence.add('response-headers');
    if (row.from[SLOT.status] !== ABSENT) evidence.add('status');
    if (
      row.from[SLOT.upstream] !== ABSENT ||
      row.from[SLOT.backend] !== ABSENT ||
      row.from[SLOT.backendServer] !== ABSENT
    ) {
      evidence.add('backend');
    }
  }
}

/** Tries of the request, the first included; null: not counted, or none. */
function attemptsOf(row: Row): number | null {
  if (row.from[SLOT.attempts]! >= 0) return integerAt(row, SLOT.attempts) || null;
  if (row.from[SLOT.retries]! < 0) return null;
  const retries = integerAt(row, SLOT.retries);
  return retries === null ? null : retries + 1;
}
