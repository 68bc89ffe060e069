import { may, must } from './expect.js';
import {
  carries,
  type History,
  inSession,
  isInitialize,
  issuedAgain,
  issueOf,
  sameClient,
  sessionsOf,
  stateless,
  succeeded,
} from './facts.js';
import type { Expected, Seen } from './seen.js';

/** "a client with an assigned session sends requests without it" */
export function missingHeaders(h: History): Expected[] {
  for (const x of h.seen) {
    if (stateless(x) || x.requestSession !== null || isInitialize(x, h.kind)) continue;
    const assigned = h.seen.find(
      (y) =>
        isInitialize(y, h.kind) &&
        sameClient(x, y) &&
        succeeded(y) &&
        y.responseSession !== null &&
        y.startMs < x.startMs,
    );
    if (assigned === undefined) continue;
    const deleted = h.seen.some((y) => sameClient(x, y) && y.httpMethod === 'DELETE' && y.startMs < x.startMs);
    const probe = x.method === 'server/discover' || (x.method === null && !x.sawRequestBody && x.httpMethod === 'POST');
    const make = deleted || probe || x.responseSession !== null ? may : must;
    if (make === must)
      return [must('session-header-missing', null, 'a request without the assigned session', { severity: 'medium' })];
  }
  const open = h.seen.some((x) => !stateless(x) && x.requestSession === null && !isInitialize(x, h.kind));
  return open ? [may('session-header-missing', null, 'whose request it is cannot be told')] : [];
}

/** "`initialize` carries a session id. Low." */
export function initializeWithSession(h: History): Expected[] {
  return h.seen
    .filter((x) => x.method === 'initialize' && x.requestSession !== null)
    .map((x) =>
      must('initialize-with-session', x.requestSession, 'an initialize with a session id', { severity: 'low' }),
    );
}

function alternates(values: readonly string[]): boolean {
  const blocks = values.filter((value, at) => value !== values[at - 1]);
  return new Set(blocks).size < blocks.length;
}

/** "one session id used by two principals or two unrelated clients at once" */
export function sharedSessions(h: History): Expected[] {
  const found: Expected[] = [];
  for (const session of sessionsOf(h)) {
    const own = inSession(h, session).filter((x) => x.requestSession === session);
    const principals = own.map((x) => x.principal).filter((value) => value !== null);
    const agents = own.map((x) => `${x.userAgent ?? ''}`);
    if (new Set(principals).size > 1) {
      const make = alternates(principals) && !issuedAgain(h, session) ? must : may;
      found.push(
        make('shared-session', session, 'two principals by turns', make === must ? { severity: 'critical' } : {}),
      );
    } else if (new Set(agents).size > 1 || new Set(own.map((x) => x.client)).size > 1) {
      found.push(may('shared-session', session, 'two clients; whether they are related is open'));
    }
  }
  return found;
}

/** "ids that are short, sequential or outside visible ASCII" */
export function weakIds(h: History): Expected[] {
  const ids = sessionsOf(h).filter((id) => h.seen.some((x) => x.responseSession === id) || issueOf(h, id) !== null);
  const foul = ids.some((id) => /[^\x21-\x7e]/.test(id) || id.length < 8);
  const stems = new Map<string, number>();
  for (const id of ids) {
    const stem = id.replace(/\d{1,9}$/, '');
    if (stem !== id) stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  const sequential = [...stems.values()].some((count) => count >= 3);
  if (foul || sequential)
    return [must('weak-session-id', null, 'short, sequential or not visible', { severity: 'medium' })];
  return ids.some((id) => id.length < 16) ? [may('weak-session-id', null, 'how short is short is open')] : [];
}

/** "a fresh session for (nearly) every call" */
export function churn(h: History): Expected[] {
  const issued = h.seen.filter((x) => isInitialize(x, h.kind) && succeeded(x) && x.responseSession !== null);
  if (issued.length < 3) return [];
  const perClient = new Map<string, Seen[]>();
  for (const x of issued) perClient.set(x.client, [...(perClient.get(x.client) ?? []), x]);
  const single = (x: Seen): boolean =>
    inSession(h, x.responseSession ?? '').filter(
      (y) => carries(y) && y.httpMethod === 'POST' && !y.sent.every((m) => m.kind === 'notification'),
    ).length <= 1;
  const heavy = [...perClient.values()].some(
    (list) => list.length >= 10 && list.filter(single).length >= list.length * 0.9,
  );
  const make = heavy && h.kind === 'har' ? must : may;
  return [make('session-churn', null, 'a session for every call', { severity: 'info' })];
}
