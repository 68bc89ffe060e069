import { answer, event, notice, prime } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { meanwhile, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };

function withSession(act: (session: Session, tape: Tape) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1), tape);
  return tape;
}

/** Two listening streams run at once; each delivers one event. */
function twoStreams(first: SentEvent, second: SentEvent, version?: string): Tape {
  return withSession(
    (session) => session.get(meanwhile(stream([first], 'complete', 6_000))).get(stream([second], 'complete', 5_000)),
    version,
  );
}

export const broadcastMessage = new Samples('broadcast-message')
  .positive(
    'same-id-on-two-streams',
    'One message with one id arrives on both listening streams.',
    { 'capture.har': har(twoStreams(notice('e1', 'stock low'), notice('e1', 'stock low'))) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { kind: 'message', messages: 1 } },
  )
  .positive(
    'without-ids',
    'The same words arrive on both listening streams within a second.',
    { 'capture.har': har(twoStreams(notice(null, 'stock low', 500), notice(null, 'stock low', 500))) },
    { sessions: [S1], severity: 'medium', facts: { kind: 'message' } },
  )
  .positive(
    'response-on-a-get',
    'The answer to a call arrives on a listening stream.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .get(meanwhile(stream([answer('e1', 2, 'done', 600)], 'complete', 3_000)))
            .call(2, 'export', ARGS, stream([], 'complete', 900)),
        ),
      ),
    },
    { sessions: [S1], severity: 'medium', facts: { kind: 'response' } },
  )
  .negative('question-of-the-server', 'What comes on the listening stream is a request of the server, not an answer.', {
    'capture.har': har(
      withSession((session) =>
        session.get(stream([event('e1', { jsonrpc: '2.0', id: 1, method: 'roots/list' })], 'complete', 500)),
      ),
    ),
  })
  .negative('twice-on-one-stream', 'The same words come twice on one stream.', {
    'capture.har': har(
      withSession((session) =>
        session.get(stream([notice(null, 'stock low'), notice(null, 'stock low')], 'complete', 500)),
      ),
    ),
  })
  .negative('same-words-of-two-calls', 'Two calls at once each say that they have begun.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'export', ARGS, meanwhile(stream([notice(null, 'begun'), answer(null, 2, 'a', 800)], 'complete')))
          .call(
            3,
            'export',
            { warehouse: 'south' },
            stream([notice(null, 'begun'), answer(null, 3, 'b', 800)], 'complete'),
          ),
      ),
    ),
  })
  .negative('one-after-the-other', 'The first stream had ended when the message came on the second.', {
    'capture.har': har(
      withSession((session) =>
        session
          .get(stream([notice('e1', 'stock low')], 'complete', 500))
          .wait(2_000)
          .get(stream([notice('e1', 'stock low')], 'complete', 500)),
      ),
    ),
  })
  .negative('two-messages', 'Each stream has a message of its own.', {
    'capture.har': har(twoStreams(notice('e1', 'stock low'), notice('e2', 'stock gone'))),
  })
  .negative('seconds-apart', 'The words without an id come again four seconds later: said twice, not broadcast.', {
    'capture.har': har(twoStreams(notice(null, 'stock low', 100), notice(null, 'stock low', 4_000))),
  })
  .negative('on-a-resume', 'The message comes again on a resume: a replay.', {
    'capture.har': har(
      withSession((session) =>
        session
          .get(stream([notice('e0', 'hello'), notice('e1', 'stock low')], 'cut'))
          .resume('e0', stream([notice('e1', 'stock low')], 'complete', 500)),
      ),
    ),
  })
  .negative('response-on-a-resume', 'The answer comes on the GET that resumes the stream of its call.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'export', ARGS, stream([prime('c1')], 'cut'))
          .resume('c1', stream([answer('c2', 2)], 'complete', 500)),
      ),
    ),
  })
  .negative('response-on-its-post', 'The answer comes on the stream of its call.', {
    'capture.har': har(
      withSession((session) =>
        session
          .get(meanwhile(stream([], 'complete', 3_000)))
          .call(2, 'export', ARGS, stream([answer('c1', 2)], 'complete')),
      ),
    ),
  })
  .negative('two-sessions', 'The streams belong to two sessions: each client is told once.', {
    'capture.har': har(
      withSession((session, tape) => {
        const other = tape.open(S2);
        session.get(meanwhile(stream([notice('e1', 'stock low')], 'complete', 3_000)));
        other.get(stream([notice('e1', 'stock low')], 'complete', 3_000)).call(2, 'summary', ARGS, result(2));
      }),
    ),
  })
  .negative('priming-events', 'Both streams start with the same id and no data.', {
    'capture.har': har(twoStreams(prime('e0'), prime('e0'))),
  })
  .negative('stateless-era', 'The protocol version has no listening streams of a session.', {
    'capture.har': har(twoStreams(notice('e1', 'stock low'), notice('e1', 'stock low'), '2026-07-28')),
  });
