import { answer, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1 } from '../ids.js';
import { haproxy } from '../logs.js';
import { accepted, json, meanwhile, refusal, result, silence, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { spans } from '../spans.js';
import { type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';
import { announced } from './duplicate-tool-call-acts.js';

const ARGS = { article: 'bolt-m8', quantity: 2 };

/** A call that ends like this, and what the client does then. */
function called(reply: Reply, then?: (session: Session) => void, hints?: object): Tape {
  const tape = new Tape();
  const session = tape.open(S1);
  if (hints !== undefined) announced(session, hints);
  session.call(2, 'place_order', ARGS, reply, 'tok');
  then?.(session);
  return tape;
}

const half = (end: 'cut' | 'complete' | 'open' | 'aborted' | 'timed-out', lastsMs = 2_000) =>
  stream([prime('c1'), progress('c2', 'tok', 1)], end, lastsMs);
const afterwards = (session: Session) => session.call(3, 'stock', {}, result(3));
const cancelled = (session: Session) =>
  session.notify('notifications/cancelled', { requestId: 2 }, accepted()).call(3, 'stock', {}, result(3));

export const lostResponse = new Samples('lost-response')
  .positive(
    'stream-cut',
    'The stream broke and nobody resumed it: whether the order was placed is unknown.',
    { 'capture.har': har(called(half('cut'), afterwards)) },
    {
      sessions: [S1],
      severity: 'high',
      confidence: 'definite',
      facts: { ended: 'truncated', outcome: 'unknown', tool: 'place_order' },
    },
  )
  .positive(
    'read-only-tool',
    'The tool says that it only reads: asking again does no harm.',
    { 'capture.har': har(called(half('cut'), afterwards, { readOnlyHint: true })) },
    { sessions: [S1], severity: 'medium', facts: { outcome: 'unknown' } },
  )
  .positive(
    'not-a-tool-call',
    'What was lost is the answer to resources/read.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape();
          tape
            .open(S1)
            .post(
              { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'file:///a' } },
              stream([], 'cut', 900),
            );
          return tape;
        })(),
      ),
    },
    { sessions: [S1], severity: 'medium', facts: { method: 'resources/read', outcome: null } },
  )
  .positive(
    'hung-up',
    'The client hung up, which cancels nothing.',
    { 'capture.har': har(called(half('aborted'), afterwards)) },
    { sessions: [S1], severity: 'high', facts: { ended: 'client-aborted' } },
  )
  .positive(
    'no-answer-at-all',
    'The connection failed before a status came.',
    { 'capture.har': har(called(silence('cut', 1_500), afterwards)) },
    { sessions: [S1], severity: 'high', facts: { ended: 'truncated' } },
  )
  .positive(
    'resumed-in-vain',
    'The stream was resumed and ended again without the answer.',
    {
      'capture.har': har(
        called(half('cut'), (session) => session.resume('c2', stream([progress('c3', 'tok', 2)], 'cut', 900))),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { parts: 2 } },
  )
  .positive(
    'polled-for-too-long',
    'The server paused the stream and asked the client back after one second; nobody had come a minute later.',
    {
      'capture.har': har(
        called(stream([prime('c1', 1_000)], 'complete', 500), (session) =>
          session.wait(60_000).call(3, 'stock', {}, result(3)),
        ),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { ended: 'polling' } },
  )
  .positive(
    'cancelled-afterwards',
    'The client’s time-out cancelled the call when its stream had already ended.',
    { 'capture.har': har(called(half('timed-out'), cancelled)) },
    { sessions: [S1], severity: 'high', facts: { ended: 'timed-out' } },
  )
  .positive(
    'seen-in-spans',
    'The server’s span of the call ended with a reset connection and without a status.',
    { 'traces.jsonl': spans(called(silence('cut', 1_500), afterwards)) },
    { severity: 'high' },
  )
  .negative('answered', 'The answer comes on the stream.', {
    'capture.har': har(called(stream([prime('c1'), answer('c2', 2)], 'complete'), afterwards)),
  })
  .negative('answered-then-cut', 'The stream broke after the answer.', {
    'capture.har': har(called(stream([prime('c1'), answer('c2', 2)], 'cut'), afterwards)),
  })
  .negative('resumed-to-it', 'The resume brings the answer.', {
    'capture.har': har(called(half('cut'), (session) => session.resume('c2', stream([answer('c3', 2)], 'complete')))),
  })
  .negative('open-at-the-end', 'The stream was still running when the capture ended.', {
    'capture.har': har(called(meanwhile(half('open')), afterwards)),
  })
  .negative('refused', 'The request was answered by an HTTP error.', {
    'capture.har': har(called(refusal(500, 'Internal error'), afterwards)),
  })
  .negative('error-answer', 'The answer is a JSON-RPC error.', {
    'capture.har': har(
      called(json({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Out of stock' } }), afterwards),
    ),
  })
  .negative('cancelled-in-time', 'The client had cancelled while the stream was running.', {
    'capture.har': har(called(meanwhile(half('complete', 3_000)), cancelled)),
  })
  .negative('pausing', 'The server paused the stream, and the capture ends before the pause does.', {
    'capture.har': har(called(stream([prime('c1', 1_000)], 'complete', 500), afterwards)),
  })
  .negative(
    'pausing-for-long',
    'The server asked for ten seconds; half a minute has not passed when the capture ends.',
    {
      'capture.har': har(
        called(stream([prime('c1', 10_000)], 'complete', 500), (session) =>
          session.wait(25_000).call(3, 'stock', {}, result(3)),
        ),
      ),
    },
  )
  .negative('part-not-recorded', 'The body of the resume was not recorded: the answer may have been in it.', {
    'capture.har': har(
      called(half('cut'), (session) => {
        session.resume('c2', { ...stream([answer('c3', 2)], 'cut', 900), unrecorded: true });
      }),
    ),
  })
  .negative('notification', 'What was sent is a notification, to which no answer is due.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape.open(S1).notify('notifications/roots/list_changed', undefined, stream([], 'cut', 900));
        return tape;
      })(),
    ),
  })
  .negative('bodies-unknown', 'A log shows the cut, but neither what was asked nor what was answered.', {
    'haproxy.log': haproxy(called(half('cut'), afterwards)),
  });
