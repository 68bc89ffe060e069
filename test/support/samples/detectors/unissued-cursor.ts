import { answer, cutMidFrame, notice, prime } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { gone, refusal, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };

function withSession(act: (session: Session) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1));
  return tape;
}

const REFUSED = () => refusal(400, 'Unknown event id');

/** A stream of these events ends and is resumed. */
function broken(events: readonly SentEvent[], cursor: string, version?: string): Tape {
  const isCut = events.some(({ partial }) => partial);
  return withSession(
    (session) => session.get(stream(events, isCut ? 'cut' : 'complete')).resume(cursor, REFUSED()),
    version,
  );
}

const TWO = [notice('ev-1', 'one'), notice('ev-2', 'two')];

export const unissuedCursor = new Samples('unissued-cursor')
  .positive(
    'never-issued',
    'The session was captured from its start, and ev-7 is nowhere in it.',
    { 'capture.har': har(broken(TWO, 'ev-7')) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { kind: 'never-issued' } },
    ['cross-epoch-cursor'],
  )
  .positive(
    'issued-later',
    'ev-3 was issued only after the client had presented it.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .get(stream(TWO))
            .resume('ev-3', REFUSED())
            .resume('ev-2', stream([notice('ev-3', 'three')])),
        ),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { kind: 'never-issued' } },
  )
  .positive(
    'cut-in-the-middle',
    'ev-3 arrived without the blank line that completes it: a client must not keep its id.',
    { 'capture.har': har(broken([...TWO, cutMidFrame(notice('ev-3', 'three and some more text'))], 'ev-3')) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { kind: 'partial-frame' } },
  )
  .positive(
    'only-events-recorded',
    'The stream was cut and the browser kept its events alone: ev-7 is not among them.',
    { 'capture.har': har(withSession((session) => session.get(stream(TWO, 'cut')).resume('ev-7', REFUSED()))) },
    { sessions: [S1], severity: 'high', facts: { kind: 'never-issued' } },
  )
  .negative('last-complete-event', 'The cursor is the last event that was complete.', {
    'capture.har': har(broken([...TWO, cutMidFrame(notice('ev-3', 'three and some more text'))], 'ev-2')),
  })
  .negative('priming-event', 'The id came on an event without data, which moves the cursor like any other.', {
    'capture.har': har(broken([...TWO, prime('ev-7')], 'ev-7')),
  })
  .negative('begun-before-the-capture', 'The session had begun before the capture: the id may have been issued then.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape.join(S1).get(stream(TWO)).resume('ev-7', REFUSED());
        return tape;
      })(),
    ),
  })
  .negative('a-stream-is-missing', 'One stream of the session was not recorded: the id may have been on it.', {
    'capture.har': har(
      withSession((session) =>
        session
          .get(stream(TWO))
          .call(2, 'summary', ARGS, { ...stream([answer('ev-3', 2)]), unrecorded: true })
          .resume('ev-7', REFUSED()),
      ),
    ),
  })
  .negative('of-another-session', 'The id is proven to be of another session, which is the graver finding.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const id = '01M5K3Q8ZR4T7V9X2B6C1D0E5F';
        tape
          .open(S1)
          .get(stream([notice(id, 'one')], 'cut'))
          .call(3, 'summary', ARGS, gone());
        tape.open(S2).resume(id, REFUSED());
        return tape;
      })(),
    ),
  })
  .negative('no-cursor', 'The GET carries no Last-Event-ID.', {
    'capture.har': har(withSession((session) => session.get(stream(TWO)).get(REFUSED()))),
  })
  .negative('stateless-era', 'The request is of a protocol version without sessions.', {
    'capture.har': har(broken(TWO, 'ev-7', '2026-07-28')),
  });
