import { notice, prime } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { SentEvent } from '../wire.js';

/** Two listening streams, of one session or of two. */
function streams(first: readonly SentEvent[], second: readonly SentEvent[], other = S1, version?: string): Tape {
  const tape = new Tape(version);
  const one = tape.open(S1).get(stream(first, 'complete', 500));
  (other === S1 ? one : tape.open(other)).get(stream(second, 'complete', 500));
  return tape;
}

const FIRST = [notice('e1', 'one'), notice('e2', 'two'), notice('e3', 'three')];

export const eventIdCollision = new Samples('event-id-collision')
  .positive(
    'one-id-twice',
    'e3 was given to two events.',
    { 'capture.har': har(streams(FIRST, [notice('e3', 'quite another'), notice('e4', 'four')])) },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { ids: 1, example: 'e3', mode: 'reuse' } },
  )
  .positive(
    'numbers-began-again',
    'The instance was restarted under the old session id, and its counter with it.',
    { 'capture.har': har(streams(FIRST, [notice('e1', 'after the restart'), notice('e2', 'more')])) },
    { sessions: [S1], severity: 'high', facts: { ids: 2, mode: 'restart' } },
  )
  .positive(
    'two-ids-not-the-first',
    'Two ids were given twice, but the numbers did not begin again.',
    { 'capture.har': har(streams(FIRST, [notice('e2', 'another'), notice('e3', 'one more')])) },
    { sessions: [S1], facts: { ids: 2, mode: 'reuse' } },
  )
  .positive(
    'first-id-twice',
    'Only the lowest id was given twice: one id alone is no restart.',
    { 'capture.har': har(streams(FIRST, [notice('e1', 'another'), notice('e4', 'four')])) },
    { sessions: [S1], facts: { ids: 1, mode: 'reuse' } },
  )
  .negative('same-data', 'The same event was delivered twice, id and data alike.', {
    'capture.har': har(streams(FIRST, [notice('e3', 'three'), notice('e4', 'four')])),
  })
  .negative('distinct-ids', 'Every event has an id of its own.', {
    'capture.har': har(streams(FIRST, [notice('e4', 'four'), notice('e5', 'five')])),
  })
  .negative('two-sessions', 'The ids repeat in another session, where they may.', {
    'capture.har': har(streams(FIRST, [notice('e1', 'for the other'), notice('e2', 'more')], S2)),
  })
  .negative('priming-event', 'The id first came on an event without data, which is no message.', {
    'capture.har': har(streams([prime('e0'), ...FIRST], [notice('e0', 'welcome'), notice('e4', 'four')])),
  })
  .negative('begun-again', 'The session id was initialised anew in between: another life, another namespace.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const events = (word: string) =>
          stream([notice('e1', `${word} one`), notice('e2', `${word} two`)], 'complete', 500);
        tape.open(S1).get(events('old')).initialize(null).get(events('new'));
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(streams(FIRST, [notice('e3', 'quite another')], S1, '2026-07-28')),
  });
