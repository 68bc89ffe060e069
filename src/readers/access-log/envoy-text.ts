import { DIALECTS } from './dialects.js';
import type { Layout } from './infer-text.js';
import type { SlotName } from './slot.js';
import type { TextToken } from './text-tokens.js';

/**
 * Envoy's default text and Istio's, whose columns grew over the versions: time, request, code and flags come first; then what
 * varies (details, termination details, failure reason) up to the two byte counts; then fixed columns again.
 */
export function envoyLayout(tokens: readonly TextToken[]): Layout | null {
  const [time, request, code, flags] = tokens;
  if (time?.kind !== 'bracket' || !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z?$/.test(time.value)) return null;
  if (request?.kind !== 'quoted' || code?.kind !== 'bare' || !/^(?:\d{1,3}|-)$/.test(code.value)) return null;
  if (flags?.kind !== 'bare' || !/^(?:-|[A-Za-z,]+)$/.test(flags.value)) return null;
  let bytesAt = 4;
  while (bytesAt + 1 < tokens.length && !(isCount(tokens[bytesAt]) && isCount(tokens[bytesAt + 1]))) bytesAt += 1;
  if (bytesAt > 8 || bytesAt + 8 >= tokens.length) return null;
  const slots: (SlotName | null)[] = tokens.map(() => null);
  const put = (at: number, slot: SlotName) => {
    if (at < tokens.length) slots[at] = slot;
  };
  put(0, 'timeStart');
  put(1, 'request');
  put(2, 'status');
  put(3, 'flags');
  if (tokens[4]?.kind === 'bare' && bytesAt > 4) put(4, 'details');
  put(bytesAt, 'requestBytes');
  put(bytesAt + 1, 'responseBytes');
  put(bytesAt + 2, 'durationMs');
  put(bytesAt + 4, 'forwardedFor');
  put(bytesAt + 5, 'userAgent');
  put(bytesAt + 6, 'requestId');
  put(bytesAt + 7, 'host');
  put(bytesAt + 8, 'backend');
  if (bytesAt > 4) {
    put(bytesAt + 9, 'upstreamCluster');
    put(bytesAt + 11, 'localAddress');
    put(bytesAt + 12, 'client');
  }
  for (let at = bytesAt + 9; at < tokens.length; at += 1) nameTail(tokens[at]!, at, slots);
  return { dialect: DIALECTS.envoy, slots };
}

/** Headers that people append: `sid="…"`. */
function nameTail(token: TextToken, at: number, slots: (SlotName | null)[]): void {
  const names: Readonly<Record<string, SlotName>> = {
    sid: 'session',
    rsid: 'responseSession',
    leid: 'lastEventId',
    pv: 'protocolVersion',
    mm: 'rpcMethod',
    mn: 'rpcName',
  };
  const slot = names[token.key];
  if (slot !== undefined && Object.hasOwn(names, token.key)) slots[at] = slot;
}

function isCount(token: TextToken | undefined): boolean {
  return token?.kind === 'bare' && /^\d+$/.test(token.value);
}
