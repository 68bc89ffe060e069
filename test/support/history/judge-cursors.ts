import { callsOf } from './calls.js';
import { may, must } from './expect.js';
import {
  carries,
  type History,
  inSession,
  isLoss,
  isResume,
  issuedIds,
  issueOf,
  issuingSession,
  sameClient,
  sessionOf,
  stateless,
  streamsOf,
  succeeded,
} from './facts.js';
import type { Expected, Seen } from './seen.js';

const COUNTER = /^[A-Za-z]{0,8}[-_]?(\d{1,9})$/;
const RMCP = /^\d+\/\d+$/;

const counterOf = (id: string): number | null => {
  const found = COUNTER.exec(id)?.[1];
  return found === undefined ? null : Number(found);
};

/** Sessions under which an id was delivered before a moment. */
function issuers(h: History, id: string, beforeMs: number): Set<string> {
  const found = new Set<string>();
  for (const x of h.seen) {
    const session = issuingSession(x);
    if (session !== null && x.startMs < beforeMs && issuedIds(x).has(id)) found.add(session);
  }
  return found;
}

/** The session that an id itself names (C# SDK: base64 of the session, of the stream, then a number). */
function namedSession(h: History, id: string): string | null {
  const first = /^([A-Za-z0-9+/=]+):[A-Za-z0-9+/=]+:\d+$/.exec(id)?.[1];
  if (first === undefined) return null;
  const name = Buffer.from(first, 'base64').toString('utf8');
  return h.seen.some((x) => x.requestSession === name || x.responseSession === name) ? name : null;
}

/** "a Last-Event-ID that was issued under S1 is presented with S2. Needs proof" */
export function crossEpochCursors(h: History): Expected[] {
  const found: Expected[] = [];
  for (const y of h.seen) {
    const severity = succeeded(y) ? 'critical' : 'high';
    for (const { session, proof } of originsOf(h, y)) {
      if (proof === 'none') continue;
      const make = proof === 'proven' ? must : may;
      const sessions = [session, y.requestSession ?? ''];
      found.push(
        make('cross-epoch-cursor', sessions, 'a cursor of another session', make === must ? { severity } : {}),
      );
    }
  }
  return found;
}

interface Origin {
  session: string;
  proof: 'proven' | 'open' | 'none';
}

/** Sessions that issued the cursor of a request, when its own did not. */
function originsOf(h: History, y: Seen): Origin[] {
  const id = y.lastEventId;
  if (!carries(y) || id === null || id === '') return [];
  const named = namedSession(h, id);
  const from = new Set([...issuers(h, id, y.startMs), ...(named === null ? [] : [named])]);
  if (from.has(y.requestSession ?? '')) return [];
  return [...from].map((session) => ({
    session,
    proof: from.size === 1 && isResume(y, h.seen) ? proofOf(h, y, id, session) : 'open',
  }));
}

function proofOf(h: History, y: Seen, id: string, from: string): 'proven' | 'open' | 'none' {
  if (RMCP.test(id) || /^_\d+$/.test(id)) return 'open';
  const number = counterOf(id);
  if (number === null) return 'proven';
  const own = h.seen.filter((x) => issuingSession(x) === y.requestSession && x.startMs < y.startMs);
  const highest = Math.max(-1, ...own.flatMap((x) => [...issuedIds(x).keys()].map((other) => counterOf(other) ?? -1)));
  const lost = inSession(h, from).some((x) => isLoss(x) && x.startMs < y.startMs);
  if (number > highest && lost) {
    // "and S1 was lost just before": to this client, and not when the session's own frame of that number was cut
    const justBefore = inSession(h, from).some(
      (x) => isLoss(x) && sameClient(x, y) && x.startMs < y.startMs && y.startMs - x.startMs <= 600_000,
    );
    const ownFrame = own.some((x) => x.partialId === id);
    return highest >= 0 && justBefore && !ownFrame ? 'proven' : 'open';
  }
  return lost ? 'open' : 'none';
}

/** The capture shows the response that brought the session into being, be it an `initialize` or a silent mint. */
function startSeen(h: History, session: string): boolean {
  const first = h.seen.find((x) => x.requestSession === session || x.responseSession === session);
  return issueOf(h, session) !== null || (first !== undefined && first.requestSession !== session);
}

/** "never issued in that session although the session was captured from its start with bodies; or … cut mid-frame" */
export function unissuedCursors(h: History): Expected[] {
  if (h.kind !== 'har') return [];
  const found: Expected[] = [];
  for (const y of h.seen) {
    const id = y.lastEventId;
    if (!carries(y) || id === null || id === '') continue;
    const session = y.requestSession ?? '';
    const before = h.seen.filter(
      (x) => !stateless(x) && x.startMs < y.startMs && (sessionOf(x) === session || issuingSession(x) === session),
    );
    if (before.some((x) => x.events.some((event) => event.cursor === id))) continue;
    const origins = originsOf(h, y);
    if (origins.some((origin) => origin.proof === 'proven')) continue;
    const whole = startSeen(h, session) && before.every((x) => !x.stream || x.sawAnswer);
    const partial = before.some((x) => x.partialId === id);
    if (!whole && !partial) continue;
    const make = isResume(y, h.seen) && origins.every((origin) => origin.proof === 'none') ? must : may;
    const hidden = before.some((x) => x.stream && x.end === 'truncated' && x.partialId === null);
    const facts: Record<string, string> = partial ? { kind: 'partial-frame' } : hidden ? {} : { kind: 'never-issued' };
    found.push(
      make(
        'unissued-cursor',
        session,
        'the client made up a position',
        make === must ? { severity: 'high', facts } : {},
      ),
    );
  }
  return found;
}

/** "a request's stream that had delivered event ids ended without its response, and the client opened a GET without Last-Event-ID" */
export function droppedCursors(h: History): Expected[] {
  if (h.kind !== 'har') return [];
  const found: Expected[] = [];
  const calls = callsOf(h);
  const told = new Set<Seen>();
  const inOrder = [...streamsOf(h)].sort((a, b) => b.opener.httpMethod.localeCompare(a.opener.httpMethod));
  for (const stream of inOrder) {
    const x = stream.opener;
    const session = sessionOf(x);
    const last = stream.parts[stream.parts.length - 1] ?? x;
    if (
      session === null ||
      last.endMs === null ||
      !stream.parts.some((part) => part.events.some((event) => event.cursor !== null))
    )
      continue;
    const next = h.seen.find(
      (y) =>
        y.httpMethod === 'GET' &&
        y.requestSession === session &&
        y.lastEventId === null &&
        y.startMs >= (last.endMs ?? 0) &&
        !stream.parts.includes(y),
    );
    if (next === undefined) continue;
    const extras = { severity: 'medium' };
    if (x.httpMethod === 'POST') {
      const due = calls.filter((call) => call.x === x && call.answer === null && !call.refused);
      if (due.length === 0) continue;
      const cancelled = due.every((call) => call.cancelledMs !== null);
      const listening = streamsOf(h).some(
        (other) =>
          other.opener.httpMethod === 'GET' &&
          other.opener.startMs < next.startMs &&
          sessionOf(other.opener) === session,
      );
      const make = stream.parts.length > 1 || cancelled || isLoss(next) || listening ? may : must;
      told.add(next);
      found.push(make('cursor-dropped', session, 'a GET without the cursor although a response is due', extras));
    } else if (stream.parts.some((part) => part.received.length > 0)) {
      const make = isLoss(next) || !succeeded(next) || told.has(next) ? may : must;
      found.push(
        make(
          'cursor-dropped',
          session,
          'a listening stream is opened anew without its cursor',
          make === must ? { severity: 'low' } : {},
        ),
      );
    }
  }
  return found;
}

/** "Last-Event-ID on a POST that carries a new request, response or notification. Low, one per client." */
export function cursorsOnPost(h: History): Expected[] {
  const posts = h.seen.filter(
    (x) => x.httpMethod === 'POST' && x.lastEventId !== null && x.lastEventId !== '' && !stateless(x),
  );
  const plain = posts.filter((x) => !isResume(x, h.seen));
  if (plain.length === 0) return [];
  const make = h.kind === 'har' ? must : may;
  return [make('cursor-on-post', null, 'a cursor on a POST that is no resume', { severity: 'low' })];
}
