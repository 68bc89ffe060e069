import { har } from '../har.js';
import { S1, S2 } from '../ids.js';
import { nginx } from '../logs.js';
import { gone, result } from '../replies.js';
import { Samples } from '../sample.js';
import { party, Tape } from '../tape.js';
import type { Party, Reply } from '../wire.js';

const ARGS = { warehouse: 'north' };

/** One session id used by these parties in turn, some seconds apart. */
function usedBy(
  parties: readonly Party[],
  { reply = (id: number, _by: Party): Reply => result(id), pauseMs = 5_000, version = '2025-11-25' } = {},
): Tape {
  const tape = new Tape(version);
  for (const [at, by] of parties.entries()) {
    tape.join(S1, by).call(at + 2, 'summary', ARGS, reply(at + 2, by));
    tape.wait(pauseMs);
  }
  return tape;
}

const token = (subject: string, serial: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `Bearer ${part({ alg: 'none' })}.${part({ iss: 'https://id.example.test', sub: subject, jti: serial })}.`;
};
const anna = party({ authorization: token('anna', '1') });
const ben = party({ authorization: token('ben', '1') });
const annaRenewed = party({ authorization: token('anna', '2') });

const office = party();
const batch = party({ address: '10.9.4.7', userAgent: 'batch-runner/0.3', connection: 77 });
const elsewhere = party({ address: '10.9.4.7', connection: 78 });

/** A second source, which does show credentials. */
function elsewhereWithCredential(): Tape {
  const tape = new Tape();
  tape.join(S2, anna).call(2, 'summary', ARGS, result(2));
  return tape;
}

export const sharedSession = new Samples('shared-session')
  .positive(
    'two-credentials',
    'Anna and Ben use one session id by turns.',
    { 'capture.har': har(usedBy([anna, ben, anna, ben])) },
    {
      sessions: [S1],
      severity: 'critical',
      confidence: 'definite',
      facts: { kind: 'credential', parties: 2, returns: 2 },
    },
  )
  .positive(
    'one-return',
    'Ben comes in once, and Anna goes on seconds later.',
    { 'capture.har': har(usedBy([anna, ben, anna])) },
    { sessions: [S1], severity: 'critical', facts: { returns: 1 } },
  )
  .positive(
    'again-and-again',
    'Both come back at once and more than twice: no straggler does that.',
    { 'capture.har': har(usedBy([anna, ben, anna, ben, anna], { pauseMs: 0 })) },
    { sessions: [S1], severity: 'critical', facts: { returns: 3 } },
  )
  .positive(
    'two-programs',
    'Without credentials, two programs at two addresses by turns: seen in a proxy log.',
    { 'access.jsonl': nginx(usedBy([office, batch, office, batch])), 'capture.har': har(elsewhereWithCredential()) },
    { sessions: [S1], severity: 'critical', confidence: 'probable', facts: { kind: 'client', parties: 2, returns: 2 } },
  )
  .negative('one-credential', 'Every request carries the same credential.', {
    'capture.har': har(usedBy([anna, anna, anna, anna])),
  })
  .negative('renewed-credential', 'The token changes, its issuer and subject do not.', {
    'capture.har': har(usedBy([anna, annaRenewed, anna, annaRenewed])),
  })
  .negative('changed-for-good', 'The credential changes once and does not change back.', {
    'capture.har': har(usedBy([anna, anna, ben, ben])),
  })
  .negative('straggler', 'Anna’s last request was in flight when the credential changed: it arrives a moment later.', {
    'capture.har': har(usedBy([anna, ben, anna, ben], { pauseMs: 0 })),
  })
  .negative('the-other-refused', 'The server answers Ben 404: it does bind sessions to credentials.', {
    'capture.har': har(usedBy([anna, ben, anna, ben], { reply: (id, by) => (by === ben ? gone() : result(id)) })),
  })
  .negative('the-other-program-refused', 'The other program is answered 404 each time: seen in a proxy log.', {
    'access.jsonl': nginx(
      usedBy([office, batch, office, batch], { reply: (id, by) => (by === batch ? gone() : result(id)) }),
    ),
    'capture.har': har(elsewhereWithCredential()),
  })
  .negative('one-program-on-the-move', 'Two addresses, one program: a client that changes networks.', {
    'access.jsonl': nginx(usedBy([office, elsewhere, office, elsewhere])),
    'capture.har': har(elsewhereWithCredential()),
  })
  .negative('stateless-era', 'The protocol version knows no sessions.', {
    'capture.har': har(usedBy([anna, ben, anna, ben], { version: '2026-07-28' })),
  });
