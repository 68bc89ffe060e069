/** Builds OTLP/JSON for tests: attributes as a plain object, values as OTLP's AnyValue or as text and numbers. */

type Value = string | number | readonly string[] | { readonly [key: string]: unknown };

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  return value as object;
}

export function attributes(values: Readonly<Record<string, Value>>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

export const START_NS = 1795075200125000000n;

export interface SpanOptions {
  readonly name?: string;
  readonly kind?: number;
  readonly ids?: number;
  readonly lengthMs?: number | null;
  readonly attributes?: Readonly<Record<string, Value>>;
  readonly [field: string]: unknown;
}

let count = 0;

/** One span; ids count up unless `ids` says which. */
export function span({ ids, lengthMs = 10, attributes: values = {}, ...rest }: SpanOptions): object {
  count += 1;
  const id = (ids ?? count).toString(16);
  return {
    traceId: id.padStart(32, 'a'),
    spanId: id.padStart(16, 'b'),
    name: 'span',
    kind: 2,
    startTimeUnixNano: String(START_NS),
    ...(lengthMs === null ? {} : { endTimeUnixNano: String(START_NS + BigInt(lengthMs) * 1_000_000n) }),
    attributes: attributes(values),
    status: {},
    ...rest,
  };
}

/** One request as a line. */
export function line(spans: readonly object[], scope = 'http', resource: Readonly<Record<string, Value>> = {}): string {
  const scopeSpans = [{ scope: { name: scope }, spans }];
  return `${JSON.stringify({ resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans }] })}\n`;
}
