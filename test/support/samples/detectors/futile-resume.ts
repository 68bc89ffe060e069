import { answer, notice, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { haproxy } from '../logs.js';
import { meanwhile, refusal, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const ARGS = { warehouse: 'north' };

function withSession(act: (session: Session) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1));
  return tape;
}

const empty = (lastsMs = 500): Reply => stream([], 'complete', lastsMs);

/** A listening stream that delivered e1 is resumed after it, time and again. */
function again(replies: readonly Reply[], version?: string): Tape {
  return withSession((session) => {
    session.get(stream([notice('e1', 'one')], 'cut'));
    for (const reply of replies) session.resume('e1', reply);
  }, version);
}

/** A call was cut before its answer; then the client resumes once. */
function due(resumed: Reply, first: Reply = stream([prime('c1')], 'cut')): Tape {
  return withSession((session) => session.call(2, 'export', ARGS, first).resume('c1', resumed));
}

/** The resume stays open, and the capture goes on for a while. */
function dueAndOpen(lastsMs: number): Tape {
  return withSession((session) =>
    session
      .call(2, 'export', ARGS, stream([prime('c1')], 'cut'))
      .resume('c1', meanwhile(stream([], 'open', lastsMs)))
      .wait(lastsMs)
      .call(3, 'summary', ARGS, result(3)),
  );
}

/** A listening stream is opened over and over without a cursor. */
function opened(replies: readonly Reply[]): Tape {
  return withSession((session) => {
    for (const reply of replies) session.get(reply);
  });
}

const times = (count: number, reply: () => Reply) => Array.from({ length: count }, reply);

export const futileResume = new Samples('futile-resume')
  .positive(
    'same-cursor',
    'Three resumes after e1 in a row, each closed at once and empty.',
    { 'capture.har': har(again(times(3, empty))) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { mode: 'same-cursor', resumes: 3 } },
  )
  .positive(
    'seen-by-proxy',
    'A proxy log shows the empty resumes by status and duration.',
    { 'haproxy.log': haproxy(again(times(4, empty))) },
    { sessions: [S1], severity: 'medium', facts: { mode: 'same-cursor', resumes: 4 } },
  )
  .positive(
    'only-the-last-event-again',
    'What comes is the event that the client already had: nothing new.',
    { 'capture.har': har(again(times(3, () => stream([notice('e1', 'one')], 'complete', 500)))) },
    { sessions: [S1], facts: { mode: 'same-cursor' } },
  )
  .positive(
    'silent-while-due',
    'The answer is due, and the resume ends without a byte.',
    { 'capture.har': har(due(empty())) },
    { sessions: [S1], severity: 'medium', facts: { mode: 'silent', resumes: 1 } },
  )
  .positive(
    'silent-and-held',
    'The resume stays open and silent for half a minute and more, to the end of the capture.',
    { 'capture.har': har(dueAndOpen(35_000)) },
    { sessions: [S1], severity: 'medium', facts: { mode: 'silent' } },
  )
  .positive(
    'listening-loop',
    'The listening stream is closed at once five times in a row.',
    { 'capture.har': har(opened(times(5, empty))) },
    { sessions: [S1], severity: 'low', facts: { mode: 'loop', resumes: 5 } },
  )
  .negative('answered-with-text', 'The answers are no streams but a page of text.', {
    'capture.har': har(again(times(3, () => ({ ...refusal(200, 'OK'), session: S1 })))),
  })
  .negative('third-still-open', 'The third resume was still open when the capture ended.', {
    'capture.har': har(again([empty(), empty(), stream([], 'open', 500)])),
  })
  .negative('brings-progress', 'The resume brings progress, if not yet the answer.', {
    'capture.har': har(due(stream([progress('c2', 'tok', 2)], 'complete', 500))),
  })
  .negative('pages-in-a-loop', 'Five GETs are answered with a page of text: no stream was opened.', {
    'capture.har': har(opened(times(5, () => ({ ...refusal(200, 'OK'), session: S1 })))),
  })
  .negative('two-resumes', 'Two empty resumes may be bad luck.', { 'capture.har': har(again(times(2, empty))) })
  .negative('a-message-between', 'The third resume brings an event.', {
    'capture.har': har(again([empty(), empty(), stream([notice('e2', 'two')], 'complete', 500)])),
  })
  .negative('held-for-a-minute', 'Each stream is held for a minute: an idle stream that a balancer ends.', {
    'capture.har': har(again(times(3, () => empty(60_000)))),
  })
  .negative('refused', 'The resumes are refused: loud, and another finding.', {
    'capture.har': har(again(times(3, () => refusal(400, 'Unknown event id')))),
  })
  .negative('under-another-session', 'The answers name another session: a merge.', {
    'capture.har': har(again(times(3, () => ({ ...empty(), session: S2 })))),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(again(times(3, empty), '2026-07-28')),
  })
  .negative('nothing-due', 'The silent resume follows a call that had its answer.', {
    'capture.har': har(due(empty(), stream([prime('c1'), answer('c2', 2)], 'complete'))),
  })
  .negative('answer-comes', 'The resume brings the answer.', {
    'capture.har': har(due(stream([answer('c2', 2)], 'complete'))),
  })
  .negative('silent-for-a-moment', 'The capture ends five seconds into the silence.', {
    'capture.har': har(dueAndOpen(5_000)),
  })
  .negative('four-in-a-row', 'Four times are one too few for a loop.', { 'capture.har': har(opened(times(4, empty))) })
  .negative('loop-broken-by-a-message', 'The third of five streams delivers a message.', {
    'capture.har': har(opened([empty(), empty(), stream([notice('e1', 'one')], 'complete', 500), empty(), empty()])),
  })
  .negative('loop-of-a-minute-each', 'Five streams of a minute each.', {
    'capture.har': har(opened(times(5, () => empty(60_000)))),
  })
  .negative('no-stream-offered', 'The server offers no listening stream and says so.', {
    'capture.har': har(opened(times(5, () => refusal(405, 'Method not allowed')))),
  });
