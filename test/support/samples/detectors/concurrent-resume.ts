import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { meanwhile, refusal, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';

function withSession(act: (session: Session) => void, version?: string): Tape {
  const tape = new Tape(version);
  act(tape.open(S1).get(stream([notice('e1', 'one'), notice('e2', 'two')], 'cut')));
  return tape;
}

const running = () => meanwhile(stream([notice('e3', 'three')], 'complete', 4_000));
const brief = () => stream([notice('e3', 'three')], 'complete', 400);

const overlapping = (version?: string) =>
  withSession((session) => session.resume('e2', running()).resume('e2', brief()), version);

export const concurrentResume = new Samples('concurrent-resume')
  .positive(
    'two-at-once',
    'The second resume of e2 is accepted while the first one runs.',
    { 'capture.har': har(overlapping()) },
    { sessions: [S1], severity: 'medium', confidence: 'definite', facts: { last_event_id: 'e2', resumes: 2 } },
  )
  .positive(
    'three-at-once-seen-by-proxy',
    'Three at once in a proxy log.',
    {
      'access.jsonl': nginx(
        withSession((session) => session.resume('e2', running()).resume('e2', running()).resume('e2', brief())),
      ),
    },
    { sessions: [S1], severity: 'medium', facts: { resumes: 3 } },
  )
  .negative('one-after-the-other', 'The second resume is sent when the first one has ended.', {
    'capture.har': har(withSession((session) => session.resume('e2', brief()).resume('e2', brief()))),
  })
  .negative('other-cursor', 'The two resumes name different cursors.', {
    'capture.har': har(withSession((session) => session.resume('e2', running()).resume('e1', brief()))),
  })
  .negative('second-refused', 'The second resume is refused with 409.', {
    'capture.har': har(
      withSession((session) => session.resume('e2', running()).resume('e2', refusal(409, 'Stream already connected'))),
    ),
  })
  .negative('under-another-session', 'The second is answered under another session: a merge.', {
    'capture.har': har(
      withSession((session) => session.resume('e2', running()).resume('e2', { ...brief(), session: S2 })),
    ),
  })
  .negative('other-session', 'The two resumes are of different sessions.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const first = stream([notice('e1', 'one'), notice('e2', 'two')], 'cut');
        const [one, two] = [tape.open(S1).get(first), tape.open(S2).get(first)];
        one.resume('e2', running());
        two.resume('e2', brief());
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(overlapping('2026-07-28')),
  });
