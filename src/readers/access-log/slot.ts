/**
 * What a line of an access log can say, whatever the proxy calls it. A reader puts the place of each value into a `Row`;
 * `exchange.ts` alone knows what the values mean.
 */
export const SLOTS = [
  // times
  'timeStart', // when the request began
  'timeEnd', // when the line was written
  'timeEndCoarse', // the same in whole seconds, where a finer one stands beside it
  'timeEither', // start or end: the format does not say
  'accessMs', // HAProxy %ms: milliseconds of the start
  'wrapperTime', // when docker or the kubelet took the line
  'durationS',
  'durationMs',
  'durationUs',
  'durationNs',
  'durationText', // 604ms, 0.6s
  // request
  'request', // POST /mcp HTTP/1.1
  'method',
  'uri', // path with query, or a whole URL
  'query',
  'scheme',
  'host',
  'status',
  'requestBytes',
  'responseBytes',
  'requestType',
  'responseType',
  'accept',
  // who
  'client',
  'forwardedFor',
  'user',
  'authorization',
  'connection',
  'userAgent',
  // MCP
  'session',
  'responseSession',
  'plainSession', // under a name that a web session may have as well: no proof of MCP
  'plainResponseSession',
  'upstreamSession', // as the upstream sent it: counts where the answer to the client was not logged
  'lastEventId',
  'protocolVersion',
  'rpcMethod',
  'rpcName',
  // where it went
  'upstream', // $upstream_addr: a list of tries
  'upstreamStatus',
  'backend', // one instance, taken as it stands
  'backendPool', // HAProxy %b
  'backendServer', // HAProxy %s
  'attempts', // Envoy %UPSTREAM_REQUEST_ATTEMPT_COUNT%: tries, the first included
  'retries', // Traefik RetryAttempts: tries after the first
  'upstreamCluster',
  'localAddress', // Envoy's downstream local address: the pod, on the inbound side
  // how it ended
  'completion', // $request_completion
  'termination', // HAProxy %tsc
  'flags', // Envoy response flags
  'details', // Envoy response code details, GCP statusDetails
  'aborted', // Apache %X
  // joining
  'requestId',
  'traceparent',
  'traceId',
  'spanId',
  'captures', // HAProxy %hr, with braces
  'responseCaptures',
] as const;

export type SlotName = (typeof SLOTS)[number];

/** Index of each slot in a row. */
export const SLOT = Object.freeze(Object.fromEntries(SLOTS.map((name, index) => [name, index]))) as Readonly<
  Record<SlotName, number>
>;

/** The format does not carry this. */
export const ABSENT = -1;
/** The format carries it, and the line says that it was not sent. */
export const NOT_SENT = -2;

/**
 * How values are escaped: `clf` `\xHH` (nginx, Apache) and `\"` `\\` `\t` (Apache); `haproxy` `#HH`; `json` as in strings of
 * RFC 8259; `none`: bytes as they are.
 */
export type Escape = 'clf' | 'haproxy' | 'json' | 'none';

/** How a value that was not sent looks: `-` (then an empty one was sent empty), or `-` and empty alike. */
export type Blank = 'dash' | 'dash-or-empty' | 'exact';

/** Places of the values of one line. Reused from line to line. */
export class Row {
  bytes: Buffer = Buffer.alloc(0);
  readonly from = new Int32Array(SLOTS.length).fill(ABSENT);
  readonly to = new Int32Array(SLOTS.length);
  escape: Escape = 'none';
  /** The line holds the escape character at all. */
  escaped = false;
  blank: Blank = 'exact';

  clear(): void {
    this.from.fill(ABSENT);
    this.escaped = false;
  }

  carries(slot: number): boolean {
    return this.from[slot] !== ABSENT;
  }
}

const SCRATCH_BYTES = 16 * 1024;

/** A row whose values are copied in one by one: for lines that are parsed as JSON first. */
export class ScratchRow extends Row {
  #used = 0;

  constructor() {
    super();
    this.bytes = Buffer.allocUnsafe(SCRATCH_BYTES);
  }

  override clear(): void {
    super.clear();
    this.#used = 0;
    if (this.bytes.length > SCRATCH_BYTES) this.bytes = Buffer.allocUnsafe(SCRATCH_BYTES);
  }

  /** Takes over what another row holds. */
  copy(row: Row): void {
    this.clear();
    this.escape = row.escape;
    this.escaped = row.escaped;
    this.blank = row.blank;
    for (let slot = 0; slot < SLOTS.length; slot += 1) {
      const from = row.from[slot]!;
      if (from < 0) this.from[slot] = from;
      else this.put(slot, row.bytes.toString('utf8', from, row.to[slot]));
    }
  }

  /** `null`: not sent. */
  put(slot: number, value: string | number | null): void {
    if (value === null) {
      this.from[slot] = NOT_SENT;
      return;
    }
    const text = typeof value === 'number' ? String(value) : value;
    const most = this.#used + text.length * 3;
    if (most > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(most, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.#used);
      this.bytes = larger;
    }
    this.from[slot] = this.#used;
    this.#used += this.bytes.write(text, this.#used, 'utf8');
    this.to[slot] = this.#used;
  }
}
