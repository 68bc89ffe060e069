import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { accepted, failure, gone, meanwhile, refusal, result } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const ARGS = { warehouse: 'north' };

function withSession(act: (session: Session, tape: Tape) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1).call(2, 'summary', ARGS, result(2)), tape);
  return tape;
}

/** `refusals` calls, each refused, the first of which declares the loss. */
function refused(session: Session, refusals: number, reply: () => Reply = gone): Session {
  for (let nth = 0; nth < refusals; nth += 1) session.call(10 + nth, 'summary', ARGS, reply());
  return session;
}

export const staleSessionReuse = new Samples('stale-session-reuse')
  .positive(
    'two-more',
    'One 404, then two more requests with the dead id.',
    { 'capture.har': har(withSession((session) => refused(session, 3))) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { uses: 2 } },
  )
  .positive(
    'ten-more-seen-by-proxy',
    'Ten requests after the refusal are many, and a proxy log shows them.',
    { 'access.jsonl': nginx(withSession((session) => refused(session, 11))) },
    { sessions: [S1], severity: 'high', facts: { uses: 10 } },
  )
  .positive(
    'nine-more',
    'Nine are not yet many.',
    { 'access.jsonl': nginx(withSession((session) => refused(session, 10))) },
    { sessions: [S1], severity: 'medium', facts: { uses: 9 } },
  )
  .positive(
    'after-its-own-end',
    'The client ends the session with DELETE, is refused, and goes on with the dead id all the same.',
    { 'capture.har': har(withSession((session) => refused(session.end({ ...accepted(), status: 200 }), 3))) },
    { sessions: [S1], severity: 'medium', facts: { uses: 2 } },
  )
  .negative('one-more', 'Only one request follows the refusal.', {
    'capture.har': har(withSession((session) => refused(session, 2))),
  })
  .negative(
    'initialized-anew',
    'The client initialises without the id after the 404 and works on in the new session.',
    {
      'capture.har': har(
        withSession((session, tape) => {
          refused(session, 1);
          tape.open(S2).call(2, 'summary', ARGS, result(2));
          refused(session, 2);
        }),
      ),
    },
  )
  .negative('in-flight', 'The other requests had been sent before the refusal arrived.', {
    'capture.har': har(withSession((session) => refused(session, 3, () => meanwhile({ ...gone(), tookMs: 2_000 })))),
  })
  .negative('success-later', 'The id works again afterwards: the session was not gone.', {
    'capture.har': har(withSession((session) => refused(session, 3).call(20, 'summary', ARGS, result(20)))),
  })
  .negative('not-404', 'The refusals are 400: the server never declared the loss as it must.', {
    'capture.har': har(withSession((session) => refused(session, 3, () => refusal(400, 'Session not found')))),
  })
  .negative('unknown-method', 'The 404 answers an unknown method (-32601), not a lost session.', {
    'capture.har': har(withSession((session) => refused(session, 3, () => failure(404, 'Method not found', -32601)))),
  })
  .negative(
    'ended-by-the-client',
    'The client itself had ended the session with DELETE; what still came late was refused.',
    {
      'capture.har': har(withSession((session) => refused(session.end({ ...accepted(), status: 200 }), 2))),
    },
  )
  .negative('stateless-era', 'The protocol version knows no sessions.', {
    'capture.har': har(
      (() => {
        const tape = new Tape('2026-07-28');
        refused(tape.join(S1).call(2, 'summary', ARGS, result(2)), 3);
        return tape;
      })(),
    ),
  });
