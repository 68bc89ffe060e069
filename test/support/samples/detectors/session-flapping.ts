import { har } from '../har.js';
import { S1 } from '../ids.js';
import { envoy } from '../logs.js';
import { accepted, failure, gone, refusal, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const ARGS = { warehouse: 'north' };
const INSTANCES = ['10.20.0.11:8080', '10.20.0.12:8080', '10.20.0.13:8080'];

function withSession(act: (session: Session) => void): Tape {
  const tape = new Tape();
  act(tape.open(S1));
  return tape;
}

/** Calls in turn, each known or unknown to the instance that got it. */
function calls(session: Session, replies: readonly ('known' | Reply)[]): Session {
  for (const [at, reply] of replies.entries())
    session.call(at + 2, 'summary', ARGS, reply === 'known' ? result(at + 2) : reply);
  return session;
}

/** Three instances in turn, of which the first alone knows the session. */
function roundRobin(): Tape {
  return withSession((session) => {
    for (let nth = 0; nth < 7; nth += 1) {
      const backends = [INSTANCES[nth % 3] ?? ''];
      session.call(
        nth + 2,
        'summary',
        ARGS,
        nth % 3 === 0 ? { ...result(nth + 2), backends } : { ...gone(), backends },
      );
    }
  });
}

export const sessionFlapping = new Samples('session-flapping')
  .positive(
    'known-unknown-known',
    'One refusal between two successes is probable: one request went astray.',
    { 'capture.har': har(withSession((session) => calls(session, ['known', gone(), 'known']))) },
    {
      sessions: [S1],
      severity: 'high',
      confidence: 'probable',
      facts: { known: 3, unknown: 1, replicas: 2, backends: null },
    },
    ['stale-session-reuse'],
  )
  .positive(
    'three-instances-in-turn',
    'An Envoy log names the instances: one of three knows the session.',
    { 'envoy.jsonl': envoy(roundRobin()) },
    {
      sessions: [S1],
      severity: 'high',
      confidence: 'definite',
      facts: { known: 4, unknown: 4, replicas: 2, backends: '10.20.0.11:8080, 10.20.0.12:8080, 10.20.0.13:8080' },
    },
  )
  .positive(
    'refused-with-400',
    'The instances that do not know the session say so with 400.',
    {
      'capture.har': har(withSession((session) => calls(session, ['known', refusal(400, 'Unknown session'), 'known']))),
    },
    { sessions: [S1], severity: 'high' },
  )
  .negative('one-404-in-a-log', 'A log shows one 404 between successes and not its body: it may speak of the method.', {
    'envoy.jsonl': envoy(withSession((session) => calls(session, ['known', gone(), 'known']))),
  })
  .negative('not-known-again', 'After the refusal the session never works again: it is lost.', {
    'capture.har': har(withSession((session) => calls(session, ['known', gone(), gone()]))),
  })
  .negative('not-known-before', 'The session was refused first and known only later.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        calls(tape.join(S1), [gone(), 'known', 'known']);
        return tape;
      })(),
    ),
  })
  .negative('initialized-between', 'The same id was initialised again between refusal and success: a new life.', {
    'capture.har': har(withSession((session) => calls(calls(session, ['known', gone()]).initialize(null), ['known']))),
  })
  .negative('unknown-method', 'The 404 answers an unknown method (-32601).', {
    'capture.har': har(
      withSession((session) => calls(session, ['known', failure(404, 'Method not found', -32601, 3), 'known'])),
    ),
  })
  .negative('other-http-method', 'Only GET is refused: the server offers no listening stream.', {
    'capture.har': har(
      withSession((session) => calls(calls(session, ['known']).get(refusal(404, 'Not found')), ['known'])),
    ),
  })
  .negative('server-error', 'The failure between is a 500 that does not speak of the session.', {
    'capture.har': har(withSession((session) => calls(session, ['known', refusal(500, 'Internal error'), 'known']))),
  })
  .negative('delete-refused', 'The refusal answers DELETE, which a server may not offer.', {
    'capture.har': har(
      withSession((session) =>
        calls(calls(session, ['known']).end({ ...refusal(404, 'Not found') }), ['known'])
          .get(stream([], 'complete', 500))
          .notify('notifications/roots/list_changed', undefined, accepted()),
      ),
    ),
  });
