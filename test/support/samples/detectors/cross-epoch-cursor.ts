import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { gone, refusal, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const ARGS = { warehouse: 'north' };
const STREAM = '7c1de3b0-52a4-4f0e-9d2c-8f5b6a7e9011';
const typescript = (ms: number, tail: string) => `${STREAM}_${ms}_${tail}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Turns {
  /** Ids that S1 issues; the last one is presented with S2. */
  readonly issued: readonly string[];
  /** Ids that S2 issues before it is resumed. */
  readonly issuedBySecond?: readonly string[];
  readonly lost?: boolean;
  readonly pauseMs?: number;
  readonly reply: Reply;
  readonly version?: string;
}

/** S1 issues events and is lost; the client initialises S2 and resumes it with the last cursor of S1. */
function carriedOver({ issued, issuedBySecond = [], lost = true, pauseMs = 0, reply, version }: Turns): Tape {
  const tape = new Tape(version);
  const first = tape.open(S1).get(
    stream(
      issued.map((id) => notice(id, `${id} of the first`)),
      'cut',
    ),
  );
  if (lost) first.call(3, 'summary', ARGS, gone());
  const second = tape.open(S2);
  if (issuedBySecond.length > 0) {
    second.get(
      stream(
        issuedBySecond.map((id) => notice(id, `${id} of the second`)),
        'complete',
        500,
      ),
    );
  }
  tape.wait(pauseMs);
  second.resume(issued.at(-1) ?? '', reply);
  return tape;
}

const goesOn = () => stream([notice(typescript(1_794_492_030_000, 'zz11'), 'on')], 'complete', 500);
const UNIQUE = [typescript(1_794_492_001_000, 'a1b2'), typescript(1_794_492_002_000, 'c3d4')];
const COUNTED = ['e41', 'e42'];

/** S2 is resumed with an id that holds S1. */
function namingItsSession(): Tape {
  const tape = new Tape();
  const id = (session: string, number: number) => `${base64(session)}:${base64('listening')}:${number}`;
  tape.open(S2).resume(id(S1, 12), stream([notice(id(S2, 1), 'on')], 'complete', 500));
  return tape;
}

export const crossEpochCursor = new Samples('cross-epoch-cursor')
  .positive(
    'unique-id-accepted',
    'An id that S1 alone had issued is presented with S2 and answered 200.',
    { 'capture.har': har(carriedOver({ issued: UNIQUE, reply: goesOn() })) },
    { sessions: [S1, S2], severity: 'critical', confidence: 'definite', facts: { status: 200, proof: 'unique' } },
    ['unissued-cursor', 'epoch-merge'],
  )
  .positive(
    'unique-id-refused',
    'The server refuses the cursor: loud, yet the client had mixed two histories.',
    { 'capture.har': har(carriedOver({ issued: UNIQUE, reply: refusal(400, 'Unknown event id') })) },
    { sessions: [S1, S2], severity: 'high', confidence: 'definite', facts: { status: 400 } },
  )
  .positive(
    'id-names-its-session',
    'The id itself holds the session that issued it; the capture need not show that session.',
    { 'capture.har': har(namingItsSession()) },
    { sessions: [S2], severity: 'critical', confidence: 'definite', facts: { proof: 'names-session' } },
  )
  .positive(
    'id-names-its-session-in-a-log',
    'The same in a proxy log: such an id is proof enough.',
    { 'access.jsonl': nginx(namingItsSession()) },
    { sessions: [S2], severity: 'critical', confidence: 'definite', facts: { proof: 'names-session' } },
  )
  .positive(
    'counter-beyond-the-session',
    'A bare counter exceeds all that S2 issued, and S1 was lost just before.',
    {
      'capture.har': har(
        carriedOver({ issued: COUNTED, issuedBySecond: ['e1', 'e2'], reply: refusal(400, 'Unknown event id') }),
      ),
    },
    { sessions: [S1, S2], severity: 'high', confidence: 'probable', facts: { proof: 'counter' } },
  )
  .negative('id-names-this-session', 'The id names the very session that it is presented with.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const id = (number: number) => `${base64(S2)}:${base64('listening')}:${number}`;
        tape.join(S2).resume(id(12), stream([notice(id(13), 'on')], 'complete', 500));
        return tape;
      })(),
    ),
  })
  .negative('stream-without-a-name', 'Ids that name no stream repeat in every session.', {
    'capture.har': har(carriedOver({ issued: ['_3', '_4'], lost: false, reply: refusal(400, 'Unknown event id') })),
  })
  .negative('own-cursor', 'The cursor was issued under the session that it is presented with.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .get(
            stream(
              UNIQUE.map((id) => notice(id, id)),
              'cut',
            ),
          )
          .resume(UNIQUE[1] ?? '', goesOn());
        return tape;
      })(),
    ),
  })
  .negative('counter-within-the-session', 'The counter does not exceed what S2 issued: it may be its own.', {
    'capture.har': har(
      carriedOver({
        issued: COUNTED,
        issuedBySecond: ['e41', 'e42', 'e43'],
        reply: stream([notice('e44', 'on')], 'complete', 500),
      }),
    ),
  })
  .negative('counter-below-the-top', 'The counter was never issued by S2, but it lies below what S2 had reached.', {
    'capture.har': har(
      carriedOver({ issued: COUNTED, issuedBySecond: ['e40', 'e44'], reply: refusal(400, 'Unknown event id') }),
    ),
  })
  .negative('counter-without-a-loss', 'S1 was never lost: nothing ties the counter to it.', {
    'capture.har': har(
      carriedOver({
        issued: COUNTED,
        issuedBySecond: ['e1', 'e2'],
        lost: false,
        reply: refusal(400, 'Unknown event id'),
      }),
    ),
  })
  .negative('counter-long-after-the-loss', 'S1 was lost a quarter of an hour before.', {
    'capture.har': har(
      carriedOver({
        issued: COUNTED,
        issuedBySecond: ['e1', 'e2'],
        pauseMs: 900_000,
        reply: refusal(400, 'Unknown event id'),
      }),
    ),
  })
  .negative('short-opaque-id', 'An opaque id of six characters is no proof: two sessions may well issue it.', {
    'capture.har': har(carriedOver({ issued: ['qx7kzp', 'mw3rtv'], reply: refusal(400, 'Unknown event id') })),
  })
  .negative('issued-by-two-sessions', 'Two other sessions had issued the id: it is not unique.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const events = () =>
          stream(
            UNIQUE.map((id) => notice(id, 'broadcast')),
            'cut',
          );
        tape.open(S1).get(events());
        tape.open('5a0d2b44-9c3f-4e7a-8b61-7d9e0f1a2b3c').get(events());
        tape
          .open(S2)
          .call(2, 'summary', ARGS, result(2))
          .resume(UNIQUE[1] ?? '', goesOn());
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The resume is of a protocol version without sessions.', {
    'capture.har': har(carriedOver({ issued: UNIQUE, reply: goesOn(), version: '2026-07-28' })),
  });
