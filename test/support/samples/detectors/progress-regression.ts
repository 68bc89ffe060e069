import { answer, progress } from '../events.js';
import { har } from '../har.js';
import { S1 } from '../ids.js';
import { meanwhile, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { type Session, Tape } from '../tape.js';
import type { SentEvent } from '../wire.js';

const ARGS = { warehouse: 'north' };

/** A call that asks for progress under `tok` and whose stream carries these events. */
function called(events: readonly SentEvent[], act?: (session: Session) => void, version?: string): Tape {
  const tape = new Tape(version);
  const session = tape.open(S1).call(2, 'export', ARGS, stream(events, 'complete'), 'tok');
  act?.(session);
  return tape;
}

const step = (id: string, value: number, token = 'tok') => progress(id, token, value);

/** The answer comes on the POST, more progress on a listening stream so much later. */
function lateOnListening(lateMs: number): Tape {
  const tape = new Tape();
  tape
    .open(S1)
    .get(meanwhile(stream([progress('n1', 'tok', 2, 650 + lateMs)], 'complete', 4_000)))
    .call(
      2,
      'export',
      ARGS,
      stream([step('c1', 1), progress('c2', 'tok', 1.5, 300), answer('c3', 2)], 'complete'),
      'tok',
    );
  return tape;
}

export const progressRegression = new Samples('progress-regression')
  .positive(
    'falls-back',
    'Progress goes from 5 back to 3.',
    { 'capture.har': har(called([step('c1', 1), step('c2', 5), step('c3', 3), answer('c4', 2)])) },
    {
      sessions: [S1],
      severity: 'medium',
      confidence: 'definite',
      facts: { progress_token: '"tok"', kind: 'does not increase', notifications: 1 },
    },
  )
  .positive(
    'stands-still',
    'The same value twice is no increase either.',
    { 'capture.har': har(called([step('c1', 1), step('c2', 1), answer('c3', 2)])) },
    { sessions: [S1], severity: 'medium', facts: { kind: 'does not increase' } },
  )
  .positive(
    'token-of-nobody',
    'No request of the session has the token.',
    { 'capture.har': har(called([step('c1', 1), step('c2', 2, 'other'), answer('c3', 2)])) },
    {
      sessions: [S1],
      severity: 'medium',
      facts: { progress_token: '"other"', kind: 'was sent for no request of the session' },
    },
  )
  .positive(
    'seconds-after-the-answer',
    'Progress comes on the listening stream two seconds after the answer.',
    { 'capture.har': har(lateOnListening(2_000)) },
    { sessions: [S1], severity: 'medium', facts: { kind: 'went on after the answer' } },
  )
  .positive(
    'after-the-answer',
    'Progress goes on after the answer.',
    { 'capture.har': har(called([step('c1', 1), answer('c2', 2), step('c3', 2)])) },
    { sessions: [S1], severity: 'medium', facts: { kind: 'went on after the answer' } },
  )
  .negative(
    'crossed-on-the-way',
    'Progress on the listening stream arrives half a second after the answer: the streams crossed.',
    {
      'capture.har': har(lateOnListening(500)),
    },
  )
  .negative('a-request-unrecorded', 'The body of one POST was not recorded: it may have handed out the token.', {
    'capture.har': har(
      called([step('c1', 1), step('c2', 2, 'other'), answer('c3', 2)], (session) => session.post(undefined, result(3))),
    ),
  })
  .negative('increases', 'Every value is greater than the one before.', {
    'capture.har': har(called([step('c1', 1), step('c2', 1.5), step('c3', 7), answer('c4', 2)])),
  })
  .negative('token-used-again', 'The token is used again by the next call, which starts anew.', {
    'capture.har': har(
      called([step('c1', 1), step('c2', 5), answer('c3', 2)], (session) =>
        session.call(3, 'export', { warehouse: 'south' }, stream([step('d1', 1), answer('d2', 3)], 'complete'), 'tok'),
      ),
    ),
  })
  .negative('replayed', 'The lower value came again on a resume: a replay.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .call(2, 'export', ARGS, stream([step('c1', 1), step('c2', 2)], 'cut'), 'tok')
          .resume('c2', stream([step('c1', 1), step('c2', 2), step('c3', 3), answer('c4', 2)], 'complete'));
        return tape;
      })(),
    ),
  })
  .negative(
    'begun-before-the-capture',
    'The session had begun before the capture, and the request of the token may have been sent then.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape();
          tape
            .join(S1)
            .call(
              2,
              'export',
              ARGS,
              stream([step('c1', 1), step('c2', 2, 'other'), answer('c3', 2)], 'complete'),
              'tok',
            );
          return tape;
        })(),
      ),
    },
  )
  .negative('two-tokens', 'The values of two tokens interleave, and each increases.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .call(2, 'export', ARGS, stream([step('c1', 5), answer('c2', 2)], 'complete'), 'tok')
          .call(3, 'import', ARGS, stream([step('d1', 1, 'tok-2'), answer('d2', 3)], 'complete'), 'tok-2');
        return tape;
      })(),
    ),
  });
