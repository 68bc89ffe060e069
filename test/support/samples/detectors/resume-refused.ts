import { notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { failure, gone, refusal, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

/** A listening stream breaks; these are the answers to the resumes. */
function resumed(replies: readonly Reply[], version?: string): Tape {
  const tape = new Tape(version);
  const session = tape.open(S1).get(stream([notice('e1', 'one')], 'cut'));
  for (const reply of replies) session.resume('e1', reply);
  return tape;
}

const held = () => refusal(409, 'Conflict: only one SSE stream is allowed per session');
const goesOn = () => stream([notice('e2', 'two')], 'complete', 500);

function gaveUp(): Tape {
  const tape = resumed([held(), held()]);
  tape.open(S2).get(goesOn());
  tape.join(S1).call(2, 'summary', {}, result(2)).get(refusal(405, 'Method not allowed'));
  return tape;
}

export const resumeRefused = new Samples('resume-refused')
  .positive(
    'unknown-cursor',
    'The server does not know the cursor and says so: once for endpoint and status.',
    { 'capture.har': har(resumed([refusal(400, 'Unknown event id'), refusal(400, 'Unknown event id')])) },
    { sessions: [S1], severity: 'low', confidence: 'definite', facts: { status: 400, resumes: 2, gave_up: false } },
  )
  .positive(
    'unknown-method-404',
    '404 with -32601 in the body refuses the method; the session is not gone.',
    { 'capture.har': har(resumed([failure(404, 'Method not found', -32601)])) },
    { sessions: [S1], severity: 'low', facts: { status: 404 } },
  )
  .positive(
    'old-stream-held',
    'The server still holds the old stream, and the client gives up: calls go through, streams do not.',
    { 'capture.har': har(gaveUp()) },
    { sessions: [S1], severity: 'medium', facts: { status: 409, gave_up: true } },
  )
  .positive(
    'old-stream-released',
    'The server held the old stream at first; the client tried again and got through.',
    { 'capture.har': har(resumed([held(), goesOn()])) },
    { sessions: [S1], severity: 'low', facts: { status: 409, gave_up: false } },
  )
  .positive(
    'seen-by-proxy',
    'A proxy log shows status and Last-Event-ID, which is all it takes.',
    { 'access.jsonl': nginx(resumed([refusal(503, 'Upstream down'), goesOn()])) },
    { sessions: [S1], severity: 'low', facts: { status: 503 } },
  )
  .negative('accepted', 'The resume is answered 200.', { 'capture.har': har(resumed([goesOn()])) })
  .negative('session-gone', '404: the session is lost, which is more than a refused resume.', {
    'capture.har': har(resumed([gone()])),
  })
  .negative('loss-in-the-body', 'The 400 says that the session is unknown: a masked loss.', {
    'capture.har': har(resumed([refusal(400, 'Session not found')])),
  })
  .negative('no-cursor', 'The refused GET named no cursor: it resumed nothing.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .get(stream([notice('e1', 'one')], 'cut'))
          .get(refusal(400, 'Bad request'));
        return tape;
      })(),
    ),
  })
  .negative('stateless-era', 'The protocol version knows no resumption.', {
    'capture.har': har(resumed([refusal(400, 'Unknown event id')], '2026-07-28')),
  });
