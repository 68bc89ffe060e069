import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2, sessionId } from '../ids.js';
import { refusal, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const random = (nth: number) => sessionId(`event ${nth}`);

/** A listening stream is resumed twice; each part delivers one event. */
function resumed(
  ids: readonly [string, string, string],
  change: (reply: Reply) => Reply = (reply) => reply,
  version?: string,
): Tape {
  const tape = new Tape(version);
  const part = (nth: 0 | 1 | 2) => stream([notice(ids[nth], `part ${nth}`)], 'complete', 500);
  tape
    .open(S1)
    .get(part(0))
    .resume(ids[0], change(part(1)))
    .resume(ids[1], change(part(2)));
  return tape;
}

const RANDOM = [random(1), random(2), random(3)] as const;

export const unorderedResume = new Samples('unordered-resume')
  .positive(
    'random-ids',
    'Random ids say nothing about before and after: one finding for the endpoint.',
    { 'capture.har': har(resumed(RANDOM)) },
    { sessions: [S1], severity: 'info', confidence: 'definite', facts: { resumes: 2 } },
    ['replayed-events', 'foreign-replay', 'event-gap'],
  )
  .positive(
    'another-prefix',
    'Two counters with different names cannot be compared.',
    { 'capture.har': har(resumed(['left-1', 'right-7', 'left-2'])) },
    { severity: 'info', facts: { resumes: 2 } },
  )
  .negative('ordered-ids', 'The ids are a counter that goes on after the cursor.', {
    'capture.har': har(resumed(['e1', 'e2', 'e3'])),
  })
  .negative('nothing-arrived', 'The resumes brought no event: they prove nothing, in order or not.', {
    'capture.har': har(resumed(RANDOM, (reply) => ({ ...reply, events: [] }))),
  })
  .negative('refused', 'The resumes were refused.', {
    'capture.har': har(resumed(RANDOM, () => refusal(400, 'Unknown event id'))),
  })
  .negative('under-another-session', 'The answers name another session: a merge.', {
    'capture.har': har(resumed(RANDOM, (reply) => ({ ...reply, session: S2 }))),
  })
  .negative('seen-before', 'The first event was the last one again: it can be placed exactly.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const part = () => stream([notice(random(1), 'part')], 'complete', 500);
        tape.open(S1).get(part()).resume(random(1), part());
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(resumed(RANDOM, undefined, '2026-07-28')),
  });
