import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { failure, gone, refusal, result } from '../replies.js';
import { Samples } from '../sample.js';
import { callMessage, Tape } from '../tape.js';
import type { Reply } from '../wire.js';

/** A session that worked is asked for once or more after the server forgot it. */
function forgotten(replies: readonly Reply[], version?: string): Tape {
  const tape = new Tape(version);
  const session = tape.join(S1).call(2, 'summary', { warehouse: 'north' }, result(2));
  for (const [at, reply] of replies.entries()) session.call(at + 3, 'summary', { warehouse: 'south' }, reply);
  return tape;
}

const lostAs = (status: number) => failure(status, 'Session not found', -32000, 3);

/** Refusals without a reason, and then a new session of the same client. */
function aftermath({ pauseMs = 0, goesOn = false, status = 400 } = {}): Tape {
  const tape = forgotten([lostAs(status), lostAs(status)]);
  if (goesOn) tape.join(S1).call(8, 'summary', {}, result(8));
  tape.wait(pauseMs).open(S2).call(9, 'summary', {}, result(9));
  return tape;
}

export const maskedSessionLoss = new Samples('masked-session-loss')
  .positive(
    'ok-with-error',
    'HTTP 200 around a JSON-RPC error that says the session is not found, twice.',
    { 'capture.har': har(forgotten([lostAs(200), lostAs(200)])) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { status: 200, answers: 2 } },
    ['epoch-merge', 'stale-session-reuse'],
  )
  .positive(
    'ok-not-initialized',
    'HTTP 200 and `Server not initialized`.',
    { 'capture.har': har(forgotten([failure(200, 'Server not initialized', -32002, 3)])) },
    { sessions: [S1], severity: 'high' },
  )
  .positive(
    'bad-request',
    '400 with the reason in its body: a client takes it for its own mistake.',
    { 'capture.har': har(forgotten([lostAs(400)])) },
    { sessions: [S1], severity: 'medium', facts: { status: 400, answers: 1 } },
  )
  .positive(
    'unauthorized',
    '401 sends the user to the login, and plain text is no JSON-RPC.',
    { 'capture.har': har(forgotten([refusal(401, 'Unknown session')])) },
    { sessions: [S1], severity: 'medium', facts: { status: 401 } },
  )
  .positive(
    'another-instance',
    '503 reads as an outage, yet the body says that the session lives elsewhere.',
    { 'capture.har': har(forgotten([failure(503, 'Session unknown on this instance')])) },
    { sessions: [S1], severity: 'medium', facts: { status: 503 } },
  )
  .positive(
    'known-by-its-aftermath',
    'A log has no bodies. But 400 was all that the session ever got from then on, and the client took a new one at once.',
    { 'access.jsonl': nginx(aftermath()) },
    { sessions: [S1], severity: 'medium', confidence: 'possible', facts: { status: 400, answers: 2 } },
  )
  .negative('no-new-session', 'In the log the client goes away after the 400: it may have been its own mistake.', {
    'access.jsonl': nginx(forgotten([lostAs(400), lostAs(400)])),
  })
  .negative('new-session-much-later', 'In the log the client takes a new session only five minutes after the 400.', {
    'access.jsonl': nginx(aftermath({ pauseMs: 300_000 })),
  })
  .negative('session-goes-on', 'In the log the old session is answered again after the 400: it was not lost.', {
    'access.jsonl': nginx(aftermath({ goesOn: true })),
  })
  .negative('other-status-in-a-log', 'In the log the refusals are 500, which speak of no session.', {
    'access.jsonl': nginx(aftermath({ status: 500 })),
  })
  .negative('declared-with-404', 'The status is 404, which is what the specification wants.', {
    'capture.har': har(forgotten([gone()])),
  })
  .negative('other-error', 'The 400 speaks of the arguments, not of the session.', {
    'capture.har': har(forgotten([failure(400, 'Invalid arguments', -32602, 3)])),
  })
  .negative('tool-speaks-of-sessions', 'The text is the result of a tool that has sessions of its own.', {
    'capture.har': har(forgotten([result(3, 'Browser session not found')])),
  })
  .negative('no-session-sent', 'The request carried no session id: there was nothing to lose.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const message = callMessage(3, 'summary', { warehouse: 'south' });
        tape
          .join(S1)
          .call(2, 'summary', { warehouse: 'north' }, result(2))
          .post(message, lostAs(400), { session: null });
        return tape;
      })(),
    ),
  })
  .negative('initialize', 'The request is an initialize with a stale id: a new session was asked for.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const { type, body, status } = lostAs(400);
        tape.join(S1).call(2, 'summary', {}, result(2)).initialize(S1, { type, body, status, session: null });
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no sessions.', {
    'capture.har': har(forgotten([lostAs(400)], '2026-07-28')),
  });
