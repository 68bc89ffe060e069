import { slotOfKey } from './aliases.js';
import type { Dialect } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { envoyLayout } from './envoy-text.js';
import { buildPattern, type Pattern, type PatternToken } from './pattern.js';
import type { SlotName } from './slot.js';
import { type TextToken, textTokens } from './text-tokens.js';

/** What the tokens of a line mean, and whose line it is. */
export interface Layout {
  readonly dialect: Dialect;
  readonly slots: readonly (SlotName | null)[];
}

const CLF_TIME = /^\d{2}\/[A-Za-z]{3}\/\d{4}:\d{2}:\d{2}:\d{2}/;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** As `%{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t%{%z}t` writes it, and nginx cannot. */
const APACHE_TIME = /^\d{4}-\d{2}-\d{2}T[\d:]+\.\d{3}[+-]\d{4}$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\]?|unix:|[\w.-]+)(?::\d+)?$/;

/**
 * Finds the layout of a line by what stands where, for the forms that everybody knows: combined and common, alone or followed
 * by more (`key=value`, ingress-nginx, Traefik, `main` of nginx), Apache with `%D %X`, Envoy and Istio. null: none of them;
 * then only the format string of the proxy can tell what the values mean.
 * @param line one line, a character for each byte
 */
export function inferText(line: string): Pattern | null {
  if (line.length > 65_536 || !line.includes('"')) return null;
  const tokens = textTokens(line);
  if (tokens === null) return null;
  const layout = envoyLayout(tokens) ?? clfLayout(tokens);
  return layout === null ? null : patternOf(line, tokens, layout);
}

function patternOf(line: string, tokens: readonly TextToken[], layout: Layout): Pattern {
  const texts: string[] = [];
  let at = 0;
  for (const token of tokens) {
    texts.push(line.slice(at, token.from));
    at = token.to;
  }
  texts.push(line.slice(at));
  const isEnvoy = layout.dialect === DIALECTS.envoy;
  const parts = tokens.map((token, index): PatternToken => {
    const slot = layout.slots[index] ?? null;
    // Envoy does not escape: a quotation mark can stand in a header.
    if (isEnvoy) return { slot, kind: 'bare' };
    if (token.kind === 'quoted' || token.kind === 'pair-quoted') return { slot, kind: 'quoted' };
    return { slot, kind: token.kind === 'bracket' ? 'bare' : 'list' };
  });
  return buildPattern(layout.dialect, isEnvoy ? 'none' : 'clf', 'dash', texts, parts);
}

/** Address, names, time, request, status, bytes, and whatever a server adds to that. */
function clfLayout(tokens: readonly TextToken[]): Layout | null {
  const timeAt = tokens.findIndex(
    (token, index) =>
      index <= 4 &&
      ((token.kind === 'bracket' && (CLF_TIME.test(token.value) || ISO_TIME.test(token.value))) ||
        (token.kind === 'bare' && ISO_TIME.test(token.value))),
  );
  if (timeAt < 1 || tokens.slice(0, timeAt).some((token) => token.kind !== 'bare')) return null;
  const request = tokens[timeAt + 1];
  const status = tokens[timeAt + 2];
  const bytes = tokens[timeAt + 3];
  if (request?.kind !== 'quoted' || status?.kind !== 'bare' || !/^\d{3}$/.test(status.value)) return null;
  if (bytes?.kind !== 'bare' || !/^(?:\d+|-)$/.test(bytes.value)) return null;
  const clientAt = timeAt === 4 ? 1 : 0;
  if (!ADDRESS.test(tokens[clientAt]!.value)) return null;

  const slots: (SlotName | null)[] = tokens.map(() => null);
  slots[clientAt] = 'client';
  if (timeAt >= 3) slots[timeAt - 1] = 'user';
  slots[timeAt] = 'timeEndCoarse';
  slots[timeAt + 1] = 'request';
  slots[timeAt + 2] = 'status';
  slots[timeAt + 3] = 'responseBytes';
  return readTail(tokens, timeAt + 4, timeAt, slots);
}

/** What stands behind the bytes. */
function readTail(
  tokens: readonly TextToken[],
  from: number,
  timeAt: number,
  slots: (SlotName | null)[],
): Layout | null {
  let at = from;
  if (tokens[at]?.kind === 'quoted' && tokens[at + 1]?.kind === 'quoted') {
    slots[at + 1] = 'userAgent';
    at += 2;
  }
  const rest = tokens.slice(at);
  if (isHaproxyClf(rest)) return null;
  if (isTraefik(rest)) {
    slots[timeAt] = 'timeStart';
    slots[at + 2] = 'backend';
    slots[at + 3] = 'durationText';
    return { dialect: DIALECTS.traefik, slots };
  }
  const ingressSlots = ingress(rest);
  if (ingressSlots !== null) {
    ingressSlots.forEach((slot, index) => {
      slots[at + index] = slot;
    });
    return { dialect: DIALECTS.nginx, slots };
  }
  let dialect: Dialect = DIALECTS.nginx;
  if (APACHE_TIME.test(tokens[timeAt]!.value)) {
    dialect = DIALECTS.apache;
    slots[timeAt] = 'timeStart';
    if (/^\d+$/.test(rest[0]?.value ?? '')) slots[at] = 'durationUs';
  }
  if (/^\d+$/.test(rest[0]?.value ?? '') && rest[1]?.kind === 'bare' && /^[X+-]$/.test(rest[1].value)) {
    dialect = DIALECTS.apache;
    slots[timeAt] = 'timeStart';
    slots[at] = 'durationUs';
    slots[at + 1] = 'aborted';
    at += 2;
  } else if (rest[0]?.kind === 'quoted') {
    // nginx's `main`
    slots[at] = 'forwardedFor';
    at += 1;
  }
  readPairs(tokens, at, slots);
  return { dialect, slots };
}

/** `key=value` to the end. */
function readPairs(tokens: readonly TextToken[], from: number, slots: (SlotName | null)[]): void {
  const hasAgent = slots.includes('userAgent');
  for (let at = from; at < tokens.length; at += 1) {
    const { key } = tokens[at]!;
    if (key === '') continue;
    // `ua` is the upstream's address where the user agent stands already.
    slots[at] = key === 'ua' ? (hasAgent ? 'upstream' : 'userAgent') : slotOfKey('common', key);
  }
}

/** `1 "mcp@docker" "http://10.0.2.11:8080" 604ms` */
function isTraefik(rest: readonly TextToken[]): boolean {
  return (
    rest.length === 4 &&
    /^\d+$/.test(rest[0]!.value) &&
    rest[1]!.kind === 'quoted' &&
    rest[2]!.kind === 'quoted' &&
    /^\d+(?:\.\d+)?m?s$/.test(rest[3]!.value)
  );
}

/** `431 0.153 [name] [] upstream length time status id`; old versions lack the second name, new ones may add. */
function ingress(rest: readonly TextToken[]): (SlotName | null)[] | null {
  if (!/^\d+$/.test(rest[0]?.value ?? '') || !/^\d+\.\d{3}$/.test(rest[1]?.value ?? '')) return null;
  if (rest[2]?.kind !== 'bracket') return null;
  const names = rest[3]?.kind === 'bracket' ? 2 : 1;
  if (rest.length < 2 + names + 4) return null;
  const slots: (SlotName | null)[] = ['requestBytes', 'durationS', ...Array<null>(names).fill(null)];
  return [...slots, 'upstream', null, null, 'upstreamStatus', 'requestId'];
}

/** `54414 301 "mcp" "pool" "b2" 0 0 0 2 604 "SD--" …` of `option httplog clf` has a reader of its own. */
export function isHaproxyClf(rest: readonly TextToken[]): boolean {
  return rest.length >= 18 && rest[10]?.kind === 'quoted' && /^[-A-Za-z]{4}$/.test(rest[10].value);
}
