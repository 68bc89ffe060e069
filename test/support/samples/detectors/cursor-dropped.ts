import { answer, notice, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { accepted, meanwhile, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { Reply, SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };

function withSession(act: (session: Session, tape: Tape) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1), tape);
  return tape;
}

const listening = () => stream([], 'open', 5_000);

/** The stream of a call ends, and the client opens a GET. */
function afterCall(ended: Reply, headers: { session?: string | null; cursor?: string } = {}, version?: string): Tape {
  return withSession((session) => session.call(2, 'export', ARGS, ended, 'tok').get(listening(), headers), version);
}

/** A listening stream ends, and the client opens another. */
function afterListening(events: readonly SentEvent[]): Tape {
  return withSession((session) => session.get(stream(events, 'complete', 2_000)).get(listening()));
}

const HALF = [prime('c-1'), progress('c-2', 'tok', 1)];

export const cursorDropped = new Samples('cursor-dropped')
  .positive(
    'call-stream-cut',
    'The stream of a call had delivered c-2 and broke off; the next GET does not say so.',
    { 'capture.har': har(afterCall(stream(HALF, 'cut'))) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { stream: 'call' } },
  )
  .positive(
    'listening-stream-ended',
    'A listening stream had delivered a message: less is at stake.',
    { 'capture.har': har(afterListening([notice('n-1', 'one')])) },
    { sessions: [S1], severity: 'low', facts: { stream: 'listening' } },
  )
  .negative('posts-on', 'What follows the break is a POST: no stream was opened.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'export', ARGS, stream(HALF, 'cut'), 'tok').call(3, 'stock', {}, result(3)),
      ),
    ),
  })
  .negative(
    'cursor-of-another-stream',
    'The GET carries a cursor, if that of another stream: none was dropped by mistake.',
    {
      'capture.har': har(afterCall(stream(HALF, 'cut'), { cursor: 'n-9' })),
    },
  )
  .negative(
    'another-call-waits',
    'The stream that had ids ended with its answer; the call that still waits had none.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .call(2, 'export', ARGS, stream([...HALF, answer('c-3', 2)], 'complete'), 'tok')
            .call(3, 'export', { warehouse: 'south' }, stream([], 'cut', 500))
            .get(listening()),
        ),
      ),
    },
  )
  .negative('cursor-kept', 'The GET carries the last event id.', {
    'capture.har': har(afterCall(stream(HALF, 'cut'), { cursor: 'c-2' })),
  })
  .negative('call-answered', 'The stream ended with the answer: nothing is left to resume.', {
    'capture.har': har(afterCall(stream([...HALF, answer('c-3', 2)], 'complete'))),
  })
  .negative('no-ids', 'The events of the stream had no ids: there was no cursor to drop.', {
    'capture.har': har(afterCall(stream([progress(null, 'tok', 1)], 'cut'))),
  })
  .negative('still-running', 'The stream of the call was still running when the GET was sent.', {
    'capture.har': har(afterCall(meanwhile(stream(HALF, 'cut', 4_000)))),
  })
  .negative('open-at-the-end', 'The stream had not ended when the capture did.', {
    'capture.har': har(afterCall(meanwhile(stream(HALF, 'open', 4_000)))),
  })
  .negative('cancelled', 'The client had cancelled the call while its stream ran: it wants no rest.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'export', ARGS, meanwhile(stream(HALF, 'complete', 1_000)), 'tok')
          .notify('notifications/cancelled', { requestId: 2 }, { ...accepted(), tookMs: 1_200 })
          .get(listening()),
      ),
    ),
  })
  .negative('other-session', 'The GET opens a stream of another session.', {
    'capture.har': har(
      withSession((session, tape) => {
        session.call(2, 'export', ARGS, stream(HALF, 'cut'), 'tok');
        tape.open(S2).get(listening());
      }),
    ),
  })
  .negative('listening-stream-only-primed', 'The listening stream had delivered an id but no message.', {
    'capture.har': har(afterListening([prime('n-1', 500)])),
  })
  .negative('stateless-era', 'The GET is of a protocol version without sessions.', {
    'capture.har': har(afterCall(stream(HALF, 'cut'), {}, '2026-07-28')),
  });
