import { DIALECTS } from './dialects.js';
import type { FormatToken, ParsedFormat } from './format-string.js';
import type { SlotName } from './slot.js';

const VARIABLES: Readonly<Record<string, SlotName>> = {
  remote_addr: 'client',
  realip_remote_addr: 'forwardedFor',
  remote_user: 'user',
  time_local: 'timeEndCoarse',
  time_iso8601: 'timeEndCoarse',
  msec: 'timeEnd',
  request: 'request',
  request_method: 'method',
  request_uri: 'uri',
  uri: 'uri',
  document_uri: 'uri',
  args: 'query',
  query_string: 'query',
  scheme: 'scheme',
  host: 'host',
  http_host: 'host',
  server_name: 'host',
  status: 'status',
  body_bytes_sent: 'responseBytes',
  bytes_sent: 'responseBytes',
  request_length: 'requestBytes',
  request_time: 'durationS',
  upstream_addr: 'upstream',
  upstream_status: 'upstreamStatus',
  request_completion: 'completion',
  connection: 'connection',
  request_id: 'requestId',
  req_id: 'requestId',
  http_x_request_id: 'requestId',
  http_user_agent: 'userAgent',
  http_x_forwarded_for: 'forwardedFor',
  http_authorization: 'authorization',
  http_mcp_session_id: 'session',
  sent_http_mcp_session_id: 'responseSession',
  upstream_http_mcp_session_id: 'upstreamSession',
  http_last_event_id: 'lastEventId',
  http_mcp_protocol_version: 'protocolVersion',
  http_mcp_method: 'rpcMethod',
  http_mcp_name: 'rpcName',
  http_traceparent: 'traceparent',
  http_content_type: 'requestType',
  content_type: 'requestType',
  sent_http_content_type: 'responseType',
  upstream_http_content_type: 'responseType',
};
const VARIABLE = /\$(?:\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g;

/** nginx `log_format`: the string alone, with `escape=…` in front, or the whole directive with its quoted pieces. */
export function nginxTokens(format: string): ParsedFormat {
  const directive = /^\s*log_format\s+\S+\s+(.*?);?\s*$/s.exec(format);
  let text = directive?.[1] ?? format;
  const given = /^\s*escape=(default|json|none)\s+/.exec(text);
  if (given !== null) text = text.slice(given[0].length);
  if (directive !== null || given !== null) text = joinQuoted(text);
  const tokens: FormatToken[] = [];
  let at = 0;
  for (const match of text.matchAll(VARIABLE)) {
    tokens.push(text.slice(at, match.index));
    const name = match[1] ?? match[2]!;
    tokens.push({
      slot: Object.hasOwn(VARIABLES, name) ? VARIABLES[name]! : null,
      isList: name.startsWith('upstream_') || name.startsWith('proxy_'),
    });
    at = match.index + match[0].length;
  }
  tokens.push(text.slice(at));
  const isJson = given?.[1] === 'json' || (given === null && /^\s*\{\s*"/.test(text));
  return {
    dialect: isJson ? DIALECTS.nginxJson : DIALECTS.nginx,
    escape: given?.[1] === 'none' ? 'none' : isJson ? 'json' : 'clf',
    blank: given?.[1] === 'none' || isJson ? 'dash-or-empty' : 'dash',
    tokens,
  };
}

/** `'a' "b" 'c'` as one text, backslashes before quotes taken off. */
function joinQuoted(text: string): string {
  const pieces = [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs)];
  if (pieces.length === 0 || !/^\s*['"]/.test(text)) return text;
  return pieces.map((piece) => (piece[1] ?? piece[2] ?? '').replace(/\\(['"])/g, '$1')).join('');
}
