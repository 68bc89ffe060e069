import { splitTarget } from '../endpoint.js';

/** What is known of a path that requests went to. Shared by all requests to it. */
export interface Place {
  /** An MCP endpoint: by its name, or because a request to it carried an MCP header. */
  isMcp: boolean;
}

/** A request, taken apart once and remembered. */
export interface RequestInfo {
  readonly method: string | null;
  /** Path with query, secrets replaced. */
  readonly path: string;
  /** Where it went as far as the target says: a path, or a whole URL without its query. */
  readonly endpoint: string;
  readonly place: Place;
  /** A GET, POST or DELETE, which is all that MCP uses. */
  readonly isMcpMethod: boolean;
}

const MAX_REMEMBERED = 20_000;
const METHOD = /^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,31}$/;

/** Takes request lines apart and knows which paths are MCP endpoints. */
export class Requests {
  readonly #lines = new Map<string, RequestInfo | null>();
  readonly #parts = new Map<string | null, Map<string, RequestInfo | null>>();
  readonly #places = new Map<string, Place>();
  readonly #endpoints = new Map<string, string>();

  /**
   * A request line: `POST /mcp HTTP/1.1`. The target may hold spaces; the protocol may be missing when the line was cut.
   * null: not a request that HTTP knows (`<BADREQ>`, a TLS handshake, an empty line).
   */
  line(text: string): RequestInfo | null {
    const known = this.#lines.get(text);
    if (known !== undefined) return known;
    const space = text.indexOf(' ');
    const method = space < 0 ? '' : text.slice(0, space);
    const protocol = text.lastIndexOf(' HTTP/');
    const target = text.slice(space + 1, protocol > space ? protocol : undefined);
    const info = METHOD.test(method) && target !== '' && target !== '-' ? this.#info(method, target) : null;
    return remember(this.#lines, text, info);
  }

  /** Method and target (a path with query, or a whole URL) where the log has them apart. */
  parts(method: string | null, target: string): RequestInfo | null {
    let targets = this.#parts.get(method);
    if (targets === undefined) targets = remember(this.#parts, method, new Map<string, RequestInfo | null>());
    const known = targets.get(target);
    if (known !== undefined) return known;
    if (method === null && target.includes(' HTTP/')) return this.line(target);
    return remember(targets, target, target === '' || target === '-' ? null : this.#info(method, target));
  }

  /** The endpoint with the host and scheme that the log names beside the path. */
  endpoint(info: RequestInfo, scheme: string | null, host: string | null): string {
    if (!host || !info.endpoint.startsWith('/')) return info.endpoint;
    const origin = scheme ? `${scheme}://${host}` : host;
    const key = `${origin} ${info.endpoint}`;
    const known = this.#endpoints.get(key);
    if (known !== undefined) return known;
    const url = splitTarget(`${origin.toLowerCase()}${info.endpoint}`, null).endpoint;
    return remember(this.#endpoints, key, url);
  }

  #info(method: string | null, target: string): RequestInfo {
    const { endpoint, path } = splitTarget(target, null);
    const pathname = path.replace(/[?].*$/s, '');
    const place = this.#places.get(pathname) ?? remember(this.#places, pathname, { isMcp: isMcpPath(pathname) });
    return { method, path, endpoint, place, isMcpMethod: method === null || /^(?:GET|POST|DELETE)$/.test(method) };
  }
}

/** Whether a path is named as MCP endpoints are: `/mcp`, `/mcp/…`, `…/mcp`, `…/mcp/`. */
export function isMcpPath(pathname: string): boolean {
  return /^\/mcp(?:\/|$)|\/mcp\/?$/i.test(pathname);
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): V {
  if (map.size >= MAX_REMEMBERED) map.clear();
  map.set(key, value);
  return value;
}
