const MAX_REMEMBERED = 4096;
const mediaTypes = new Map<string, string>();

/** `Text/Event-Stream; charset=utf-8` as `text/event-stream`. */
export function mediaType(value: string): string {
  const known = mediaTypes.get(value);
  if (known !== undefined) return known;
  const type = value.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaTypes.size >= MAX_REMEMBERED) mediaTypes.clear();
  mediaTypes.set(value, type);
  return type;
}

/** `10.0.1.9:54414`, `[::1]:80` and `[::1]` without port and brackets; an IPv6 address without brackets stays. */
export function stripPort(address: string): string {
  const colon = address.indexOf(':');
  if (colon < 0) return address;
  if (address.startsWith('[')) {
    const close = address.indexOf(']');
    return close < 0 ? address : address.slice(1, close);
  }
  return address.indexOf(':', colon + 1) < 0 ? address.slice(0, colon) : address;
}

const names = new Map<string, string>();

/** A value of `Mcp-Method` or `Mcp-Name`: what is not ASCII stands in `=?base64?…?=` (2026-07-28). */
export function headerName(value: string): string {
  if (!value.startsWith('=?')) return value;
  const known = names.get(value);
  if (known !== undefined) return known;
  const encoded = /^=\?base64\?([A-Za-z0-9+/_-]*={0,2})\?=$/i.exec(value);
  const name = encoded === null ? value : Buffer.from(encoded[1]!, 'base64').toString('utf8');
  if (names.size >= MAX_REMEMBERED) names.clear();
  names.set(value, name);
  return name;
}

const NO_PARENTS = { traceId: null, spanId: null };

/** The ids of a `traceparent` (W3C Trace Context, section 3.2); the span is the caller's. Malformed: none. */
export function spanParents(value: string | null): { traceId: string | null; spanId: string | null } {
  const match = value === null ? null : /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/i.exec(value);
  if (match === null || /^0+$/.test(match[1]!)) return NO_PARENTS;
  return { traceId: match[1]!.toLowerCase(), spanId: match[2]!.toLowerCase() };
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/**
 * A duration with its unit, in nanoseconds: `604ms`, `0.6s`, `1m2.5s`. A number with a fraction alone counts seconds;
 * a whole number alone could be anything: null.
 */
export function durationTextNs(text: string | null): number | null {
  if (text === null || text === '') return null;
  if (/^\d{1,12}\.\d{1,12}$/.test(text)) return Math.round(Number(text) * 1e9);
  let total = 0;
  let rest = text;
  while (rest !== '') {
    const match = /^(\d{1,15}(?:\.\d{1,12})?)(ns|us|µs|μs|ms|s|m|h)/.exec(rest);
    if (match === null) return null;
    total += Number(match[1]) * UNITS[match[2]!]!;
    rest = rest.slice(match[0].length);
  }
  return Math.round(total);
}
