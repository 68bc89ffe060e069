import { answer, event, notice, prime, progress } from '../events.js';
import { har } from '../har.js';
import { S1 } from '../ids.js';
import { accepted, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };

/** A listening stream breaks and is resumed after its last event. */
function resumed(
  first: readonly SentEvent[],
  again: readonly SentEvent[],
  between?: (session: Session) => void,
  version?: string,
): Tape {
  const tape = new Tape(version);
  const session = tape.open(S1).get(stream(first, 'cut'));
  between?.(session);
  session.resume(first.at(-1)?.id ?? '', stream(again, 'complete', 500));
  return tape;
}

/** A call is under way when its stream breaks; the client does something and resumes. */
function callResumed(again: readonly SentEvent[], between?: (session: Session) => void): Tape {
  const tape = new Tape();
  const session = tape
    .open(S1)
    .call(2, 'export', ARGS, stream([progress('c1', 'tok', 1), progress('c2', 'tok', 2)], 'cut'), 'tok');
  between?.(session);
  session.resume('c2', stream(again, 'complete', 500));
  return tape;
}

const TWO = [notice('e1', 'one'), notice('e2', 'two')];
const question = (id: string) => event(id, { jsonrpc: '2.0', id: 'q1', method: 'roots/list' });
const replied = (session: Session) => session.post({ jsonrpc: '2.0', id: 'q1', result: { roots: [] } }, accepted());

export const replayedEvents = new Samples('replayed-events')
  .positive(
    'inclusive',
    'The replay starts with the event that the cursor names.',
    { 'capture.har': har(resumed(TWO, [notice('e2', 'two'), notice('e3', 'three')])) },
    { sessions: [S1], severity: 'low', confidence: 'definite', facts: { mode: 'inclusive', events: 1 } },
    ['foreign-replay', 'event-id-collision'],
  )
  .positive(
    'earlier',
    'The replay starts before the event that the cursor names.',
    { 'capture.har': har(resumed(TWO, [...TWO, notice('e3', 'three')])) },
    { sessions: [S1], severity: 'low', facts: { mode: 'earlier', events: 2 } },
  )
  .positive(
    'progress-acted-on',
    'The client had gone on to another call when progress came again.',
    {
      'capture.har': har(
        callResumed([progress('c2', 'tok', 2), answer('c3', 2)], (session) =>
          session.call(3, 'summary', ARGS, result(3)),
        ),
      ),
    },
    { sessions: [S1], severity: 'high', facts: { acted_on: true } },
  )
  .positive(
    'question-asked-again',
    'The server asks again what the client had answered.',
    { 'capture.har': har(resumed([question('e1')], [question('e1'), notice('e2', 'two')], replied)) },
    { sessions: [S1], severity: 'high', facts: { mode: 'inclusive', acted_on: true } },
  )
  .positive(
    'progress-not-acted-on',
    'Progress comes again, but the client had done nothing since.',
    { 'capture.har': har(callResumed([progress('c2', 'tok', 2), answer('c3', 2)])) },
    { sessions: [S1], severity: 'low', facts: { acted_on: false } },
  )
  .negative('goes-on', 'The replay starts strictly after the cursor.', {
    'capture.har': har(resumed(TWO, [notice('e3', 'three')])),
  })
  .negative('priming-event', 'What comes again has an id and no data: no message.', {
    'capture.har': har(resumed([...TWO, prime('e3')], [prime('e3'), notice('e4', 'four')])),
  })
  .negative('other-data', 'The id comes again with other data: a collision, not a replay.', {
    'capture.har': har(resumed(TWO, [notice('e2', 'something else'), notice('e3', 'three')])),
  })
  .negative('no-ids', 'The same text comes again without an id: a server may say a thing twice.', {
    'capture.har': har(resumed(TWO, [notice(null, 'two'), notice('e3', 'three')])),
  })
  .negative('not-a-resume', 'The events come again on a GET that names no cursor.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .get(stream(TWO, 'complete', 500))
          .get(stream(TWO, 'complete', 500));
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(resumed(TWO, [notice('e2', 'two')], undefined, '2026-07-28')),
  });
