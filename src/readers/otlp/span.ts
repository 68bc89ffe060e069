/** A value of an attribute: OTLP's AnyValue (common.proto) in plain terms. Bytes are base64 text. */
export type AttributeValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

/** Attributes by lower-case key, header names with dashes; of a key given twice the last one. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** What emitted the spans: resource and instrumentation scope. */
export interface Origin {
  readonly resource: Attributes;
  /** Name of the instrumentation scope; empty: none given. */
  readonly scope: string;
}

/** One span, or one log record that stands for a request, whatever format it was read from. */
export interface Span {
  /** `span 00f067aa0ba902b7`, or the place in the file when there is no id. */
  readonly locator: string;
  /** 32 and 16 lower-case hex digits; null: empty, invalid or all zero. */
  readonly traceId: string | null;
  readonly spanId: string | null;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** null: not said (and log records). */
  readonly kind: SpanKind | null;
  /** Nanoseconds since the epoch, UTC; null: missing, zero or beyond 64 bits. */
  readonly startedNs: bigint | null;
  readonly endedNs: bigint | null;
  readonly precisionNs: bigint;
  readonly attributes: Attributes;
  /** Attributes in the source, those that nothing here reads included. */
  readonly attributeCount: number;
  readonly events: readonly SpanEvent[];
  readonly origin: Origin;
  readonly failed: boolean;
  readonly statusMessage: string;
  /** Attributes or events were dropped before export. */
  readonly incomplete: boolean;
  /** A log record: written once, after the request. */
  readonly isLog: boolean;
}

export const NO_ATTRIBUTES: Attributes = new Map();
export const NO_ORIGIN: Origin = { resource: NO_ATTRIBUTES, scope: '' };
