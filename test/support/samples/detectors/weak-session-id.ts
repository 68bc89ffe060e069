import { har } from '../har.js';
import { sessionId } from '../ids.js';
import { nginx } from '../logs.js';
import { result } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';

/** Sessions with these ids, from their beginnings. */
function issued(ids: readonly string[]): Tape {
  const tape = new Tape();
  for (const id of ids) tape.open(id);
  return tape;
}

const serial = (numbers: readonly number[]) => numbers.map((number) => `depot-session-${number}`);

export const weakSessionId = new Samples('weak-session-id')
  .positive(
    'short',
    'Eight hexadecimal digits are 32 bits.',
    { 'capture.har': har(issued(['9f3c01ab', sessionId('long')])) },
    { sessions: ['9f3c01ab'], severity: 'medium', facts: { weakness: 'short', ids: 1, examples: ['9f3c01ab'] } },
  )
  .positive(
    'fifteen-characters',
    'One character below the least length.',
    { 'capture.har': har(issued(['k7q2m9x4w1z8r5t'])) },
    { severity: 'medium', facts: { weakness: 'short' } },
  )
  .positive(
    'sequential',
    'Who holds one id knows the next: seen in a proxy log.',
    {
      'access.jsonl': nginx(
        issued([...serial([500101, 500102, 500104]), sessionId('beside'), 'other-kind-of-session-17']),
      ),
    },
    { severity: 'medium', facts: { weakness: 'sequential', ids: 3 } },
  )
  .positive(
    'outside-visible-ascii',
    'The id holds a space, which no session id may.',
    { 'capture.har': har(issued(['depot session 8842 of north'])) },
    { severity: 'medium', facts: { weakness: 'outside visible ASCII' } },
  )
  .negative('long-enough', 'Sixteen characters are the least that is not called short.', {
    'capture.har': har(issued(['k7q2m9x4w1z8r5t3'])),
  })
  .negative('two-in-a-row', 'Two neighbouring numbers are no sequence yet.', {
    'capture.har': har(issued(serial([500101, 500102]))),
  })
  .negative('numbers-far-apart', 'The numbers do not follow each other.', {
    'capture.har': har(issued(serial([500101, 731882, 904417]))),
  })
  .negative('not-issued-here', 'The short id was sent by a client, and no answer of the endpoint issued it.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape.join('9f3c01ab').call(2, 'summary', {}, result(2));
        return tape;
      })(),
    ),
  });
