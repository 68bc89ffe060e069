import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { envoy, nginx } from '../logs.js';
import { accepted, failure, gone, meanwhile, result } from '../replies.js';
import { Samples } from '../sample.js';
import { callMessage, party, type Session, Tape } from '../tape.js';

const ARGS = { warehouse: 'north' };
const BARE = { session: null } as const;
const bareCall = callMessage(3, 'summary', ARGS);
const missing = () => ({ ...failure(400, 'Mcp-Session-Id header is required'), session: null });

function withSession(act: (session: Session, tape: Tape) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1).call(2, 'summary', ARGS, result(2)), tape);
  return tape;
}

const forgetful = (version?: string) => withSession((session) => session.post(bareCall, missing(), BARE), version);

export const sessionHeaderMissing = new Samples('session-header-missing')
  .positive(
    'call-without-header',
    'The client had been given S1 and sends a call without it.',
    { 'capture.har': har(forgetful()) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { requests: 1, status: 400 } },
  )
  .positive(
    'notification-accepted',
    'A server that accepts the notification all the same does not make it right.',
    {
      'capture.har': har(
        withSession((session) =>
          session.notify('notifications/roots/list_changed', undefined, { ...accepted(), session: null }, BARE),
        ),
      ),
    },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { status: 202 } },
  )
  .positive(
    'seen-by-proxy',
    'A log cannot tell the method; that the request was refused makes it possible.',
    { 'envoy.jsonl': envoy(forgetful()) },
    { sessions: [S1], severity: 'medium', confidence: 'possible', facts: { status: 400 } },
  )
  .negative('header-sent', 'The call carries the session id.', {
    'capture.har': har(withSession((session) => session.post(bareCall, failure(400, 'Busy')))),
  })
  .negative('initialize', 'The request without the id is an initialize, which fails.', {
    'capture.har': har(
      withSession((_, tape) => {
        tape.join(S2).initialize(null, { status: 500, session: null });
      }),
    ),
  })
  .negative('assignment-failed', 'The session was named by an initialize that failed: the client never had it.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape.join(S1).initialize(null, { status: 500 }).post(bareCall, missing(), BARE);
        return tape;
      })(),
    ),
  })
  .negative('assigns-a-session', 'The answer assigns a session: the request began one.', {
    'capture.har': har(withSession((session) => session.post(bareCall, { ...result(3), session: S2 }, BARE))),
  })
  .negative('after-the-end', 'The client had ended its session with DELETE.', {
    'capture.har': har(
      withSession((session) => session.end({ ...accepted(), status: 200 }).post(bareCall, missing(), BARE)),
    ),
  })
  .negative('before-the-session-was-known', 'The request had been sent before initialize was answered.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .join(S1)
          .initialize(null, meanwhile({ ...accepted(), tookMs: 2_000, status: 202 }))
          .post(bareCall, missing(), BARE);
        return tape;
      })(),
    ),
  })
  .negative('another-client', 'Another program sent the request: it never had a session.', {
    'capture.har': har(
      withSession((_, tape) => {
        tape.join(S1, party({ userAgent: 'probe/1.0' })).post(bareCall, missing(), BARE);
      }),
    ),
  })
  .negative('accepted-in-a-log', 'A log that knows no method shows a request that was answered 200.', {
    'access.jsonl': nginx(withSession((session) => session.post(bareCall, { ...result(3), session: null }, BARE))),
  })
  .negative('after-a-loss-in-a-log', 'After a loss the request in the log may be the next initialize, refused.', {
    'access.jsonl': nginx(
      withSession((session) => session.call(3, 'summary', ARGS, gone()).post(bareCall, missing(), BARE)),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no sessions.', {
    'capture.har': har(forgetful('2026-07-28')),
  });
