import { prime } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { meanwhile, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { callMessage, type Session, Tape } from '../tape.js';

const NORTH = { warehouse: 'north' };
const SOUTH = { warehouse: 'south' };

function withSession(act: (session: Session, tape: Tape) => void): Tape {
  const tape = new Tape();
  act(tape.open(S1), tape);
  return tape;
}

const twice = (first: unknown, second: unknown) =>
  withSession((session) =>
    session.call(first, 'stock', NORTH, result(first)).call(second, 'stock', SOUTH, result(second)),
  );

export const jsonrpcIdReuse = new Samples('jsonrpc-id-reuse')
  .positive(
    'one-after-the-other',
    'Id 2 is used for two calls, the second when the first was answered.',
    { 'capture.har': har(twice(2, 2)) },
    { sessions: [S1], severity: 'info', confidence: 'definite', facts: { ids: 1, uses: 2, at_once: false } },
    ['misattributed-result'],
  )
  .positive(
    'at-once',
    'Both calls under id 2 are in flight at the same time.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .call(2, 'stock', NORTH, meanwhile({ ...result(2), tookMs: 2_000 }))
            .call(2, 'stock', SOUTH, result(2)),
        ),
      ),
    },
    { sessions: [S1], severity: 'low', facts: { at_once: true } },
  )
  .negative('distinct-ids', 'Each call has an id of its own.', { 'capture.har': har(twice(2, 3)) })
  .negative('number-and-string', 'Ids are typed: 2 and "2" are two ids.', { 'capture.har': har(twice(2, '2')) })
  .negative('two-sessions', 'The id is used once in each of two sessions.', {
    'capture.har': har(
      withSession((session, tape) => {
        session.call(2, 'stock', NORTH, result(2));
        tape.join(S2).call(2, 'stock', NORTH, result(2));
      }),
    ),
  })
  .negative('resumed-on-the-post', 'The second POST repeats the request with its cursor: a resume, not a request.', {
    'capture.har': har(
      withSession((session) => {
        const message = callMessage(2, 'stock', NORTH);
        session.post(message, stream([prime('c1')], 'cut')).post(message, result(2), { cursor: 'c1' });
      }),
    ),
  })
  .negative('response-of-the-client', 'The id belongs to a request of the server, which the client answers.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'stock', NORTH, result(2)).post({ jsonrpc: '2.0', id: 2, result: { roots: [] } }, result(null)),
      ),
    ),
  })
  .negative('one-call-seen-twice', 'Browser and proxy recorded the same calls.', {
    'capture.har': har(twice(2, 3)),
    'access.jsonl': nginx(twice(2, 3)),
  });
