import { may, must } from './expect.js';
import {
  carries,
  ended,
  type History,
  initialisedBetween,
  inSession,
  isInitialize,
  isLoss,
  isResume,
  issuedAgain,
  issuingSession,
  knew,
  sameClient,
  sessionOf,
  sessionsOf,
  succeeded,
} from './facts.js';
import type { Expected, Seen } from './seen.js';

/** "a request that carried session S1 was answered 2xx under another session S2 (not an `initialize`)" */
export function epochMerges(h: History): Expected[] {
  const found: Expected[] = [];
  for (const x of h.seen) {
    if (!carries(x) || !succeeded(x) || isInitialize(x, h.kind)) continue;
    const [from, to] = [x.requestSession ?? '', x.responseSession];
    if (to === null || to === '' || to === from) continue;
    if (h.kind === 'log' && x.httpMethod === 'POST') {
      found.push(may('epoch-merge', [from, to], 'a log cannot tell it from an initialize with a stale id'));
      continue;
    }
    const consequence = consequenceOf(h, x, from, to);
    const severity = { adopted: 'critical', delivered: 'high', refused: 'medium' }[consequence];
    const trigger = isResume(x, h.seen) ? { trigger: 'resume' } : x.lastEventId === null ? { trigger: 'request' } : {};
    found.push(
      must('epoch-merge', [from, to], 'answered 2xx under another session', {
        severity,
        confidence: 'definite',
        facts: { ...trigger, consequence },
      }),
    );
  }
  return [...found, ...absentHeaders(h)];
}

function consequenceOf(h: History, x: Seen, from: string, to: string): 'adopted' | 'delivered' | 'refused' {
  const later = h.seen.filter((y) => y !== x && y.startMs >= x.startMs && sameClient(x, y));
  for (const y of later) {
    if (isInitialize(y, h.kind)) break;
    if (y.requestSession === to) return 'adopted';
  }
  const ids = new Set(x.events.map((event) => event.id).filter((id) => id !== null));
  const here = later.filter((y) => y.requestSession === from || y.requestSession === to);
  if (here.some((y) => y.lastEventId !== null && ids.has(y.lastEventId))) return 'adopted';
  return x.received.length > 0 || x.events.some((event) => event.data !== null) ? 'delivered' : 'refused';
}

const kindOfAnswer = (x: Seen): string => `${x.httpMethod} ${x.stream ? 'stream' : x.status === 202 ? 'none' : 'body'}`;

/** "An absent header is `probable` and only where the same endpoint echoes the header on the same kind of response elsewhere" */
function absentHeaders(h: History): Expected[] {
  const found = new Map<string, Expected>();
  const echoed = new Set<string>();
  for (const x of h.seen) {
    if (knew(x) && !isInitialize(x, h.kind) && x.responseSession === x.requestSession) echoed.add(kindOfAnswer(x));
  }
  for (const x of h.seen) {
    if (!carries(x) || !succeeded(x) || isInitialize(x, h.kind) || x.responseSession !== null || isLoss(x)) continue;
    if (!echoed.has(kindOfAnswer(x))) continue;
    const make = h.kind === 'har' && x.httpMethod !== 'DELETE' ? must : may;
    const session = x.requestSession ?? '';
    found.set(
      session,
      make('epoch-merge', session, 'the endpoint echoes the header elsewhere', { confidence: 'probable' }),
    );
  }
  return [...found.values()];
}

/** "an endpoint answers resumes 2xx without naming the session (it never echoes)" */
export function unacknowledgedResumes(h: History): Expected[] {
  const echoes = h.seen.some((x) => !isInitialize(x, h.kind) && succeeded(x) && x.responseSession !== null);
  const resumes = h.seen.filter(
    (x) => isResume(x, h.seen) && carries(x) && succeeded(x) && !isLoss(x) && x.responseSession === null,
  );
  if (resumes.length === 0) return [];
  const make = echoes || h.kind !== 'har' ? may : must;
  return [make('unacknowledged-resume', null, 'resumes are answered without a session', { severity: 'info' })];
}

/** "the session was unknown to the server, and the answer was not 404" */
export function maskedLosses(h: History): Expected[] {
  const found: Expected[] = [];
  for (const x of h.seen) {
    if (h.kind !== 'har' && carries(x) && x.status === 400) {
      found.push(may('masked-session-loss', x.requestSession, 'the aftermath may tell it', { confidence: 'possible' }));
    }
    if (!carries(x) || !x.lossInBody || x.status === 404 || x.status === null) continue;
    const severity = succeeded(x) ? 'high' : 'medium';
    found.push(must('masked-session-loss', x.requestSession, 'a loss told with another status', { severity }));
  }
  return found;
}

/** "after an explicit loss (404) the client keeps sending the dead id …: at least two more requests" */
export function staleReuse(h: History): Expected[] {
  const found: Expected[] = [];
  for (const session of sessionsOf(h)) {
    const own = inSession(h, session).filter((x) => x.requestSession === session);
    const success = own.findLast(knew);
    const first = own.find(
      (x) => isLoss(x) && x.status === 404 && (success === undefined || x.startMs > success.startMs),
    );
    if (first === undefined) continue;
    const refusedMs = ended(first);
    const after = own.filter((x) => x !== first && x.startMs >= refusedMs);
    if (after.some(knew)) continue;
    const initialise = h.seen.find((x) => isInitialize(x, h.kind) && sameClient(x, first) && x.startMs >= refusedMs);
    const until = initialise?.startMs ?? Number.POSITIVE_INFINITY;
    const dead = after.filter((x) => x.startMs < until && !isInitialize(x, h.kind));
    const uses = dead.length;
    const doubtful =
      dead.some((x) => x.httpMethod === 'DELETE') ||
      after.length !== own.filter((x) => x.startMs > first.startMs).length;
    if (uses < 2) {
      if (after.length >= 2)
        found.push(may('stale-session-reuse', session, 'the dead id is used again after an initialize'));
      continue;
    }
    const severity = uses >= 10 ? 'high' : 'medium';
    const make = doubtful && (uses === 2 || uses === 10) ? may : must;
    found.push(
      make('stale-session-reuse', session, 'the dead id is sent again', doubtful ? {} : { severity, facts: { uses } }),
    );
  }
  return found;
}

/** "one session is known, unknown, known again … although nobody re-initialised" */
export function flapping(h: History): Expected[] {
  const found: Expected[] = [];
  for (const session of sessionsOf(h)) {
    const own = inSession(h, session).filter((x) => x.requestSession === session && !isInitialize(x, h.kind));
    const served = own.filter((x) => knew(x) && (x.responseSession ?? session) === session);
    for (const x of own.filter(isLoss)) {
      const before = served.filter((y) => y.startMs < x.startMs);
      const after = served.filter((y) => y.startMs >= ended(x));
      if (after.length === 0) continue;
      // A server without GET streams may answer every GET 404 and lose nothing: judged for certain within one HTTP method.
      const likewise = [before, after].every((side) => side.some((y) => y.httpMethod === x.httpMethod));
      const again = after.every((y) => initialisedBetween(h, x, x.startMs, y.startMs));
      const partial = succeeded(x);
      // A lone 404 without a body may be about the method.
      const alike = own.filter((y) => isLoss(y) && y.httpMethod === x.httpMethod);
      const lone = !x.sawAnswer && alike.filter((y) => between(served, y)).length < 2;
      const make = likewise && !again && !partial && !lone && !issuedAgain(h, session) ? must : may;
      found.push(
        make('session-flapping', session, 'known, unknown, known again', make === must ? { severity: 'high' } : {}),
      );
    }
  }
  return found;
}

const between = (served: readonly Seen[], y: Seen): boolean => {
  const like = served.filter((one) => one.httpMethod === y.httpMethod);
  return like.some((one) => one.startMs < y.startMs) && like.some((one) => one.startMs > y.startMs);
};

/** Sessions whose events a response brought under a name other than the one asked for. */
export const crossed = (x: Seen): boolean =>
  sessionOf(x) !== null && issuingSession(x) !== null && sessionOf(x) !== issuingSession(x);
