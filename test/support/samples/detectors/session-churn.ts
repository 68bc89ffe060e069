import { sessionId } from '../ids.js';
import { haproxy, nginx } from '../logs.js';
import { result } from '../replies.js';
import { Samples } from '../sample.js';
import { party, Tape } from '../tape.js';

const ARGS = { warehouse: 'north' };

interface Habit {
  readonly sessions?: number;
  readonly calls?: number;
  /** Every session is another client's. */
  readonly strangers?: boolean;
}

function churned({ sessions = 10, calls = 1, strangers = false }: Habit): Tape {
  const tape = new Tape();
  for (let nth = 0; nth < sessions; nth += 1) {
    const by = strangers ? party({ address: `10.7.3.${nth + 10}`, connection: 50 + nth }) : party();
    const session = tape.open(sessionId(`churn ${nth}`), { party: by });
    for (let call = 0; call < calls; call += 1) session.call(call + 2, 'summary', ARGS, result(call + 2));
  }
  return tape;
}

export const sessionChurn = new Samples('session-churn')
  .positive(
    'ten-sessions-for-ten-calls',
    'One client opens a session for every call.',
    { 'haproxy.log': haproxy(churned({})) },
    { severity: 'info', confidence: 'probable', facts: { sessions: 10, calls: 10 } },
  )
  .positive(
    'two-calls-each',
    'Two calls a session are still nearly none.',
    { 'access.jsonl': nginx(churned({ calls: 2 })) },
    { severity: 'info', facts: { sessions: 10, calls: 20 } },
  )
  .negative('nine-sessions', 'One session fewer.', { 'haproxy.log': haproxy(churned({ sessions: 9 })) })
  .negative('three-calls-each', 'The sessions serve three calls each.', {
    'haproxy.log': haproxy(churned({ calls: 3 })),
  })
  .negative('ten-clients', 'Ten clients with a session each.', { 'haproxy.log': haproxy(churned({ strangers: true })) })
  .negative('not-begun-here', 'Ten sessions of which the capture shows no beginning.', {
    'haproxy.log': haproxy(
      (() => {
        const tape = new Tape();
        for (let nth = 0; nth < 10; nth += 1) tape.join(sessionId(`churn ${nth}`)).call(2, 'summary', ARGS, result(2));
        return tape;
      })(),
    ),
  });
