import { parseJson } from '../mcp/json.js';
import { isObject } from '../mcp/json-object.js';
import { type HeaderMap, header } from './captured-http.js';

const KEY_HEADERS = ['x-api-key', 'api-key', 'x-auth-token'];
/** Cookies that balancers and analytics set: they change within one login and name nobody. */
const NOT_A_LOGIN =
  /^(?:AWSALB|AWSELB|ARRAffinity|GCLB|GCILB|BIGip|SERVERID|INGRESSCOOKIE|ROUTEID|route$|lb|__cf|cf_|_ga|_gid|__utm|_dd|ajs_|amp_)/i;

/** Whoever sent the request, as raw text for the door to digest: credential, key or login cookies; null: none seen. */
export function principalOf(headers: HeaderMap | null): string | null {
  if (headers === null) return null;
  const authorization = header(headers, 'authorization');
  if (authorization) return credentialOf(authorization);
  for (const name of KEY_HEADERS) {
    const key = header(headers, name);
    if (key) return key;
  }
  return loginCookies(headers.get('cookie') ?? []);
}

/**
 * What stays the same of an `Authorization` value while its token is renewed: issuer and subject of a JWT
 * (RFC 7519, section 4.1), else the whole value.
 */
export function credentialOf(authorization: string): string {
  const token = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization);
  if (token === null || authorization.length > 16_384) return authorization;
  const claims = parseJson(Buffer.from(token[1] ?? '', 'base64url').toString('utf8'));
  if (!claims.ok || !isObject(claims.value) || typeof claims.value.sub !== 'string') return authorization;
  const { iss, sub } = claims.value;
  return `jwt\0${typeof iss === 'string' ? iss : ''}\0${sub}`;
}

function loginCookies(values: readonly string[]): string | null {
  const kept = values
    .flatMap((value) => value.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !NOT_A_LOGIN.test(pair))
    .sort();
  return kept.length === 0 ? null : kept.join('; ');
}
