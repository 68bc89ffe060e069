import { answer, notice, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply, SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };
const MINE = 'KRSXG5BAONXW2ZJAMZXXEIDN';
const OTHER = 'OVXGSY3PNVSSAZTPOIQG65DI';
const ulid = (tail: string) => `01M5K3Q8ZR4T7V9X2B6C1D${tail}`;

/** Another session receives an event; then this one is resumed and receives `again`. */
function besideAnother(
  theirs: SentEvent,
  again: Reply,
  own: SentEvent = notice(ulid('0A01'), 'mine'),
  version?: string,
): Tape {
  const tape = new Tape(version);
  const one = tape.open(S1).get(stream([own], 'cut'));
  tape.open(S2).get(stream([theirs], 'complete', 500));
  one.resume(own.id ?? '', again);
  return tape;
}

/** Two calls of one session; the stream of the first breaks and is resumed. */
function twoCalls(second: readonly SentEvent[], again: readonly SentEvent[]): Tape {
  const tape = new Tape();
  tape
    .open(S1)
    .call(2, 'export', ARGS, stream([progress(`${MINE}_0`, 'tok-2', 1)], 'cut'), 'tok-2')
    .call(3, 'import', ARGS, stream(second, 'complete', 500), 'tok-3')
    .resume(`${MINE}_0`, stream(again, 'complete', 500));
  return tape;
}

const theirs = notice(ulid('0B02'), 'for the other client');
const own = answer(`${MINE}_1`, 2);

export const foreignReplay = new Samples('foreign-replay')
  .positive(
    'of-another-session',
    'An event that another session had received, id and data alike, comes on the resumed stream.',
    { 'capture.har': har(besideAnother(theirs, stream([theirs], 'complete', 500))) },
    { sessions: [S1, S2], severity: 'critical', confidence: 'definite', facts: { scope: 'session', events: 1 } },
    ['epoch-merge', 'replayed-events'],
  )
  .positive(
    'delivered-on-another-stream',
    'Events of a second call, delivered there before, come on the resumed stream of the first.',
    {
      'capture.har': har(twoCalls([answer(`${OTHER}_0`, 3)], [answer(`${OTHER}_0`, 3), own])),
    },
    { sessions: [S1], severity: 'high', confidence: 'definite', facts: { scope: 'stream', events: 1 } },
  )
  .positive(
    'id-names-another-stream',
    'The id names another stream than the cursor, though nobody had seen the event before.',
    {
      'capture.har': har(twoCalls([answer(`${OTHER}_0`, 3)], [notice(`${OTHER}_1`, 'about the import'), own])),
    },
    { sessions: [S1], severity: 'high', facts: { scope: 'stream' } },
  )
  .positive(
    'answers-another-call',
    'Bare counters name no stream, but the message answers the request of the other call.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape();
          tape
            .open(S1)
            .call(2, 'export', ARGS, stream([prime('1')], 'cut'))
            .call(3, 'import', ARGS, stream([prime('2')], 'cut'))
            .resume('1', stream([answer('3', 3), answer('4', 2)], 'complete', 500));
          return tape;
        })(),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { scope: 'stream', events: 1 } },
  )
  .negative('own-event', 'The event on the resumed stream is new and names its stream.', {
    'capture.har': har(twoCalls([answer(`${OTHER}_0`, 3)], [own])),
  })
  .negative('own-event-again', 'The event had been delivered before on this very stream: a replay.', {
    'capture.har': har(twoCalls([answer(`${OTHER}_0`, 3)], [progress(`${MINE}_0`, 'tok-2', 1), own])),
  })
  .negative('same-id-other-data', 'The other session had the id with other data: it proves nothing.', {
    'capture.har': har(besideAnother(theirs, stream([notice(theirs.id ?? '', 'for this client')], 'complete', 500))),
  })
  .negative('bare-counter', 'Bare counters repeat in every session, even with the same words.', {
    'capture.har': har(
      besideAnother(notice('e2', 'hello'), stream([notice('e2', 'hello')], 'complete', 500), notice('e1', 'mine')),
    ),
  })
  .negative('under-the-other-session', 'The answer names the other session: that is the merge itself.', {
    'capture.har': har(besideAnother(theirs, { ...stream([theirs], 'complete', 500), session: S2 })),
  })
  .negative('priming-event', 'What comes from the other stream is an id without data: no message.', {
    'capture.har': har(twoCalls([prime(`${OTHER}_0`), answer(`${OTHER}_1`, 3)], [prime(`${OTHER}_0`), own])),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(besideAnother(theirs, stream([theirs], 'complete', 500), undefined, '2026-07-28')),
  });
