import type { ReaderOptions, ReadSummary, RecordSink } from '../reader.js';
import type { Capture, Evidence, Vantage } from '../record.js';
import { httpFacts } from './http-facts.js';
import type { SpanSink } from './json-spans.js';
import { isMcpSpan, provesEndpoint, vantageOf } from './mcp-span.js';
import { originFacts } from './origin.js';
import { rpcFacts } from './rpc-facts.js';
import type { Span } from './span.js';
import { spanExchange } from './span-exchange.js';

interface Entry {
  readonly key: string | null;
  readonly weight: Weight;
  readonly capture: Capture;
  readonly emitter: string;
}

/** Spans held back before they are handed on: what one span teaches about others is applied within this window. */
const WINDOW_SPANS = 16_384;
/** Spans whose ids are remembered beyond the window, twice over. */
const REMEMBERED_SPANS = 100_000;

/** Endpoints and emitters of one source that are told apart. */
const MAX_LEARNED = 256;

/** What is remembered of a span that has been handed on: enough to tell which of two deliveries says more. */
interface Weight {
  readonly endedNs: bigint | null;
  readonly attributeCount: number;
  readonly incomplete: boolean;
}

/**
 * Turns the spans of one source into exchanges.
 *
 * Holds a window of spans back, because spans explain one another: a span delivered twice is one span (the later end and
 * the more attributes win); an emitter that captures a header on one span would have captured it on the next. A path that
 * served an MCP request is an endpoint from there on. Memory does not grow with the source.
 */
export class SpanWindow implements SpanSink {
  /** Paths of endpoints that spans proved. */
  readonly endpoints = new Set<string>();
  #records = 0;
  #rejects = 0;
  #negative = 0;
  readonly #sink: RecordSink;
  readonly #options: ReaderOptions;
  #entries: Entry[] = [];
  #places = new Map<string, number>();
  #recent = new Map<string, Weight>();
  #older = new Map<string, Weight>();
  readonly #capturesRequest = new Set<string>();
  readonly #capturesResponse = new Set<string>();
  readonly #vantages = new Set<Vantage>();
  readonly #evidence = new Set<Evidence>();
  readonly #services = new Map<string, number>();

  constructor(sink: RecordSink, options: ReaderOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /** Records seen: exchanges, skipped, rejected, duplicates. */
  get records(): number {
    return this.#records;
  }

  get rejects(): number {
    return this.#rejects;
  }

  get vantage(): Vantage | 'mixed' {
    const [first = 'unknown', ...others] = this.#vantages;
    return others.length > 0 ? 'mixed' : first;
  }

  get evidence(): readonly Evidence[] {
    return [...this.#evidence];
  }

  /** Services and scopes that wrote the MCP spans, the most frequent first. */
  get producer(): string | null {
    const [most] = [...this.#services].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return most?.[0] ?? null;
  }

  get warnings(): readonly string[] {
    return this.#negative === 0
      ? []
      : [`${this.#negative} span(s) end before they start; they are taken to have no length`];
  }

  add(span: Span): void {
    this.#records += 1;
    const rpc = rpcFacts(span);
    const http = httpFacts(span);
    if (!isMcpSpan(span, rpc, http, this.endpoints)) {
      this.#sink.skip(1);
      return;
    }
    const vantage = this.#options.vantage ?? vantageOf(span, rpc);
    const { emitter } = originFacts(span.origin);
    this.#learn(span, emitter, provesEndpoint(span, rpc, http) ? http.path : null);
    const key = span.traceId !== null && span.spanId !== null ? `${span.traceId}${span.spanId}${vantage}` : null;
    const capture = spanExchange(span, rpc, http, vantage);
    this.#hold({
      key,
      weight: weightOf(span),
      capture,
      emitter,
    });
  }

  skip(count: number): void {
    this.#records += count;
    if (count > 0) this.#sink.skip(count);
  }

  reject(locator: string, reason: string): void {
    this.#records += 1;
    this.#rejects += 1;
    this.#sink.reject(locator, reason);
  }

  /** Hands on everything that is held back. */
  flush(): void {
    for (const entry of this.#entries) {
      this.#emit(entry);
    }
    this.#entries = [];
    this.#places.clear();
  }

  #hold(entry: Entry): void {
    const { key } = entry;
    const place = key === null ? undefined : this.#places.get(key);
    if (place !== undefined) {
      this.#sink.duplicate(1);
      if (saysMore(entry.weight, (this.#entries[place] as Entry).weight)) this.#entries[place] = entry;
      return;
    }
    const handedOn = key === null ? undefined : (this.#recent.get(key) ?? this.#older.get(key));
    // A fuller second delivery still goes on: the store keeps one of the two, as it does across sources.
    if (handedOn !== undefined && !saysMore(entry.weight, handedOn)) {
      this.#sink.duplicate(1);
      return;
    }
    if (key !== null) this.#places.set(key, this.#entries.length);
    this.#entries.push(entry);
    if (this.#entries.length >= WINDOW_SPANS) this.flush();
  }

  #learn(span: Span, emitter: string, path: string | null): void {
    if (path !== null && this.endpoints.size < MAX_LEARNED) this.endpoints.add(path);
    if (span.attributes.has('http.request.header.mcp-session-id')) this.#capturesRequest.add(emitter);
    if (span.attributes.has('http.response.header.mcp-session-id')) this.#capturesResponse.add(emitter);
  }

  #emit(entry: Entry): void {
    const { capture, weight, emitter, key } = entry;
    const { exchange } = capture;
    if (this.#capturesRequest.has(emitter)) exchange.sawRequestHeaders = true;
    if (this.#capturesResponse.has(emitter)) exchange.sawResponseHeaders = true;
    if (exchange.endedNs !== null && exchange.startedNs !== null && exchange.endedNs < exchange.startedNs) {
      exchange.endedNs = exchange.startedNs;
      this.#negative += 1;
    }
    if (key !== null) this.#remember(key, weight);
    this.#vantages.add(exchange.vantage);
    if (this.#services.size < MAX_LEARNED || this.#services.has(emitter)) {
      this.#services.set(emitter, (this.#services.get(emitter) ?? 0) + 1);
    }
    this.#noteEvidence(capture);
    this.#sink.capture(capture);
  }

  #remember(key: string, weight: Weight): void {
    this.#recent.set(key, weight);
    if (this.#recent.size >= REMEMBERED_SPANS) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
  }

  #noteEvidence({ exchange, messages }: Capture): void {
    if (exchange.sawRequestHeaders || exchange.requestSession !== null) this.#evidence.add('request-headers');
    if (exchange.sawResponseHeaders) this.#evidence.add('response-headers');
    if (exchange.status !== null) this.#evidence.add('status');
    if (exchange.sawRequestBody || messages.some((message) => message.argumentsDigest !== null))
      this.#evidence.add('bodies');
    if (exchange.endState !== 'unknown') this.#evidence.add('end-state');
    if (exchange.backends.length > 0) this.#evidence.add('backend');
    if (exchange.principal !== null) this.#evidence.add('principal');
  }
}

/** What a window that has been flushed says of its source. */
export function summaryOf(format: string, window: SpanWindow): ReadSummary {
  const { producer, vantage, records, evidence, warnings } = window;
  return { format, producer, vantage, records, evidence, warnings };
}

function weightOf({ endedNs, attributeCount, incomplete }: Span): Weight {
  return { endedNs, attributeCount, incomplete };
}

/** Whether a delivery of a span tells more than another: it ended, ended later, or kept more attributes. */
function saysMore(span: Weight, than: Weight): boolean {
  if (span.endedNs !== than.endedNs) {
    if (span.endedNs === null || than.endedNs === null) return than.endedNs === null;
    return span.endedNs > than.endedNs;
  }
  return span.attributeCount > than.attributeCount || (than.incomplete && !span.incomplete);
}
