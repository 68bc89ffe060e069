/** Query parameters whose values are credentials, by a word in their name. */
const SECRET_WORDS =
  /token|secret|password|passwd|pwd|api[-_]?key|apikey|access[-_]?key|auth|credential|signature|session|jwt|bearer|cookie|assertion/i;
/** Short names that are credentials as a whole. */
const SECRET_NAMES = new Set([
  'key',
  'sig',
  'code',
  'pass',
  'pw',
  'sid',
  'state',
  'ticket',
  'k',
  'apikey',
  'otp',
  'hmac',
]);
/** What stands in place of a secret. */
export const REDACTED = 'REDACTED';

export interface Target {
  /** `https://host/mcp`, `host/mcp` or `/mcp`: no query, no user info. */
  readonly endpoint: string;
  /** Path with query, the values of secret-looking parameters replaced. */
  readonly path: string;
}

/**
 * Takes the target of a request apart. `url`: absolute (`https://u:p@host/mcp?x=1#f`) or a path (`/mcp?x=1`).
 * `host`: of the Host header, used when the target names none; null: unknown.
 */
export function splitTarget(url: string, host: string | null): Target {
  const plain = cutAt(url, '#');
  const scheme = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.exec(plain)?.[0] ?? '';
  const rest = plain.slice(scheme.length);
  const isPath = scheme === '' && (rest.startsWith('/') || rest.startsWith('*'));
  const authority = isPath ? '' : (/^[^/?]*/.exec(rest)?.[0] ?? '');
  const pathAndQuery = rest.slice(authority.length);
  const bare = authority.slice(authority.lastIndexOf('@') + 1);
  const origin =
    bare === '' ? (host ?? '') : `${scheme.toLowerCase()}${withoutDefaultPort(bare.toLowerCase(), scheme)}`;
  const path = cutAt(pathAndQuery, '?');
  return {
    endpoint: `${origin}${path === '' ? '/' : path}`,
    path: redactQuery(pathAndQuery === '' ? '/' : pathAndQuery),
  };
}

/** Replaces the values of secret-looking parameters in the query of a path or URL. */
export function redactQuery(path: string): string {
  const mark = path.indexOf('?');
  if (mark === -1 || mark === path.length - 1) return path;
  const parameters = path
    .slice(mark + 1)
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=');
      if (equals <= 0 || equals === parameter.length - 1) return parameter;
      return isSecretName(parameter.slice(0, equals)) || isSecretValue(parameter.slice(equals + 1))
        ? `${parameter.slice(0, equals)}=${REDACTED}`
        : parameter;
    });
  return `${path.slice(0, mark + 1)}${parameters.join('&')}`;
}

function isSecretName(name: string): boolean {
  const plain = name.replace(/%5b|%5d|[[\]]/gi, '').toLowerCase();
  return SECRET_NAMES.has(plain) || SECRET_WORDS.test(plain);
}

/** Values that are credentials under whatever name: JWTs and keys with a known prefix. */
function isSecretValue(value: string): boolean {
  return /^(?:ey[JK][\w-]{10,}\.[\w-]+|bearer[ +%]|sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA[0-9A-Z]{12})/i.test(value);
}

function withoutDefaultPort(authority: string, scheme: string): string {
  if (/^https:/i.test(scheme)) return authority.replace(/:443$/, '');
  return /^http:/i.test(scheme) ? authority.replace(/:80$/, '') : authority;
}

function cutAt(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
}
