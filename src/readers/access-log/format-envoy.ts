import { DIALECTS } from './dialects.js';
import type { FormatToken, ParsedFormat } from './format-string.js';
import type { SlotName } from './slot.js';

const OPERATORS: Readonly<Record<string, SlotName>> = {
  START_TIME: 'timeStart',
  RESPONSE_CODE: 'status',
  RESPONSE_CODE_DETAILS: 'details',
  RESPONSE_FLAGS: 'flags',
  RESPONSE_FLAGS_LONG: 'flags',
  BYTES_RECEIVED: 'requestBytes',
  BYTES_SENT: 'responseBytes',
  DURATION: 'durationMs',
  UPSTREAM_HOST: 'backend',
  UPSTREAM_REQUEST_ATTEMPT_COUNT: 'attempts',
  UPSTREAM_CLUSTER: 'upstreamCluster',
  UPSTREAM_CLUSTER_RAW: 'upstreamCluster',
  DOWNSTREAM_LOCAL_ADDRESS: 'localAddress',
  DOWNSTREAM_REMOTE_ADDRESS: 'client',
  DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT: 'client',
  TRACE_ID: 'traceId',
};
const REQUEST: Readonly<Record<string, SlotName>> = {
  'mcp-session-id': 'session',
  'last-event-id': 'lastEventId',
  'mcp-protocol-version': 'protocolVersion',
  'mcp-method': 'rpcMethod',
  'mcp-name': 'rpcName',
  'user-agent': 'userAgent',
  'content-type': 'requestType',
  'x-forwarded-for': 'forwardedFor',
  'x-request-id': 'requestId',
  ':authority': 'host',
  ':method': 'method',
  ':path': 'uri',
  ':scheme': 'scheme',
  'x-envoy-original-path': 'uri',
  traceparent: 'traceparent',
  authorization: 'authorization',
};
const RESPONSE: Readonly<Record<string, SlotName>> = {
  'mcp-session-id': 'responseSession',
  'content-type': 'responseType',
};
const OPERATOR = /%([A-Z_]+)(?:\(([^)]*)\))?(?::\d+)?%/g;

/** Envoy `text_format`: command operators such as `%START_TIME%` and `%REQ(MCP-SESSION-ID)%`. Values are not escaped. */
export function envoyTokens(format: string): ParsedFormat {
  const tokens: FormatToken[] = [];
  let at = 0;
  for (const match of format.matchAll(OPERATOR)) {
    tokens.push(format.slice(at, match.index));
    at = match.index + match[0].length;
    tokens.push({ slot: slotOf(match[1]!, match[2] ?? ''), isList: false });
  }
  tokens.push(format.slice(at).replace(/\\n$|\n$/, ''));
  return { dialect: DIALECTS.envoy, escape: 'none', blank: 'dash', tokens };
}

function slotOf(operator: string, argument: string): SlotName | null {
  const name = argument.split('?', 1)[0]!.toLowerCase();
  if (operator === 'REQ') return Object.hasOwn(REQUEST, name) ? REQUEST[name]! : null;
  if (operator === 'RESP') return Object.hasOwn(RESPONSE, name) ? RESPONSE[name]! : null;
  return Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator]! : null;
}
