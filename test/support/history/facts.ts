import type { InputKind, Seen, SeenMessage } from './seen.js';

/** A history as one kind of input shows it, with the words that several judges share. */
export interface History {
  kind: InputKind;
  seen: readonly Seen[];
  /** Last moment that the capture shows. */
  endMs: number;
}

export function history(kind: InputKind, seen: readonly Seen[]): History {
  const endMs = seen.reduce((last, x) => Math.max(last, x.startMs, x.endMs ?? 0), 0);
  return { kind, seen, endMs };
}

export const stateless = (x: Seen): boolean =>
  (x.protocolVersion !== null && x.protocolVersion >= '2026-07-28') || x.method === 'server/discover';

export const succeeded = (x: Seen): boolean => x.status !== null && x.status >= 200 && x.status < 300;

/** An access log names no JSON-RPC method: there an initialize is a POST without session that is given one. */
export function isInitialize(x: Seen, kind: InputKind): boolean {
  if (x.method !== null) return x.method === 'initialize';
  return kind === 'log' && x.httpMethod === 'POST' && x.requestSession === null && x.responseSession !== null;
}

export const carries = (x: Seen): boolean => x.requestSession !== null && !stateless(x);

const methodUnknown = (x: Seen): boolean => x.received.some((message) => message.errorCode === -32601);

/** "404 on a request that carried a session id (not with -32601), or a body that says that the session is gone." */
export const isLoss = (x: Seen): boolean => carries(x) && ((x.status === 404 && !methodUnknown(x)) || x.lossInBody);

/** Carried a session and was served. */
export const knew = (x: Seen): boolean => carries(x) && succeeded(x) && !isLoss(x);

export const ended = (x: Seen): number => x.endMs ?? Number.POSITIVE_INFINITY;

/** The session in which an exchange took place: the one it carried, else the one it was given. */
export const sessionOf = (x: Seen): string | null => (stateless(x) ? null : (x.requestSession ?? x.responseSession));

export const answers = (x: Seen): SeenMessage[] =>
  x.received.filter((message) => (message.kind === 'result' || message.kind === 'error') && message.id !== null);

export const requests = (x: Seen): SeenMessage[] => x.sent.filter((message) => message.kind === 'request');

/** Asks for the rest of a stream: a GET, or a POST that carries nothing or repeats a request still in flight. */
export function isResume(x: Seen, all: readonly Seen[]): boolean {
  if (x.lastEventId === null || x.lastEventId === '' || stateless(x)) return false;
  if (x.httpMethod === 'GET') return true;
  if (x.httpMethod !== 'POST' || !x.sawRequestBody) return false;
  if (x.sent.length === 0) return true;
  return x.sent.every((message) => message.kind === 'request' && repeatsInFlight(x, message, all));
}

function repeatsInFlight(x: Seen, message: SeenMessage, all: readonly Seen[]): boolean {
  return all.some(
    (earlier) =>
      earlier !== x &&
      earlier.startMs < x.startMs &&
      sessionOf(earlier) === sessionOf(x) &&
      earlier.sent.some((own) => own.kind === 'request' && own.text === message.text) &&
      !answers(earlier).some((answer) => answer.id === message.id),
  );
}

/** Sessions in order of first sight. */
export function sessionsOf(h: History): string[] {
  const found = new Set<string>();
  for (const x of h.seen) {
    const session = sessionOf(x);
    if (session !== null) found.add(session);
    if (x.responseSession !== null && !stateless(x)) found.add(x.responseSession);
  }
  return [...found];
}

export const inSession = (h: History, session: string): Seen[] => h.seen.filter((x) => sessionOf(x) === session);

/** The exchange whose response issued the session, when the capture shows it. */
export function issueOf(h: History, session: string): Seen | null {
  return h.seen.find((x) => isInitialize(x, h.kind) && succeeded(x) && x.responseSession === session) ?? null;
}

/** The same id was issued more than once: each time is another epoch. */
export const issuedAgain = (h: History, session: string): boolean =>
  h.seen.filter((x) => isInitialize(x, h.kind) && succeeded(x) && x.responseSession === session).length > 1;

export const sameClient = (a: Seen, b: Seen): boolean => a.client === b.client;

/** The same client sends `initialize` between two moments. */
export function initialisedBetween(h: History, who: Seen, fromMs: number, toMs: number): boolean {
  return h.seen.some((x) => isInitialize(x, h.kind) && sameClient(x, who) && x.startMs >= fromMs && x.startMs <= toMs);
}

/** Ids that an exchange dispatched, with what carried them. */
export function issuedIds(x: Seen): Map<string, string | null> {
  const ids = new Map<string, string | null>();
  for (const event of x.events) {
    if (event.id !== null && event.id !== '' && !ids.has(event.id)) ids.set(event.id, event.data);
  }
  return ids;
}

/** Session under which the events of a response were issued. */
export const issuingSession = (x: Seen): string | null =>
  stateless(x) ? null : (x.responseSession ?? x.requestSession);

/**
 * A logical stream: the exchange that opened it and, in order, every exchange that resumed it.
 * Exchanges that carry events and resume nothing open a stream of their own.
 */
export interface Stream {
  opener: Seen;
  parts: Seen[];
}

export function streamsOf(h: History): Stream[] {
  const known = STREAMS.get(h);
  if (known !== undefined) return known;
  const streams = findStreams(h);
  STREAMS.set(h, streams);
  return streams;
}

const STREAMS = new WeakMap<History, Stream[]>();

function findStreams(h: History): Stream[] {
  const streams: Stream[] = [];
  for (const x of h.seen) {
    if (stateless(x)) continue;
    if (isResume(x, h.seen)) {
      const home = [...streams].reverse().find((stream) => holdsCursor(stream, x));
      if (home !== undefined) {
        home.parts.push(x);
        continue;
      }
    }
    if (x.stream || x.httpMethod === 'GET' || requests(x).length > 0) streams.push({ opener: x, parts: [x] });
  }
  return streams;
}

function holdsCursor(stream: Stream, x: Seen): boolean {
  return stream.parts.some(
    (part) => sessionOf(part) === x.requestSession && part.events.some((event) => event.cursor === x.lastEventId),
  );
}

/** The stream that a resume asks for; null: its cursor was never seen. */
export function homeOf(h: History, resume: Seen): Stream | null {
  return streamsOf(h).find((stream) => stream.parts.includes(resume) && stream.opener !== resume) ?? null;
}
