import { PostmortemError } from '../../error.js';

/** Where OTLP/HTTP goes, and what goes with each request. */
export interface OtlpEndpoint {
  readonly logs: string;
  readonly traces: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For messages: without credentials and query. */
  readonly shown: string;
}

/**
 * An OTLP/HTTP endpoint of its base URL (`http://collector:4318`) or that of one signal (`…/v1/logs`).
 * @param headers as `OTEL_EXPORTER_OTLP_HEADERS` holds them: `name=value,name=value`, values percent-encoded
 *   (OpenTelemetry, OTLP exporter configuration); for tokens, which do not belong on a command line
 * @throws PostmortemError `usage`
 */
export function otlpEndpoint(url: string, headers = ''): OtlpEndpoint {
  const base = parsedUrl(url);
  const login = { user: decoded(base.username), password: decoded(base.password) };
  base.username = '';
  base.password = '';
  base.hash = '';
  const path = base.pathname.replace(/\/v1\/(?:logs|traces)\/?$/, '').replace(/\/$/, '');
  const of = (signal: string) => {
    const target = new URL(base);
    target.pathname = `${path}/v1/${signal}`;
    return target.href;
  };
  const authorization =
    login.user === '' && login.password === ''
      ? {}
      : { authorization: `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}` };
  return {
    logs: of('logs'),
    traces: of('traces'),
    headers: { ...authorization, ...headerList(headers) },
    shown: `${base.origin}${path}`,
  };
}

function parsedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  // The text may hold a password: it is not repeated.
  throw new PostmortemError('usage', '--otlp-endpoint: is no http or https URL', 'Example: http://localhost:4318');
}

function headerList(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const item of text.split(',').filter((part) => part.trim() !== '')) {
    const at = item.indexOf('=');
    const name = item.slice(0, Math.max(0, at)).trim().toLowerCase();
    const value = decoded(item.slice(at + 1).trim());
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new PostmortemError(
        'usage',
        'OTEL_EXPORTER_OTLP_HEADERS: is no list of name=value',
        'Write authorization=Bearer%20TOKEN,x-scope-orgid=team.',
      );
    }
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
