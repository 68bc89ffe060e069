import { answer, event, notice, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { failure, json, meanwhile, result, resultMessage, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { Reply, SentEvent } from '../wire.js';

const NORTH = { warehouse: 'north' };
const SOUTH = { warehouse: 'south' };

function withSession(act: (session: Session) => void): Tape {
  const tape = new Tape();
  act(tape.open(S1));
  return tape;
}

/** Two calls in flight at once under these ids. */
function inFlight(
  ids: readonly [unknown, unknown],
  replies: readonly [Reply, Reply],
  tools = ['export', 'import'],
): Tape {
  return withSession((session) =>
    session
      .call(ids[0], tools[0] ?? '', NORTH, meanwhile(replies[0]), 'tok-a')
      .call(ids[1], tools[1] ?? '', SOUTH, replies[1], 'tok-b'),
  );
}

/** The answers come when a second call has long been sent. */
const slow = (...events: readonly SentEvent[]) =>
  stream(
    events.map((sent) => ({ ...sent, afterMs: 400 })),
    'complete',
    2_000,
  );

/** Two tools with output schemas in flight under one id, answered with these fields. */
function withSchemas(fields: readonly [string, string]): Tape {
  const tool = (name: string, field: string) => ({
    name,
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object', properties: { [field]: { type: 'number' } }, required: [field] },
  });
  const tools = [tool('export', 'orders'), tool('import', 'pallets')];
  const structured = (field: string, count: number) =>
    event(null, { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { [field]: count } } });
  return withSession((session) =>
    session
      .post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, json({ jsonrpc: '2.0', id: 1, result: { tools } }))
      .call(2, 'export', NORTH, meanwhile(slow(structured(fields[0], 14))))
      .call(2, 'import', SOUTH, slow(structured(fields[1], 3))),
  );
}

export const misattributedResult = new Samples('misattributed-result')
  .positive(
    'wrong-stream',
    'The POST asked for id 3 and also gets the answer to id 2, which another POST had asked for.',
    {
      'capture.har': har(
        withSession((session) =>
          session.call(2, 'export', NORTH, result(2)).call(3, 'export', SOUTH, slow(answer(null, 2), answer(null, 3))),
        ),
      ),
    },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { proof: 'wrong-stream' } },
  )
  .positive(
    'string-for-number',
    'Ids are typed: nobody asked for "2".',
    {
      'capture.har': har(
        withSession((session) => session.call(2, 'export', NORTH, slow(answer(null, '2'), answer(null, 2)))),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { proof: 'unsolicited' } },
  )
  .positive(
    'unsolicited',
    'An answer arrives on the listening stream, to an id that the session never used.',
    {
      'capture.har': har(
        withSession((session) => session.call(2, 'export', NORTH, result(2)).get(slow(answer('e1', 99)))),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { proof: 'unsolicited' } },
  )
  .positive(
    'two-answers',
    'One request gets two different answers.',
    {
      'capture.har': har(
        withSession((session) =>
          session.call(2, 'export', NORTH, slow(answer(null, 2, '14 pallets'), answer(null, 2, '3 pallets'))),
        ),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { proof: 'two-answers' } },
  )
  .positive(
    'swapped',
    'Two calls are in flight under one id, and each stream carries the progress of the other.',
    {
      'capture.har': har(
        inFlight(
          [2, 2],
          [
            slow(progress(null, 'tok-b', 1), answer(null, 2, 'imported')),
            slow(progress(null, 'tok-a', 1), answer(null, 2, 'exported')),
          ],
        ),
      ),
    },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { proof: 'swapped' } },
  )
  .positive(
    'swapped-by-schema',
    'Two calls share an id; each result has the fields that the other tool announces.',
    { 'capture.har': har(withSchemas(['pallets', 'orders'])) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { proof: 'swapped' } },
  )
  .positive(
    'ambiguous',
    'Two calls are in flight under one id, and nothing says whose answer is whose.',
    { 'capture.har': har(inFlight([2, 2], [slow(answer(null, 2, 'one')), slow(answer(null, 2, 'two'))])) },
    { sessions: [S1], severity: 'low', confidence: 'possible', facts: { proof: 'ambiguous' } },
  )
  .negative('own-answer', 'The POST gets the answer to its own id.', {
    'capture.har': har(
      withSession((session) => session.call(2, 'export', NORTH, slow(notice(null, 'busy'), answer(null, 2)))),
    ),
  })
  .negative('result-fits-its-schema', 'Two calls share an id, but each result has the fields of its own tool.', {
    'capture.har': har(withSchemas(['orders', 'pallets'])),
  })
  .negative(
    'question-of-the-server',
    'What comes under these ids are requests of the server, which count for themselves.',
    {
      'capture.har': har(
        withSession((session) => {
          const asks = (id: number) => event(null, { jsonrpc: '2.0', id, method: 'roots/list' });
          session.call(2, 'export', NORTH, slow(asks(2), asks(7), answer(null, 2)));
        }),
      ),
    },
  )
  .negative('speaks-of-a-lost-session', 'The answer under an id of the server’s own says that the session is lost.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'export', NORTH, failure(200, 'Session not found', -32600, 'server-error')),
      ),
    ),
  })
  .negative('without-id', 'The stray answer is an error without an id: it answers nobody.', {
    'capture.har': har(
      withSession((session) =>
        session.call(
          2,
          'export',
          NORTH,
          slow(event(null, { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'Hiccup' } }), answer(null, 2)),
        ),
      ),
    ),
  })
  .negative('on-its-resume', 'The answer comes on the resume of the stream on which it was asked for.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'export', NORTH, stream([prime('c1')], 'cut')).resume('c1', slow(answer('c2', 2))),
      ),
    ),
  })
  .negative('asked-on-another-post', 'The answer on the listening stream has an id that the session did use.', {
    'capture.har': har(
      withSession((session) =>
        session.call(2, 'export', NORTH, stream([prime('c1')], 'cut')).get(slow(answer('e1', 2))),
      ),
    ),
  })
  .negative('begun-before-the-capture', 'The session had begun before the capture: the id may have been used then.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .join(S1)
          .call(2, 'export', NORTH, result(2))
          .get(slow(answer('e1', 99)));
        return tape;
      })(),
    ),
  })
  .negative('same-answer-twice', 'The answer comes twice, word for word.', {
    'capture.har': har(
      withSession((session) => session.call(2, 'export', NORTH, slow(answer(null, 2), answer(null, 2)))),
    ),
  })
  .negative('two-requests-one-post', 'A batch asks for both answers on one POST.', {
    'capture.har': har(
      withSession((session) => {
        const request = (id: number, name: string) => ({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name, arguments: NORTH },
        });
        session.post([request(2, 'export'), request(3, 'import')], json([resultMessage(3), resultMessage(2)]));
      }),
    ),
  })
  .negative('distinct-ids', 'Two calls are in flight, each under an id of its own.', {
    'capture.har': har(inFlight([2, 3], [slow(answer(null, 2, 'one')), slow(answer(null, 3, 'two'))])),
  })
  .negative('one-after-the-other', 'The id is used again when its first use was answered.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'export', NORTH, slow(answer(null, 2, 'one')))
          .call(2, 'import', SOUTH, slow(answer(null, 2, 'two'))),
      ),
    ),
  })
  .negative('payload-fits', 'Two calls share an id, but the progress on each stream is its own.', {
    'capture.har': har(
      inFlight(
        [2, 2],
        [
          slow(progress(null, 'tok-a', 1), answer(null, 2, 'exported')),
          slow(progress(null, 'tok-b', 1), answer(null, 2, 'imported')),
        ],
      ),
    ),
  })
  .negative('same-request-twice', 'The two requests in flight under one id are one and the same.', {
    'capture.har': har(
      withSession((session) =>
        session
          .call(2, 'export', NORTH, meanwhile(slow(answer(null, 2, 'one'))))
          .call(2, 'export', NORTH, slow(answer(null, 2, 'two'))),
      ),
    ),
  })
  .negative('refused', 'The answer with a foreign id comes with an HTTP error.', {
    'capture.har': har(withSession((session) => session.call(2, 'export', NORTH, json(resultMessage(7), 500)))),
  })
  .negative('under-another-session', 'The answer comes under another session: that is the merge itself.', {
    'capture.har': har(
      withSession((session) => session.call(2, 'export', NORTH, { ...slow(answer(null, 7)), session: S2 })),
    ),
  });
