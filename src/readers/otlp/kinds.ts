import type { SpanKind } from './span.js';

/** SpanKind of trace.proto, by number. */
const BY_NUMBER: readonly (SpanKind | null)[] = [null, 'internal', 'server', 'client', 'producer', 'consumer'];

const BY_NAME: ReadonlyMap<string, SpanKind> = new Map([
  ['INTERNAL', 'internal'],
  ['SERVER', 'server'],
  ['CLIENT', 'client'],
  ['PRODUCER', 'producer'],
  ['CONSUMER', 'consumer'],
]);

/** Span kind as number or name: `2`, `"2"`, `SPAN_KIND_SERVER`, `Server`, `SpanKind.SERVER`; null: unspecified. */
export function spanKind(value: unknown): SpanKind | null {
  if (typeof value === 'number') return BY_NUMBER[value] ?? null;
  if (typeof value !== 'string') return null;
  if (/^\d$/.test(value)) return BY_NUMBER[Number(value)] ?? null;
  return BY_NAME.get(value.toUpperCase().replace(/^(SPAN_KIND_|SPANKIND\.)/, '')) ?? null;
}

/**
 * Whether a W3C `tracestate` says that traces like this one were thinned out: a sampling threshold above zero
 * (OpenTelemetry's `ot` entry, `th`).
 */
export function isSampled(traceState: unknown): boolean {
  return (
    typeof traceState === 'string' &&
    traceState.length < 1024 &&
    /(?:^|,)\s*ot=(?:[^,]*;)?th:0*[1-9a-f]/.test(traceState)
  );
}

/** Whether a status code (`2`, `STATUS_CODE_ERROR`, `Error`, `StatusCode.ERROR`) is an error. */
export function isErrorStatus(code: unknown): boolean {
  if (typeof code === 'number') return code === 2;
  return typeof code === 'string' && /^(2|(STATUS_CODE_|STATUSCODE\.)?ERROR)$/i.test(code);
}
