import type { Call } from './calls.js';
import { callsOf } from './calls.js';
import {
  type History,
  isInitialize,
  isLoss,
  sameClient,
  sessionOf,
  sessionsOf,
  stateless,
  streamsOf,
  succeeded,
} from './facts.js';
import type { Seen } from './seen.js';

/** "stream cut, time-out, 5xx, loss signal, epoch change, `notifications/cancelled`" */
export interface Fault {
  atMs: number;
  x: Seen;
  /** A change of epoch. */
  epoch: boolean;
  /** It is open whether the specification counts it. */
  weak: boolean;
  /** It befell this very call. */
  own(call: Call): boolean;
}

export type Related = 'yes' | 'maybe' | 'no';

/** Which exchanges are of successive lives of one client. */
export interface Lineages {
  related(a: Seen, b: Seen): Related;
}

/** "linked by a silent change of id on one exchange, by loss-then-initialize, or by same principal/connection/trace" */
export function lineagesOf(h: History): Lineages {
  const sessions = sessionsOf(h);
  const span = new Map(
    sessions.map((session) => {
      const own = h.seen.filter((x) => sessionOf(x) === session);
      return [
        session,
        { from: own[0]?.startMs ?? 0, to: Math.max(...own.map((x) => x.startMs)), client: own[0] },
      ] as const;
    }),
  );
  const links = new Map<string, Set<string>>();
  const link = (a: string, b: string): void => {
    links.set(a, (links.get(a) ?? new Set()).add(b));
    links.set(b, (links.get(b) ?? new Set()).add(a));
  };
  for (const x of h.seen) {
    const [from, to] = [x.requestSession, x.responseSession];
    if (from !== null && to !== null && from !== to && succeeded(x)) link(from, to);
  }
  for (const a of sessions) {
    for (const b of sessions) {
      const [one, two] = [span.get(a), span.get(b)];
      if (one?.client === undefined || two?.client === undefined || a === b) continue;
      if (sameClient(one.client, two.client) && onePrincipal(one.client, two.client) && one.to <= two.from) link(a, b);
    }
  }
  const reach = (from: string, to: string): boolean => {
    const open = [from];
    const been = new Set(open);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      for (const next of links.get(at) ?? []) {
        if (!been.has(next)) {
          been.add(next);
          open.push(next);
        }
      }
    }
    return false;
  };
  return {
    related(a, b) {
      const [one, two] = [sessionOf(a), sessionOf(b)];
      if (stateless(a) && stateless(b)) return sameClient(a, b) ? 'yes' : 'maybe';
      if (one !== null && one === two) return 'yes';
      if (one === null || two === null) return sameClient(a, b) ? 'maybe' : 'no';
      if (reach(one, two)) return 'yes';
      return sameClient(a, b) || a.userAgent === b.userAgent ? 'maybe' : 'no';
    },
  };
}

/** Not two different credentials, as far as is seen. */
const onePrincipal = (a: Seen, b: Seen): boolean =>
  a.principal === null || b.principal === null || a.principal === b.principal;

/** Faults that befell the lineage of an exchange. */
export function faultsOf(h: History, lineages: Lineages, of: Seen): Fault[] {
  const faults: Fault[] = [];
  const streams = streamsOf(h);
  const unanswered = callsOf(h).filter(
    (call) => call.answer === null && call.endedMs !== Number.POSITIVE_INFINITY && !call.refused,
  );
  const add = (x: Seen, atMs: number, kind: Partial<Fault> = {}): void => {
    const home = streams.find((stream) => stream.parts.includes(x))?.opener ?? x;
    faults.push({ atMs, x, epoch: false, weak: false, own: (call) => call.x === home, ...kind });
  };
  for (const x of h.seen) {
    if (lineages.related(of, x) !== 'yes') continue;
    const endMs = x.endMs ?? Number.POSITIVE_INFINITY;
    if (x.end === 'truncated' || x.end === 'timed-out') add(x, endMs);
    else if (x.end === 'client-aborted') add(x, endMs, { weak: x.httpMethod === 'GET' });
    else if ((x.status ?? 500) >= 500 || isLoss(x)) add(x, endMs);
    else if (isInitialize(x, h.kind) && succeeded(x)) add(x, x.startMs, { epoch: true });
    else if (
      succeeded(x) &&
      x.requestSession !== null &&
      x.responseSession !== null &&
      x.requestSession !== x.responseSession
    ) {
      add(x, endMs, { epoch: true });
    } else if (unanswered.some((call) => call.x === x)) add(x, endMs, { weak: x.end === 'polling' });
    for (const message of x.sent) {
      if (message.cancels !== null) {
        add(x, x.startMs, { own: (call) => call.message.id === message.cancels && sessionOf(call.x) === sessionOf(x) });
      }
    }
  }
  return faults;
}
