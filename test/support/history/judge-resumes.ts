import { callsOf } from './calls.js';
import { may, must } from './expect.js';
import { carries, ended, type History, isLoss, isResume, sessionOf, stateless, streamsOf, succeeded } from './facts.js';
import type { Expected, Seen } from './seen.js';

const SECONDS = 5_000;

const brief = (x: Seen): boolean => x.endMs !== null && x.endMs - x.startMs <= SECONDS;
const message = (x: Seen): boolean => x.received.some((item) => item.kind !== 'invalid');
const silent = (x: Seen): boolean => succeeded(x) && !message(x) && !x.events.some((event) => event.id !== null);

/** "resumes that bring nothing", by mode. */
export function futileResumes(h: History): Expected[] {
  return [...sameCursorRuns(h), ...silentResumes(h), ...loops(h)];
}

/** "three or more in a row with the same cursor, each closed within seconds" */
function sameCursorRuns(h: History): Expected[] {
  const found: Expected[] = [];
  const runs = new Map<string, Seen[]>();
  for (const x of h.seen) {
    if (!isResume(x, h.seen) || !carries(x) || !succeeded(x) || isLoss(x)) continue;
    const key = `${x.requestSession}\0${x.lastEventId}`;
    runs.set(key, [...(runs.get(key) ?? []), x]);
  }
  for (const run of runs.values()) {
    if (run.length < 3) continue;
    const session = run[0]?.requestSession ?? null;
    const empty = run.every((x) => brief(x) && !message(x) && x.end !== 'open');
    const make = empty && h.kind === 'har' ? must : may;
    found.push(
      make('futile-resume', session, 'one cursor again and again', make === must ? { severity: 'medium' } : {}),
    );
  }
  return found;
}

/** "a silent 2xx while a response is due" */
function silentResumes(h: History): Expected[] {
  if (h.kind !== 'har') return [];
  const found: Expected[] = [];
  for (const call of callsOf(h)) {
    const resumes = (call.stream?.parts ?? []).filter((part) => part !== call.x && silent(part) && part.sawAnswer);
    const finished = resumes.filter((part) => part.endMs !== null);
    if (resumes.length === 0) continue;
    const explained = finished.every((part) => (part.responseSession ?? call.session) !== call.session);
    const make = call.answer === null && finished.length > 0 && !explained && call.cancelledMs === null ? must : may;
    found.push(
      make(
        'futile-resume',
        call.session,
        'silent while a response is due',
        make === must ? { severity: 'medium' } : {},
      ),
    );
  }
  return found;
}

/** "a listening stream re-opened five times or more in a row and closed within seconds without a message" */
function loops(h: History): Expected[] {
  const found: Expected[] = [];
  const runs = new Map<string, number>();
  const done = new Set<string>();
  for (const x of h.seen) {
    if (x.httpMethod !== 'GET' || !carries(x) || !succeeded(x)) continue;
    const session = x.requestSession ?? '';
    const idle = (x.stream || h.kind !== 'har') && brief(x) && !message(x) && x.end !== 'client-aborted';
    const run = idle ? (runs.get(session) ?? 0) + 1 : 0;
    runs.set(session, run);
    if (run >= 5) done.add(session);
  }
  for (const session of done) {
    const cursor = h.seen.some((x) => x.requestSession === session && isResume(x, h.seen));
    const make = h.kind === 'har' && !cursor ? must : may;
    found.push(
      make('futile-resume', session, 'a listening stream in a loop', make === must ? { severity: 'low' } : {}),
    );
  }
  return found;
}

/** "two overlapping resumes of one cursor, both accepted" */
export function concurrentResumes(h: History): Expected[] {
  const found: Expected[] = [];
  const resumes = h.seen.filter((x) => isResume(x, h.seen) && carries(x) && succeeded(x) && !isLoss(x));
  for (const [at, a] of resumes.entries()) {
    for (const b of resumes.slice(at + 1)) {
      if (a.requestSession !== b.requestSession || a.lastEventId !== b.lastEventId) continue;
      const overlap = Math.min(ended(a), ended(b), h.endMs) - b.startMs;
      if (overlap <= 0) continue;
      const make = overlap >= 50 && a.endMs !== null ? must : may;
      found.push(
        make(
          'concurrent-resume',
          a.requestSession,
          'two resumes of one cursor at once',
          make === must ? { severity: 'medium' } : {},
        ),
      );
    }
  }
  return found;
}

const REFUSALS = new Set([400, 401, 403, 409]);

/** "400, 409, 401, 403, 5xx on a resume" */
export function refusedResumes(h: History): Expected[] {
  const found: Expected[] = [];
  for (const x of h.seen) {
    if (!isResume(x, h.seen) || !carries(x) || x.status === null) continue;
    if (!REFUSALS.has(x.status) && x.status < 500) continue;
    if (isLoss(x)) {
      found.push(may('resume-refused', null, 'the refusal is a loss told wrongly'));
      continue;
    }
    const held = x.streamHeld || x.status === 409;
    const later = h.seen.some(
      (y) => y.startMs > x.startMs && y.requestSession === x.requestSession && y.httpMethod === 'GET' && succeeded(y),
    );
    const near = h.endMs - x.startMs < 30_000;
    if (held && h.kind !== 'har') found.push(must('resume-refused', null, 'refused loudly'));
    else if (held && later) found.push(must('resume-refused', null, 'refused loudly, then accepted'));
    else if (held && near) found.push(must('resume-refused', null, 'whether the client gave up is open'));
    else if (held)
      found.push(
        must('resume-refused', null, 'the old stream is held and the client gives up', { severity: 'medium' }),
      );
    else found.push(must('resume-refused', null, 'refused loudly', { severity: 'low' }));
  }
  return found;
}

/** "streams of one endpoint end at the same age (± 1 s, at least five of them)" */
export function cutoffs(h: History): Expected[] {
  const ages = streamsOf(h)
    .flatMap((stream) => stream.parts)
    .filter(
      (x) =>
        x.httpMethod === 'GET' && (x.stream || h.kind !== 'har') && x.endMs !== null && succeeded(x) && !stateless(x),
    )
    .map((x) => (x.endMs ?? 0) - x.startMs)
    .sort((a, b) => a - b);
  const alike = ages.some((age, at) => age >= 20_000 && (ages[at + 4] ?? Number.POSITIVE_INFINITY) - age <= 1_000);
  const make = alike && h.kind === 'har' ? must : may;
  return [make('stream-cutoff', null, 'streams end at one age', { severity: 'info' })];
}

/** Resumes for which a source shows everything: the basis of the verdicts' own test. */
export const judgedResumes = (h: History): Seen[] =>
  h.seen.filter((x) => isResume(x, h.seen) && carries(x) && sessionOf(x) !== null);
