import { callsOf } from './calls.js';
import { may, must } from './expect.js';
import {
  answers,
  ended,
  type History,
  inSession,
  issuedAgain,
  issueOf,
  requests,
  sessionOf,
  sessionsOf,
  stateless,
  streamsOf,
} from './facts.js';
import type { Expected, Seen, SeenMessage } from './seen.js';

interface Asked {
  x: Seen;
  message: SeenMessage;
  untilMs: number;
}

/** Sessions, and the traffic that names none. */
function rooms(h: History): { session: string | null; own: Seen[] }[] {
  const named = sessionsOf(h).map((session) => ({ session, own: inSession(h, session) }));
  return [...named, { session: null, own: h.seen.filter((x) => sessionOf(x) === null) }];
}

/** "a response that answers a request it does not belong to" */
export function misattributedResults(h: History): Expected[] {
  if (h.kind !== 'har') return [];
  const found: Expected[] = [];
  const streams = streamsOf(h);
  for (const { session, own } of rooms(h)) {
    const issued = own.flatMap((x) => requests(x).map((message) => message.id));
    for (const x of own) {
      const home = streams.find((stream) => stream.parts.includes(x))?.opener ?? x;
      const asked = requests(home).map((message) => message.id);
      for (const answer of answers(x)) {
        if (asked.includes(answer.id)) continue;
        if (x.httpMethod === 'POST' && home === x) {
          const proof = issued.includes(answer.id) ? 'wrong-stream' : 'unsolicited';
          const whole = session === null || issueOf(h, session) !== null;
          const crossed =
            x.responseSession !== null && x.requestSession !== null && x.responseSession !== x.requestSession;
          const make = (proof === 'unsolicited' && !whole) || crossed ? may : must;
          found.push(
            make(
              'misattributed-result',
              session,
              'an id not asked for on that POST',
              make === must ? { severity: 'high' } : {},
            ),
          );
        } else found.push(may('misattributed-result', session, 'an answer of another stream on a resume or a GET'));
      }
    }
    found.push(...twoAnswers(own, session), ...sharedIds(h, own, session));
  }
  return found;
}

/** "different answers to one id" */
function twoAnswers(own: readonly Seen[], session: string | null): Expected[] {
  const found: Expected[] = [];
  const asked = new Map<string, number>();
  for (const x of own)
    for (const message of requests(x)) asked.set(message.id ?? '', (asked.get(message.id ?? '') ?? 0) + 1);
  const given = new Map<string, Set<string>>();
  for (const x of own) {
    for (const answer of answers(x))
      given.set(answer.id ?? '', (given.get(answer.id ?? '') ?? new Set()).add(answer.text));
  }
  for (const [id, texts] of given) {
    if (texts.size < 2) continue;
    const once = asked.get(id) === 1;
    const plain = own.every((x) => x.lastEventId === null || !answers(x).some((answer) => answer.id === id));
    const make = once && plain && session !== null ? must : may;
    if (once || texts.size > (asked.get(id) ?? 0)) {
      found.push(
        make('misattributed-result', session, 'two answers to one id', make === must ? { severity: 'high' } : {}),
      );
    }
  }
  return found;
}

function askedIn(h: History, own: readonly Seen[]): Asked[] {
  const calls = callsOf(h);
  return own.flatMap((x) =>
    requests(x).map((message) => {
      const call = calls.find((item) => item.x === x && item.message === message);
      const by = call?.answeredBy ?? null;
      const atMs = by?.events[call?.answer?.event ?? -1]?.atMs ?? null;
      // A browser stamps the first chunk of a stream with the start of the request.
      const answeredMs =
        by === null ? (call?.endedMs ?? ended(x)) : atMs !== null && atMs > by.startMs ? atMs : ended(by);
      return { x, message, untilMs: answeredMs };
    }),
  );
}

/** "two requests in flight under one id": swapped when the payload says so, else ambiguous. */
function sharedIds(h: History, own: readonly Seen[], session: string | null): Expected[] {
  const asked = askedIn(h, own);
  let ambiguous = false;
  for (const [at, a] of asked.entries()) {
    for (const b of asked.slice(at + 1)) {
      if (a.message.id !== b.message.id || b.x.startMs >= a.untilMs) continue;
      ambiguous = true;
      if (proven(h, a, b) || proven(h, b, a)) {
        return [
          must('misattributed-result', session, 'the payload says whose it is', {
            severity: 'high',
            facts: { proof: 'swapped' },
          }),
        ];
      }
    }
  }
  return ambiguous ? [may('misattributed-result', session, 'two in flight under one id', { severity: 'low' })] : [];
}

function proven(h: History, a: Asked, b: Asked): boolean {
  const own = h.seen.flatMap((x) => [...x.tools]);
  const keysOf = (tool: string | null) => own.find(([name]) => name === tool)?.[1].outputKeys ?? null;
  const answer = answers(a.x).find((item) => item.id === a.message.id);
  const keys = answer?.resultKeys?.join() ?? null;
  const fits = (tool: string | null): boolean => keysOf(tool)?.join() === keys;
  const payload = keys !== null && a.message.tool !== b.message.tool && !fits(a.message.tool) && fits(b.message.tool);
  const token = b.message.progressToken;
  const strangerProgress = a.x.received.some(
    (item) =>
      item.method === 'notifications/progress' && item.progressToken === token && token !== a.message.progressToken,
  );
  return payload || (answer !== undefined && token !== null && strangerProgress);
}

/** "an id used twice in one session. Info; low when both were in flight at once." */
export function reusedIds(h: History): Expected[] {
  if (h.kind === 'log') return [];
  const found: Expected[] = [];
  for (const { session, own } of rooms(h)) {
    const asked = askedIn(
      h,
      own.filter((x) => !stateless(x)),
    );
    let reuse: 'none' | 'info' | 'low' = 'none';
    let resent = false;
    for (const [at, a] of asked.entries()) {
      for (const b of asked.slice(at + 1)) {
        if (a.message.id !== b.message.id) continue;
        if (a.message.text === b.message.text) resent = true;
        reuse = b.x.startMs < a.untilMs ? 'low' : reuse === 'low' ? 'low' : 'info';
      }
    }
    if (reuse === 'none') continue;
    // Spans carry ids, but not all of them: the specification asks for bodies.
    const make = session === null || resent || issuedAgain(h, session) || h.kind === 'spans' ? may : must;
    found.push(make('jsonrpc-id-reuse', session, 'an id used twice', make === must ? { severity: reuse } : {}));
  }
  return found;
}
