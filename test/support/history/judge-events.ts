import { callsOf } from './calls.js';
import { may, must } from './expect.js';
import {
  answers,
  type History,
  homeOf,
  isLoss,
  isResume,
  issuedIds,
  issuingSession,
  requests,
  type Stream,
  sessionOf,
  stateless,
  streamsOf,
  succeeded,
} from './facts.js';
import type { Expected, Seen, SeenEvent } from './seen.js';

interface Resumed {
  y: Seen;
  stream: Stream;
  /** Parts before this one. */
  earlier: readonly Seen[];
}

/** Accepted resumes within one session whose stream the history shows. */
export function resumedParts(h: History): Resumed[] {
  const found: Resumed[] = [];
  for (const y of h.seen) {
    if (!isResume(y, h.seen) || !succeeded(y) || isLoss(y) || sessionOf(y) !== issuingSession(y)) continue;
    const stream = homeOf(h, y);
    if (stream !== null) found.push({ y, stream, earlier: stream.parts.slice(0, stream.parts.indexOf(y)) });
  }
  return found;
}

const isMessage = (event: SeenEvent): boolean => event.data !== null && event.data.trim() !== '';

const sameEvent = (a: SeenEvent, b: SeenEvent): boolean =>
  a.id !== null && a.id === b.id && (a.data === b.data || a.data === null || b.data === null);

/** "after a resume, events arrive that the client already had" */
export function replayedEvents(h: History): Expected[] {
  const found: Expected[] = [];
  for (const { y, earlier } of resumedParts(h)) {
    const had = earlier.flatMap((part) => part.events);
    const again = y.events.filter(
      (event) => event.id !== null && isMessage(event) && had.some((old) => sameEvent(old, event)),
    );
    if (again.length === 0) continue;
    const first = y.events.find((event) => event.id !== null);
    const mode = first?.id === y.lastEventId ? 'inclusive' : 'earlier';
    const carried = y.received.filter(
      (message) => message.event !== null && again.includes(y.events[message.event] as SeenEvent),
    );
    const facts = again.includes(first as SeenEvent) ? { mode } : {};
    const grave = carried.some((message) => message.kind === 'result' || message.kind === 'error');
    const open = carried.some((message) => message.progressToken !== null || message.kind === 'request');
    // Whether an answer, a progress or a request of the server had been acted on is open.
    const severity = grave || open ? null : 'low';
    found.push(must('replayed-events', sessionOf(y), 'events that the client had', { severity, facts }));
  }
  return found;
}

/** "a resumed stream carries messages of another stream or session" */
export function foreignReplays(h: History): Expected[] {
  const found: Expected[] = [];
  for (const y of h.seen) {
    if (!isResume(y, h.seen) || !succeeded(y) || stateless(y)) continue;
    const session = y.requestSession;
    const home = homeOf(h, y);
    if (session === null || sessionOf(y) !== issuingSession(y)) {
      found.push(may('foreign-replay', session, 'the events of another session after a merge'));
      continue;
    }
    const others = h.seen.filter((x) => x !== y && !(home?.parts.includes(x) ?? false) && !stateless(x));
    const carriers = others.filter((x) =>
      x.events.some((old) => isMessage(old) && y.events.some((event) => sameEvent(old, event))),
    );
    if (carriers.length === 0) {
      if (strangers(h, y, home))
        found.push(may('foreign-replay', session, 'messages that fit no request of this stream'));
      continue;
    }
    const across = carriers.some((x) => issuingSession(x) !== session);
    const within = carriers.some((x) => issuingSession(x) === session);
    const structured = y.events.every((event) => event.id === null || /[_:]|^[0-9a-f-]{32,36}$/.test(event.id));
    const make = home === null && within && !across ? may : !structured && across ? may : must;
    found.push(
      make(
        'foreign-replay',
        session,
        'delivered before elsewhere',
        make === must ? { severity: across ? 'critical' : 'high' } : {},
      ),
    );
  }
  return found;
}

/** An event of a resume that had been delivered outside its stream. */
function isForeign(h: History, x: Seen, event: SeenEvent): boolean {
  if (!isResume(x, h.seen) || !isMessage(event)) return false;
  const home = homeOf(h, x);
  return h.seen.some(
    (y) => y !== x && !(home?.parts.includes(y) ?? false) && y.events.some((old) => sameEvent(old, event)),
  );
}

function strangers(h: History, y: Seen, home: Stream | null): boolean {
  if (home === null) return y.received.length > 0;
  const asked = new Set(requests(home.opener).map((message) => message.id));
  const tokens = new Set(requests(home.opener).map((message) => message.progressToken));
  return (
    answers(y).some((answer) => !asked.has(answer.id)) ||
    y.received.some((message) => message.method === 'notifications/progress' && !tokens.has(message.progressToken)) ||
    callsOf(h).some((call) => call.answeredBy === y && call.x !== home.opener)
  );
}

const CONTIGUOUS = [/^(?<stream>[A-Z2-7]{20,}|)_(?<seq>\d{1,9})$/, /^(?<seq>\d+)\/(?<stream>\d+)$/];
const COUNTED = [
  /^(?<stream>[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+):(?<seq>\d+)$/,
  /^(?<stream>[A-Za-z-]{0,8})(?<seq>\d{1,9})$/,
];

function place(id: string, shapes: readonly RegExp[]): { stream: string; seq: number } | null {
  for (const shape of shapes) {
    const groups = shape.exec(id)?.groups;
    if (groups !== undefined) return { stream: groups.stream ?? '', seq: Number(groups.seq) };
  }
  return null;
}

/** "ids of a contiguous family are missing on a resumed stream" */
export function eventGaps(h: History): Expected[] {
  const found: Expected[] = [];
  for (const { y } of resumedParts(h)) {
    for (const [shapes, make] of [
      [CONTIGUOUS, must],
      [COUNTED, may],
    ] as const) {
      let last = y.lastEventId === null ? null : place(y.lastEventId, shapes);
      for (const event of y.events) {
        const now = event.id === null ? null : place(event.id, shapes);
        if (now === null) continue;
        if (last !== null && now.stream === last.stream && now.seq > last.seq + 1) {
          found.push(make('event-gap', sessionOf(y), 'ids are missing', make === must ? { severity: 'high' } : {}));
        }
        if (last === null || (now.stream === last.stream && now.seq > last.seq)) last = now;
      }
    }
  }
  return found;
}

/** "one session issues the same event id for two different events" */
export function collisions(h: History): Expected[] {
  const found: Expected[] = [];
  const known = new Map<string, { data: string; x: Seen }>();
  const seen = new Set<string>();
  for (const x of h.seen) {
    const session = issuingSession(x);
    if (session === null) continue;
    for (const event of x.events) {
      if (event.id === null || event.id === '' || event.data === null) continue;
      const key = `${session}\0${event.id}`;
      const old = known.get(key);
      if (old === undefined) known.set(key, { data: event.data, x });
      else if (old.data !== event.data && !seen.has(session)) {
        seen.add(session);
        const priming = event.data === '' || old.data === '';
        const make = priming ? may : must;
        found.push(
          make('event-id-collision', session, 'one id for two events', make === must ? { severity: 'high' } : {}),
        );
      }
    }
  }
  return found;
}

const OPAQUE = /^([0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f-]{36}_[0-9a-f-]{36})$/i;

/** "nothing proves that the resumed stream goes on after the last event" */
export function unorderedResumes(h: History): Expected[] {
  const parts = resumedParts(h).filter(({ y }) => y.events.some((event) => event.id !== null));
  const opaque = parts.some(({ y }) => {
    const first = y.events.find((event) => event.id !== null)?.id ?? '';
    return OPAQUE.test(first) && !h.seen.some((x) => x !== y && issuedIds(x).has(first));
  });
  const echoes = parts.some(({ y }) => y.responseSession !== null);
  if (opaque && echoes) return [must('unordered-resume', null, 'ids without order', { severity: 'info' })];
  const homeless = h.seen.some(
    (y) => isResume(y, h.seen) && succeeded(y) && y.events.some((event) => event.id !== null),
  );
  return homeless ? [may('unordered-resume', null, 'order by milliseconds can tie', { severity: 'info' })] : [];
}

/** "one message on two connected streams, or a response on a GET stream that is not a resume" */
export function broadcasts(h: History): Expected[] {
  const found: Expected[] = [];
  const streams = streamsOf(h);
  const carriers = h.seen.filter((x) => !stateless(x) && x.events.some(isMessage));
  for (const [at, a] of carriers.entries()) {
    for (const b of carriers.slice(at + 1)) {
      if (issuingSession(a) !== issuingSession(b) || isResume(a, h.seen) || isResume(b, h.seen)) continue;
      const together =
        b.startMs < (a.endMs ?? Number.POSITIVE_INFINITY) && a.startMs < (b.endMs ?? Number.POSITIVE_INFINITY);
      const same = a.events.some((event) => isMessage(event) && b.events.some((other) => sameEvent(event, other)));
      const alike = a.events.some((event) => isMessage(event) && b.events.some((other) => other.data === event.data));
      if (together && same)
        found.push(must('broadcast-message', issuingSession(a), 'one message on two streams', { severity: 'medium' }));
      else if (alike) found.push(may('broadcast-message', issuingSession(a), 'equal messages need not be one'));
    }
  }
  for (const x of h.seen) {
    if (x.httpMethod !== 'GET' || stateless(x) || !x.stream || answers(x).length === 0) continue;
    const resumes = streams.some((stream) => stream.parts.includes(x) && stream.opener !== x);
    if (x.lastEventId === null) {
      const task = x.received.some((message) => message.task);
      found.push(
        (task ? may : must)(
          'broadcast-message',
          sessionOf(x),
          'a response on a GET that resumes nothing',
          task ? {} : { severity: 'medium' },
        ),
      );
    } else if (!resumes) found.push(may('broadcast-message', sessionOf(x), 'what it resumes is not known'));
  }
  return found;
}

/** "progress that does not increase, or for a token that is not active" */
export function progressRegressions(h: History): Expected[] {
  const found: Expected[] = [];
  const calls = callsOf(h);
  const last = new Map<string, number>();
  const counted = new Set<string>();
  for (const { x, event, message } of inOrderOfArrival(h)) {
    const session = issuingSession(x);
    if (stateless(x)) continue;
    if (message.method !== 'notifications/progress' || message.progressToken === null || message.progress === null)
      continue;
    const id = event?.id ?? null;
    if (event !== null && isForeign(h, x, event)) {
      found.push(may('progress-regression', session, 'a foreign event is reported as such'));
      continue;
    }
    if (id !== null && counted.has(`${session}\0${id}\0${message.text}`)) continue;
    if (id !== null) counted.add(`${session}\0${id}\0${message.text}`);
    const owner = [...calls]
      .reverse()
      .find(
        (call) =>
          call.message.progressToken === message.progressToken &&
          call.session === session &&
          call.x.startMs <= (event?.atMs ?? x.startMs),
      );
    const key = `${session}\0${owner?.x.index ?? '-'}\0${message.progressToken}`;
    const before = last.get(key);
    const elsewhere = h.seen.some((y) => y !== x && id !== null && issuedIds(y).has(id));
    const crossed =
      session !== sessionOf(x) ||
      (isResume(x, h.seen) &&
        (elsewhere || homeOf(h, x)?.opener !== owner?.x || x.events.some((other) => isForeign(h, x, other))));
    if (before !== undefined && message.progress <= before) {
      found.push(
        (crossed ? may : must)(
          'progress-regression',
          session,
          'progress does not increase',
          crossed ? {} : { severity: 'medium' },
        ),
      );
    }
    last.set(key, Math.max(before ?? message.progress, message.progress));
    if (owner === undefined)
      found.push(may('progress-regression', session, 'a token that nobody asked for, as far as is seen'));
    else if (
      owner.answeredBy === x &&
      owner.answer?.event !== null &&
      (owner.answer?.event ?? 0) < (message.event ?? 0) &&
      !message.task
    ) {
      const make = crossed ? may : must;
      found.push(
        make('progress-regression', session, 'progress after the answer', crossed ? {} : { severity: 'medium' }),
      );
    }
  }
  return found;
}

function inOrderOfArrival(h: History) {
  const all = h.seen.flatMap((x) =>
    x.received.map((message) => ({
      x,
      message,
      event: message.event === null ? null : (x.events[message.event] ?? null),
    })),
  );
  return all.sort((a, b) => (a.event?.atMs ?? a.x.startMs) - (b.event?.atMs ?? b.x.startMs));
}
