import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { gone, result } from '../replies.js';
import { Samples } from '../sample.js';
import { spans } from '../spans.js';
import { Tape } from '../tape.js';

const ARGS = { warehouse: 'north' };

/** The server declares S1 gone, and the client begins anew. */
function renewed(carrying: string | null): Tape {
  const tape = new Tape();
  tape.open(S1).call(2, 'summary', ARGS, gone());
  tape.open(S2, carrying === null ? {} : { carrying });
  return tape;
}

export const initializeWithSession = new Samples('initialize-with-session')
  .positive(
    'stale-id-on-initialize',
    'After the 404 the client initialises with the dead id still on the request.',
    { 'capture.har': har(renewed(S1)) },
    { sessions: [S1], severity: 'low', confidence: 'definite', facts: { requests: 1, status: 200 } },
    ['epoch-merge'],
  )
  .positive(
    'seen-in-spans',
    'Spans name the JSON-RPC method, so that traces alone show it.',
    { 'traces.jsonl': spans(renewed(S1)) },
    { sessions: [S1], severity: 'low' },
  )
  .negative('without-id', 'The client drops the id before it initialises.', { 'capture.har': har(renewed(null)) })
  .negative('another-method', 'The request with the stale id is a ping.', {
    'capture.har': har(
      (() => {
        const tape = renewed(null);
        tape.join(S1).post({ jsonrpc: '2.0', id: 9, method: 'ping' }, result(9));
        return tape;
      })(),
    ),
  })
  .negative('method-unknown', 'A log does not say which of the POSTs was an initialize.', {
    'access.jsonl': nginx(renewed(S1)),
  });
