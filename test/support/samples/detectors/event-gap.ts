import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { meanwhile, refusal, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const go = (numbers: readonly number[]) => numbers.map((number) => `KRSXG5BAONXW2ZJAMZXXEIDN_${number}`);
const counted = (numbers: readonly number[]) => numbers.map((number) => `e${number}`);
const events = (ids: readonly string[]) => ids.map((id) => notice(id, `about ${id}`));

/** A listening stream delivers `before`, breaks, and goes on. */
function resumed(before: readonly string[], reply: Reply, version?: string): Tape {
  const tape = new Tape(version);
  tape
    .open(S1)
    .get(stream(events(before), 'cut'))
    .resume(before.at(-1) ?? '', reply);
  return tape;
}

const goesOn = (ids: readonly string[]) => stream(events(ids), 'complete', 500);

export const eventGap = new Samples('event-gap')
  .positive(
    'contiguous-by-design',
    'Ids of this family count from 0 without holes: 2 and 3 are missing.',
    { 'capture.har': har(resumed(go([0, 1]), goesOn(go([4])))) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { missing: 2, family: 'go' } },
  )
  .positive(
    'contiguous-as-observed',
    'A plain counter was seen to rise by one six times; then 8 is missing.',
    { 'capture.har': har(resumed(counted([1, 2, 3, 4, 5, 6, 7]), goesOn(counted([9])))) },
    { sessions: [S1], severity: 'high', confidence: 'probable', facts: { missing: 1, family: 'counter' } },
  )
  .negative('next-id', 'The stream goes on with the very next id.', {
    'capture.har': har(resumed(go([0, 1]), goesOn(go([2])))),
  })
  .negative('not-observed-contiguous', 'The counter was seen to jump before: holes are its nature.', {
    'capture.har': har(resumed(counted([1, 2, 3, 4, 5, 6, 8]), goesOn(counted([10])))),
  })
  .negative('too-few-steps', 'Four steps of one prove nothing about a counter.', {
    'capture.har': har(resumed(counted([1, 2, 3, 4, 5]), goesOn(counted([7])))),
  })
  .negative('delivered-elsewhere', 'The numbers between came on another stream of the session.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .get(meanwhile(stream(events(counted([1, 2, 3, 4, 5, 6, 7])), 'cut')))
          .wait(1_000)
          .get(stream(events(counted([8])), 'complete', 500))
          .resume('e7', goesOn(counted([9])));
        return tape;
      })(),
    ),
  })
  .negative('refused', 'The resume was refused: nothing went on.', {
    'capture.har': har(resumed(go([0, 1]), { ...refusal(400, 'Unknown event id'), events: null })),
  })
  .negative('under-another-session', 'The answer names another session: a merge, not a gap.', {
    'capture.har': har(resumed(go([0, 1]), { ...goesOn(go([4])), session: S2 })),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(resumed(go([0, 1]), goesOn(go([4])), '2026-07-28')),
  });
