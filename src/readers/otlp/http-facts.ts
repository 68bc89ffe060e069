import { ALIASES } from './attributes.js';
import { integerOf, textOf } from './lookup.js';
import type { Span } from './span.js';

/** The HTTP request that a span tells of. */
export interface HttpFacts {
  readonly method: string | null;
  readonly status: number | null;
  /** `https://host:port`, `host:port` or empty. */
  readonly origin: string;
  /** Path without query; null: not said. */
  readonly path: string | null;
  /** With `?`; empty: none. */
  readonly query: string;
}

/** What a span says of an HTTP request (semantic conventions for HTTP, stable and older names). */
export function httpFacts(span: Span): HttpFacts {
  const { attributes } = span;
  const url = textOf(attributes, ALIASES.url);
  const method = textOf(attributes, ALIASES.httpMethod);
  const status = statusOf(span);
  const absolute =
    url === null ? null : /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#@]*@)?([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url);
  if (absolute !== null) {
    const [, scheme = '', host = '', path = '', query = ''] = absolute;
    return { method, status, origin: `${scheme}${host}`.toLowerCase(), path: path === '' ? '/' : path, query };
  }
  const raw = textOf(attributes, ALIASES.path) ?? url;
  const mark = raw?.indexOf('?') ?? -1;
  const path = raw === null ? null : mark < 0 ? raw : raw.slice(0, mark);
  const query = mark >= 0 && raw !== null ? raw.slice(mark) : queryOf(span);
  return { method, status, origin: hostOf(span), path: path === '' ? '/' : path, query };
}

function queryOf(span: Span): string {
  const query = textOf(span.attributes, ALIASES.query);
  return query === null ? '' : `?${query.replace(/^\?/, '')}`;
}

function hostOf(span: Span): string {
  const host = textOf(span.attributes, ALIASES.host);
  if (host === null) return '';
  const port = integerOf(span.attributes, ALIASES.port);
  const bare = host.toLowerCase();
  return port === null || /:\d+$/.test(bare) ? bare : `${bare}:${port}`;
}

/** HTTP instrumentations write the status into `error.type` too; some write nothing else. */
function statusOf(span: Span): number | null {
  const status = integerOf(span.attributes, ALIASES.status) ?? integerOf(span.attributes, ['error.type']);
  return status !== null && status >= 100 && status <= 599 ? status : null;
}

/**
 * Whether a path is that of an MCP endpoint by its name: a segment `mcp` that is not documentation, discovery or a probe.
 * What endpoint a server uses is free; others are learned from spans that name a method or a session.
 */
export function isMcpPath(path: string): boolean {
  if (path.length > 2048) return false;
  const segments = path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
  return segments.includes('mcp') && !segments.some((segment) => NOT_ENDPOINTS.has(segment));
}

const NOT_ENDPOINTS: ReadonlySet<string> = new Set([
  '.well-known',
  'docs',
  'health',
  'healthz',
  'livez',
  'readyz',
  'ready',
  'live',
  'metrics',
  'favicon.ico',
  'oauth',
  'oauth2',
  'authorize',
  'token',
  'register',
]);
