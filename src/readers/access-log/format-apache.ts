import { DIALECTS } from './dialects.js';
import type { FormatToken, ParsedFormat } from './format-string.js';
import type { SlotName } from './slot.js';

const DIRECTIVES: Readonly<Record<string, SlotName>> = {
  a: 'client',
  h: 'client',
  u: 'user',
  r: 'request',
  m: 'method',
  U: 'uri',
  q: 'query',
  s: 'status',
  b: 'responseBytes',
  B: 'responseBytes',
  O: 'responseBytes',
  I: 'requestBytes',
  D: 'durationUs',
  T: 'durationS',
  X: 'aborted',
  v: 'host',
  V: 'host',
  L: 'requestId',
};
const REQUEST_HEADERS: Readonly<Record<string, SlotName>> = {
  'mcp-session-id': 'session',
  'last-event-id': 'lastEventId',
  'mcp-protocol-version': 'protocolVersion',
  'mcp-method': 'rpcMethod',
  'mcp-name': 'rpcName',
  'user-agent': 'userAgent',
  'content-type': 'requestType',
  'x-forwarded-for': 'forwardedFor',
  'x-request-id': 'requestId',
  traceparent: 'traceparent',
  authorization: 'authorization',
  host: 'host',
};
const RESPONSE_HEADERS: Readonly<Record<string, SlotName>> = {
  'mcp-session-id': 'responseSession',
  'content-type': 'responseType',
};
const DIRECTIVE = /%(?:!?[\d,]+)?[<>]?(?:\{([^}]*)\})?([%a-zA-Z]|\^[a-zA-Z]{2})/g;

/** Apache `LogFormat` (mod_log_config); quotes may be escaped as in the configuration. `%t` is the start of the request. */
export function apacheTokens(format: string): ParsedFormat {
  const directive = /^\s*(?:LogFormat|CustomLog\s+\S+)\s+"((?:[^"\\]|\\.)*)"/i.exec(format);
  const text = (directive?.[1] ?? format).replace(/\\"/g, '"').replace(/\\t/g, '\t');
  const tokens: FormatToken[] = [];
  let at = 0;
  for (const match of text.matchAll(DIRECTIVE)) {
    tokens.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === '%') tokens.push('%');
    else if (match[2] === 't' && match[1] === undefined) tokens.push('[', { slot: 'timeStart', isList: false }, ']');
    else tokens.push({ slot: slotOf(match[2]!, match[1] ?? ''), isList: false });
  }
  tokens.push(text.slice(at));
  return { dialect: DIALECTS.apache, escape: 'clf', blank: 'dash', tokens: mergeTimes(tokens) };
}

function slotOf(letter: string, argument: string): SlotName | null {
  const name = argument.toLowerCase();
  switch (letter) {
    case 'i':
      return Object.hasOwn(REQUEST_HEADERS, name) ? REQUEST_HEADERS[name]! : null;
    case 'o':
      return Object.hasOwn(RESPONSE_HEADERS, name) ? RESPONSE_HEADERS[name]! : null;
    case 'e':
      return name === 'balancer_worker_name' ? 'backend' : null;
    case 'T':
      return name === 'us' ? 'durationUs' : name === 'ms' ? 'durationMs' : 'durationS';
    case 't':
      return name.startsWith('end:') ? 'timeEnd' : 'timeStart';
    default:
      return Object.hasOwn(DIRECTIVES, letter) ? DIRECTIVES[letter]! : null;
  }
}

/** `%{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t%{%z}t` is one time in three pieces. */
function mergeTimes(tokens: readonly FormatToken[]): FormatToken[] {
  const merged: FormatToken[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    const before = merged.at(-2);
    const isTime = typeof token !== 'string' && token.slot === 'timeStart';
    const isGlue = last === '' || last === '.';
    if (isTime && isGlue && typeof before === 'object' && before.slot === 'timeStart') merged.pop();
    else merged.push(token);
  }
  return merged;
}
