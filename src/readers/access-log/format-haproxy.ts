import { DIALECTS } from './dialects.js';
import type { FormatToken, ParsedFormat } from './format-string.js';
import type { SlotName } from './slot.js';

const ALIASES: Readonly<Record<string, SlotName>> = {
  ci: 'client',
  tr: 'timeStart',
  trg: 'timeStart',
  trl: 'timeStart',
  t: 'timeStart',
  T: 'timeStart',
  Tl: 'timeStart',
  b: 'backendPool',
  s: 'backendServer',
  si: 'backend',
  ST: 'status',
  B: 'responseBytes',
  U: 'requestBytes',
  Ta: 'durationMs',
  Tt: 'durationMs',
  Tu: 'durationMs',
  ts: 'termination',
  tsc: 'termination',
  r: 'request',
  HM: 'method',
  HU: 'uri',
  HP: 'uri',
  HPO: 'uri',
  HQ: 'query',
  ID: 'requestId',
  hr: 'captures',
  hs: 'responseCaptures',
  ms: 'accessMs',
};
const SAMPLES: readonly (readonly [RegExp, SlotName])[] = [
  [/^(?:req\.|req_)?f?hdr\((?:mcp-session-id)[,)]/i, 'session'],
  [/^(?:req\.|req_)?f?hdr\((?:last-event-id)[,)]/i, 'lastEventId'],
  [/^(?:req\.|req_)?f?hdr\((?:mcp-protocol-version)[,)]/i, 'protocolVersion'],
  [/^(?:req\.|req_)?f?hdr\((?:mcp-method)[,)]/i, 'rpcMethod'],
  [/^(?:req\.|req_)?f?hdr\((?:mcp-name)[,)]/i, 'rpcName'],
  [/^(?:req\.|req_)?f?hdr\((?:user-agent)[,)]/i, 'userAgent'],
  [/^(?:res\.|res_)f?hdr\((?:mcp-session-id)[,)]/i, 'responseSession'],
  [/^(?:res\.|res_)f?hdr\((?:content-type)[,)]/i, 'responseType'],
  // By the order that the documentation of this tool gives.
  [/^capture\.req\.hdr\(0\)/, 'session'],
  [/^capture\.req\.hdr\(1\)/, 'lastEventId'],
  [/^capture\.res\.hdr\(0\)/, 'responseSession'],
  [/^capture\.req\.method/, 'method'],
  [/^capture\.req\.uri/, 'uri'],
];
const ALIAS = /%(?:\{([^}]*)\})?(?:\[((?:[^\][]|\[[^\]]*\])*)\]|([a-zA-Z]+)|%)/g;

/** HAProxy `log-format` (configuration manual, 8.2.6): `%ci:%cp [%tr] … %{+Q}r`. */
export function haproxyTokens(format: string): ParsedFormat {
  const text = format.replace(/\\(.)/g, '$1');
  const tokens: FormatToken[] = [];
  let at = 0;
  let allQuoted = false;
  for (const match of text.matchAll(ALIAS)) {
    tokens.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const flags = match[1] ?? '';
    const name = match[3] ?? '';
    if (name === '' && match[2] === undefined) {
      tokens.push('%');
      continue;
    }
    if (name === 'o') {
      allQuoted = flags.includes('+Q');
      continue;
    }
    const isQuoted =
      flags.includes('+Q') || (allQuoted && !flags.includes('-Q') && /^(?:r|b|s|f|ft|ts|tsc|ID|H.*)$/.test(name));
    tokens.push({ slot: slotOf(name, match[2] ?? ''), isList: false, isQuoted });
  }
  tokens.push(text.slice(at));
  return { dialect: DIALECTS.haproxy, escape: 'haproxy', blank: 'dash-or-empty', tokens };
}

function slotOf(name: string, sample: string): SlotName | null {
  if (name !== '') return Object.hasOwn(ALIASES, name) ? ALIASES[name]! : null;
  return SAMPLES.find(([pattern]) => pattern.test(sample))?.[1] ?? null;
}
