import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { gone, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const bare = (reply: Reply): Reply => ({ ...reply, session: null });

/** A listening stream is opened and resumed twice. */
function listening(opened: (reply: Reply) => Reply, resumed: (reply: Reply) => Reply): Tape {
  const tape = new Tape();
  tape
    .open(S1)
    .get(opened(stream([notice('e1', 'one')], 'complete', 900)))
    .resume('e1', resumed(stream([notice('e2', 'two')], 'complete', 900)))
    .resume('e2', resumed(stream([notice('e3', 'three')], 'complete', 900)));
  return tape;
}

const named = (reply: Reply): Reply => reply;

export const unacknowledgedResume = new Samples('unacknowledged-resume')
  .positive(
    'header-on-initialize-only',
    'The server names the session on initialize and never again.',
    { 'capture.har': har(listening(bare, bare)) },
    { sessions: [S1], severity: 'info', facts: { resumes: 2 } },
    ['epoch-merge'],
  )
  .positive(
    'seen-by-proxy',
    'The same in a proxy log that keeps the response header.',
    { 'access.jsonl': nginx(listening(bare, bare)) },
    { severity: 'info', facts: { resumes: 2 } },
  )
  .negative('session-named', 'The answers to the resumes name the session.', {
    'capture.har': har(listening(named, named)),
  })
  .negative(
    'other-gets-named',
    'The endpoint names the session on its other GET: this one lacks it, which is another finding.',
    {
      'capture.har': har(listening(named, bare)),
    },
  )
  .negative('refused', 'The resumes are refused, not answered 2xx.', {
    'capture.har': har(listening(bare, () => gone())),
  })
  .negative('other-session-named', 'The answers name a session, if not this one.', {
    'capture.har': har(listening(bare, (reply) => ({ ...reply, session: S2 }))),
  });
