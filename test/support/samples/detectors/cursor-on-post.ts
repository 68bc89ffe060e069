import { notice, prime } from '../events.js';
import { har } from '../har.js';
import { S1 } from '../ids.js';
import { nginx } from '../logs.js';
import { accepted, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { callMessage, type Session, Tape } from '../tape.js';

const ARGS = { warehouse: 'north' };

/** A listening stream delivers n-1; then comes what the client sends. */
function withCursor(act: (session: Session) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1).get(stream([notice('n-1', 'one')], 'complete', 500)));
  return tape;
}

const posted = (cursor?: string) => (session: Session) =>
  session
    .post(callMessage(2, 'summary', ARGS), result(2), cursor === undefined ? {} : { cursor })
    .post(
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      accepted(),
      cursor === undefined ? {} : { cursor },
    );

export const cursorOnPost = new Samples('cursor-on-post')
  .positive(
    'on-every-post',
    'A new call and a notification both carry Last-Event-ID: one finding for the client.',
    { 'capture.har': har(withCursor(posted('n-1'))) },
    { sessions: [S1], severity: 'low', confidence: 'definite', facts: { posts: 2 } },
  )
  .positive(
    'on-a-response',
    'The client answers a question of the server and sends its cursor along.',
    {
      'capture.har': har(
        withCursor((session) =>
          session.post({ jsonrpc: '2.0', id: 'q1', result: { roots: [] } }, accepted(), { cursor: 'n-1' }),
        ),
      ),
    },
    { sessions: [S1], severity: 'low', facts: { posts: 1 } },
  )
  .negative('no-cursor', 'The same messages without Last-Event-ID.', { 'capture.har': har(withCursor(posted())) })
  .negative('empty-cursor', 'The header is there and empty: no position is named.', {
    'capture.har': har(withCursor(posted(''))),
  })
  .negative('on-a-get', 'Last-Event-ID stands on a GET, where it belongs.', {
    'capture.har': har(withCursor((session) => session.resume('n-1', stream([notice('n-2', 'two')], 'complete', 500)))),
  })
  .negative(
    'repeats-a-call-in-flight',
    'The POST repeats a request that still waits for its answer: a resume on the POST.',
    {
      'capture.har': har(
        withCursor((session) => {
          const message = callMessage(2, 'export', ARGS);
          session
            .post(message, stream([prime('c-1')], 'cut'))
            .post(message, stream([notice('c-2', 'on')], 'complete', 500), { cursor: 'c-1' });
        }),
      ),
    },
  )
  .negative('without-a-message', 'The POST carries no message: it can only mean a resume.', {
    'capture.har': har(
      withCursor((session) => session.post(null, stream([notice('n-2', 'two')], 'complete', 500), { cursor: 'n-1' })),
    ),
  })
  .negative('body-unknown', 'A log does not know what the POSTs carried.', {
    'access.jsonl': nginx(withCursor(posted('n-1'))),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(withCursor(posted('n-1'), '2026-07-28')),
  });
