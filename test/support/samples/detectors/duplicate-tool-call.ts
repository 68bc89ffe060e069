import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { accepted, gone, json, result, silence, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { callMessage, party, type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';
import { ARGS, cut, repeated, retriedUpstream, sequence, withSession } from './duplicate-tool-call-acts.js';

const BY_CLIENT = { mechanism: 'client-retry', first_outcome: 'unknown' };

export const duplicateToolCall = new Samples('duplicate-tool-call')
  .positive(
    'client-retry',
    'The stream of the first call broke, and the client called again with the same arguments in another order.',
    { 'capture.har': har(repeated({})) },
    { sessions: [S1], severity: 'medium', confidence: 'possible', facts: { ...BY_CLIENT, fault: 'cut' } },
  )
  .positive(
    'first-completed',
    'The result had come when the stream broke: the order was placed twice.',
    { 'capture.har': har(repeated({ first: sequence.completedThenCut() })) },
    { severity: 'high', confidence: 'definite', facts: { mechanism: 'client-retry', first_outcome: 'completed' } },
  )
  .positive(
    'destructive',
    'The same, and the tool says that it destroys.',
    { 'capture.har': har(repeated({ first: sequence.completedThenCut(), hints: { destructiveHint: true } })) },
    { severity: 'critical', confidence: 'definite' },
  )
  .positive(
    'destructive-second-lost',
    'The tool destroys, but whether the second run took effect is unknown.',
    {
      'capture.har': har(
        repeated({ first: sequence.completedThenCut(), second: cut(), hints: { destructiveHint: true } }),
      ),
    },
    { severity: 'high', confidence: 'definite' },
  )
  .positive(
    'destructive-first-lost',
    'The tool destroys, but whether the first run took effect is unknown.',
    { 'capture.har': har(repeated({ hints: { destructiveHint: true } })) },
    { severity: 'medium', confidence: 'possible' },
  )
  .positive(
    'read-only',
    'The tool says that it only reads: twice is as good as once.',
    { 'capture.har': har(repeated({ hints: { readOnlyHint: true } })) },
    { severity: 'info' },
  )
  .positive(
    'idempotent',
    'The tool says that it is idempotent.',
    { 'capture.har': har(repeated({ hints: { idempotentHint: true } })) },
    { severity: 'info' },
  )
  .positive(
    'same-idempotency-key',
    'Both calls carry the same idempotency key.',
    { 'capture.har': har(repeated({ args: { ...ARGS, idempotencyKey: 'order-7f31' } })) },
    { severity: 'info', facts: { same_idempotency_key: true } },
  )
  .positive(
    'same-request-resent',
    'The client sends the very request again, id included.',
    { 'capture.har': har(repeated({ secondId: 2 })) },
    { severity: 'medium', facts: { mechanism: 'same-request-resent' } },
  )
  .positive(
    'timed-out-and-cancelled',
    'The client gave up waiting, cancelled and called again.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .call(2, 'place_order', ARGS, { ...stream([], 'aborted', 30_000), status: 200 })
            .notify('notifications/cancelled', { requestId: 2, reason: 'timeout' }, accepted())
            .call(3, 'place_order', ARGS, result(3)),
        ),
      ),
    },
    { severity: 'medium', confidence: 'possible', facts: { mechanism: 'client-retry' } },
  )
  .positive(
    'server-error',
    '502 says nothing about whether the order was placed.',
    { 'capture.har': har(repeated({ first: { ...json({ error: 'bad gateway' }, 502) } })) },
    { severity: 'medium', facts: { fault: '5xx', first_outcome: 'unknown' } },
  )
  .positive(
    'new-session',
    'The client initialised anew after the loss and repeated the call that had been cut.',
    {
      'capture.har': har(
        withSession((session, tape) => {
          session.call(2, 'place_order', ARGS, cut()).call(3, 'stock', {}, gone());
          tape.open(S2).call(2, 'stock', {}, result(2)).call(5, 'place_order', ARGS, result(5));
        }),
      ),
    },
    { sessions: [S1, S2], severity: 'medium', facts: { mechanism: 'epoch-change' } },
  )
  .positive(
    'merged-session',
    'The order was placed; then a resume came back under another session, and the client placed it again there.',
    { 'capture.har': har(sequence.merged({})) },
    {
      sessions: [S1, S2],
      severity: 'high',
      confidence: 'definite',
      facts: { mechanism: 'epoch-change', fault: 'epoch-change' },
    },
  )
  .positive(
    'replay-acted-on',
    'The server replayed events before the client called again.',
    { 'capture.har': har(sequence.replayed()) },
    { sessions: [S1], facts: { mechanism: 'replay-acted-on' } },
  )
  .positive(
    'mandated-reissue',
    'A version without sessions: the client has no other way than to issue the call anew.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape('2026-07-28');
          const post = (id: number, reply: Reply) =>
            tape.join('').post(callMessage(id, 'place_order', ARGS), reply, { session: null });
          post(2, cut());
          post(3, result(3));
          return tape;
        })(),
      ),
    },
    { severity: 'medium', facts: { mechanism: 'mandated-reissue' } },
  )
  .positive(
    'proxy-retry',
    'The proxy tried the POST on two upstreams: the first may have run it before it failed.',
    { 'access.jsonl': nginx(retriedUpstream('POST', result(2))) },
    { sessions: [S1], severity: 'medium', confidence: 'possible', facts: { mechanism: 'proxy-retry' } },
  )
  .negative('no-fault', 'The first call had its answer and nothing failed: the user asked twice.', {
    'capture.har': har(repeated({ first: result(2) })),
  })
  .negative('fault-of-another-call', 'The stream that broke was another call’s.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'place_order', ARGS, result(2))
          .call(3, 'stock', {}, cut())
          .call(4, 'place_order', ARGS, result(4)),
      ),
    ),
  })
  .negative('answered-long-before-the-change', 'The order had been confirmed two minutes before the session changed.', {
    'capture.har': har(sequence.merged({ beforeMs: 120_000 })),
  })
  .negative(
    'repeated-long-after-the-change',
    'The client orders again a quarter of an hour after the session changed.',
    {
      'capture.har': har(sequence.merged({ afterMs: 900_000 })),
    },
  )
  .negative('repeated-hours-later', 'Two hours lie between the break and the second order.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'place_order', ARGS, cut()).wait(7_200_000).call(3, 'place_order', ARGS, result(3)),
      ),
    ),
  })
  .negative(
    'refusal-before-both',
    'An instance that did not know the session refused something before the first order.',
    {
      'capture.har': har(
        withSession((session) =>
          session
            .call(2, 'stock', {}, gone())
            .call(3, 'place_order', ARGS, result(3))
            .call(4, 'place_order', ARGS, result(4)),
        ),
      ),
    },
  )
  .negative('loss-after-both', 'The session was lost after the second order.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'place_order', ARGS, result(2))
          .call(3, 'place_order', ARGS, result(3))
          .call(4, 'stock', {}, gone()),
      ),
    ),
  })
  .negative('other-arguments', 'The second call has other arguments.', {
    'capture.har': har(repeated({ secondArgs: { ...ARGS, quantity: 4 } })),
  })
  .negative('other-tool', 'The second call is of another tool.', {
    'capture.har': har(repeated({ secondTool: 'quote_order' })),
  })
  .negative('rejected', 'The first call was refused with 404: it never ran.', {
    'capture.har': har(repeated({ first: gone() })),
  })
  .negative('tool-error', 'The first call ended with a tool error, which is an answer, before its stream broke.', {
    'capture.har': har(repeated({ first: sequence.toolErrorThenCut() })),
  })
  .negative('polling', 'The client asks at the same rhythm before and after the fault.', {
    'capture.har': har(sequence.polling()),
  })
  .negative('another-client', 'The second call is another client’s, in a session of its own.', {
    'capture.har': har(
      withSession((session, tape) => {
        const other = tape.open(S2, { party: party({ userAgent: 'batch-runner/0.3', connection: 77 }) });
        session.call(2, 'place_order', ARGS, cut());
        other.call(2, 'place_order', ARGS, result(2));
        session.call(3, 'stock', {}, result(3));
      }),
    ),
  })
  .negative('one-call-seen-twice', 'Browser and proxy recorded the same call.', seenTwice())
  .negative('input-required', 'The second request brings the input that the first answer had asked for.', {
    'capture.har': har(sequence.inputRequired()),
  })
  .negative('get-tried-twice', 'What the proxy tried on two upstreams is a GET.', {
    'access.jsonl': nginx(retriedUpstream('GET', stream([], 'complete', 500))),
  })
  .negative('one-upstream', 'The proxy tried one upstream.', {
    'access.jsonl': nginx(retriedUpstream('POST', result(2), 1)),
  })
  .negative('retry-failed-too', 'The second upstream failed as well: the client was told.', {
    'access.jsonl': nginx(retriedUpstream('POST', json({ error: 'bad gateway' }, 502))),
  })
  .negative('initialize-tried-twice', 'What the proxy tried on two upstreams is an initialize.', {
    'access.jsonl': nginx(
      (() => {
        const tape = new Tape();
        tape.join(S1).initialize(null, { backends: ['10.20.0.11:8080', '10.20.0.12:8080'] });
        return tape;
      })(),
    ),
  });

function seenTwice(): Readonly<Record<string, string>> {
  const tape = withSession((session: Session) =>
    session.call(2, 'place_order', ARGS, silence('timed-out', 60_000)).call(3, 'stock', {}, result(3)),
  );
  return { 'capture.har': har(tape), 'access.jsonl': nginx(tape) };
}
