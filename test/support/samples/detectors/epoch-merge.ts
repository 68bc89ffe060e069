import { answer, cutMidFrame, notice } from '../events.js';
import { har } from '../har.js';
import { S1, S2, sessionId } from '../ids.js';
import { haproxy, nginx } from '../logs.js';
import { accepted, failure, json, result, stream } from '../replies.js';
import { Samples } from '../sample.js';
import { Tape } from '../tape.js';
import type { Reply } from '../wire.js';

const SUMMARY = { warehouse: 'north' };
const cutListening = () =>
  stream([notice('e139', 'one'), notice('e140', 'two'), cutMidFrame(notice('e141', 'three'))], 'cut', 900);
const fresh = () => stream([notice('e1', 'welcome')], 'complete', 2_000);

/** A listening stream of S1 breaks and is resumed after e140. */
function resumed(reply: Reply, version?: string): Tape {
  const tape = new Tape(version);
  tape.open(S1).get(cutListening()).resume('e140', reply);
  return tape;
}

/** The client goes on in S2 and never initialises. */
function adopted(): Tape {
  const tape = resumed({ ...fresh(), session: S2 });
  tape.join(S2).call(3, 'summary', SUMMARY, result(3));
  return tape;
}

/** A call of S1 is answered with whatever the reply says; an unrelated client shows what the endpoint does else. */
function called(reply: Reply): Tape {
  const tape = new Tape();
  tape.open(S1).call(2, 'summary', SUMMARY, result(2)).call(3, 'summary', { warehouse: 'south' }, reply);
  return tape;
}

function silentOn(answers: 'one' | 'all'): Tape {
  const tape = new Tape();
  const bare = { session: null } as const;
  const usual = answers === 'all' ? bare : {};
  tape
    .open(S1)
    .call(2, 'summary', SUMMARY, { ...result(2), ...usual })
    .call(3, 'summary', SUMMARY, { ...result(3), ...usual })
    .call(4, 'summary', { warehouse: 'south' }, { ...result(4), ...bare });
  return tape;
}

function staleInitialize(): Tape {
  const tape = new Tape();
  const old = tape.join(S1);
  old.call(2, 'summary', SUMMARY, result(2)).initialize(S1, { session: S2 });
  return tape;
}

/** S2 belongs to another client, which goes on in it as before. */
function strangersSession(): Tape {
  const tape = new Tape();
  const one = tape.open(S1).get(cutListening());
  const other = tape.open(S2);
  one.resume('e140', { ...stream([notice('e9', 'for the other')], 'complete', 500), session: S2 });
  other.call(2, 'summary', SUMMARY, result(2));
  return tape;
}

/** POSTs of S1 are answered under S2, and the client goes on there. */
function changedInALog(times: number): Tape {
  const tape = new Tape();
  const session = tape.open(S1);
  for (let id = 2; id < 2 + times; id += 1) session.call(id, 'summary', SUMMARY, { ...result(id), session: S2 });
  tape.join(S2).call(9, 'summary', SUMMARY, result(9));
  return tape;
}

function bareResume(): Tape {
  const tape = new Tape();
  const listening = () => stream([notice('e1', 'one')], 'complete', 500);
  tape
    .open(S1)
    .get(listening())
    .get(listening())
    .resume('e1', { ...stream([], 'complete', 500), session: null });
  return tape;
}

export const epochMerge = new Samples('epoch-merge')
  .positive(
    'resume-adopted',
    'GET with S1 and e140 is answered 200 under S2, and the client goes on in S2 without initialize.',
    { 'capture.har': har(adopted()) },
    {
      sessions: [S1, S2],
      severity: 'critical',
      confidence: 'definite',
      facts: { trigger: 'resume', consequence: 'adopted' },
    },
    ['cross-epoch-cursor', 'masked-session-loss', 'session-flapping'],
  )
  .positive(
    'resume-adopted-seen-by-proxy',
    'The same seen in a proxy log alone: a GET with Last-Event-ID is a resume whatever its body.',
    { 'haproxy.log': haproxy(adopted()) },
    {
      sessions: [S1, S2],
      severity: 'critical',
      confidence: 'definite',
      facts: { trigger: 'resume', consequence: 'adopted' },
    },
  )
  .positive(
    'cursor-sent-back',
    'The client keeps S1 but resumes after e1, which only S2 had issued.',
    {
      'capture.har': har(
        (() => {
          const tape = resumed({ ...fresh(), session: S2 });
          tape.join(S1).resume('e1', stream([], 'open', 1_000));
          return tape;
        })(),
      ),
    },
    { sessions: [S1, S2], severity: 'critical', facts: { consequence: 'adopted' } },
  )
  .positive(
    'call-delivered',
    'A call of S1 is answered under S2 and the client stays in S1: the result of another session reached it.',
    { 'capture.har': har(called({ ...result(3), session: S2 })) },
    {
      sessions: [S1, S2],
      severity: 'high',
      confidence: 'definite',
      facts: { trigger: 'request', consequence: 'delivered' },
    },
  )
  .positive(
    'delivered-from-a-strangers-session',
    'S2 had been opened by another client, whose next call is no adoption.',
    { 'capture.har': har(strangersSession()) },
    { sessions: [S1, S2], severity: 'high', facts: { trigger: 'resume', consequence: 'delivered' } },
  )
  .positive(
    'nothing-used',
    'The answer under S2 carries nothing, and the client initialises anew.',
    {
      'capture.har': har(
        (() => {
          const tape = resumed({ ...stream([], 'complete', 100), session: S2 });
          tape.open('3f0b8c1e-77d2-4c55-9a61-0d1e2f3a4b5c');
          return tape;
        })(),
      ),
    },
    { sessions: [S1, S2], severity: 'medium', confidence: 'definite', facts: { consequence: 'refused' } },
  )
  .positive(
    'header-absent-once',
    'The endpoint names the session on every other answer of this kind, and once does not.',
    { 'capture.har': har(silentOn('one')) },
    { sessions: [S1], confidence: 'probable', facts: { consequence: 'delivered' } },
  )
  .positive(
    'unknown-method-in-a-log',
    'A log does not know the JSON-RPC method: the POST may have been an initialize with a stale id.',
    { 'access.jsonl': nginx(called({ ...result(3), session: S2 })) },
    { sessions: [S1, S2], severity: 'medium', confidence: 'possible' },
  )
  .positive(
    'log-goes-on',
    'The client goes on under S2, as it would after an initialize with a stale id: not proven.',
    { 'access.jsonl': nginx(changedInALog(1)) },
    { sessions: [S1, S2], severity: 'medium', confidence: 'possible', facts: { consequence: 'adopted' } },
  )
  .positive(
    'log-proves-it',
    'Two POSTs of S1 were answered under S2: a client initialises once, so that one of them was none.',
    { 'access.jsonl': nginx(changedInALog(2)) },
    {
      sessions: [S1, S2],
      severity: 'critical',
      confidence: 'definite',
      facts: { consequence: 'adopted', requests: 2 },
    },
  )
  .positive(
    'header-absent-and-empty',
    'A resume is answered without the session id that all other streams name, and brings nothing.',
    { 'capture.har': har(bareResume()) },
    {
      sessions: [S1],
      severity: 'medium',
      confidence: 'probable',
      facts: { trigger: 'resume', consequence: 'refused' },
    },
  )
  .negative('same-session', 'The resume is answered under the session that it named.', {
    'capture.har': har(resumed(stream([notice('e141', 'three')], 'complete', 500))),
  })
  .negative('not-2xx', 'The answer under S2 is a 404: the loss is declared, whatever its headers.', {
    'capture.har': har(resumed({ ...failure(404, 'Session not found'), session: S2 })),
  })
  .negative(
    'initialize',
    'The request that is answered under S2 is an initialize: a new session is what it asks for.',
    {
      'capture.har': har(staleInitialize()),
    },
  )
  .negative('no-session-sent', 'The request carried no session id: naming S2 is an assignment.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        tape
          .open(S1)
          .post({ jsonrpc: '2.0', id: 3, method: 'tools/list' }, { ...result(3), session: S2 }, { session: null });
        return tape;
      })(),
    ),
  })
  .negative(
    'body-declares-the-loss',
    'The 2xx answer under S2 says that the session is unknown: a masked loss, not a merge.',
    {
      'capture.har': har(called({ ...failure(200, 'Session not found', -32000, 3), session: S2 })),
    },
  )
  .negative('stateless-era', 'The exchange is of a protocol version without sessions.', {
    'capture.har': har(resumed({ ...fresh(), session: S2 }, '2026-07-28')),
  })
  .negative('never-echoes', 'The endpoint never names the session on such answers: silence says nothing.', {
    'capture.har': har(silentOn('all')),
  })
  .negative('delete-without-echo', 'Only the answer to DELETE lacks the session id, which ends with it.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const ended = { ...accepted(), status: 200 };
        for (const name of ['three', 'four']) tape.open(sessionId(name)).end(ended);
        tape
          .open(S1)
          .call(2, 'summary', SUMMARY, result(2))
          .end({ ...ended, session: null });
        return tape;
      })(),
    ),
  })
  .negative('listening-streams-bare', 'Streams of POSTs name the session, those of GETs never do.', {
    'capture.har': har(
      (() => {
        const tape = new Tape();
        const streamed = (id: number) => stream([answer(null, id)], 'complete');
        tape
          .open(S1)
          .call(2, 'summary', SUMMARY, streamed(2))
          .call(3, 'summary', SUMMARY, streamed(3))
          .get({ ...stream([notice(null, 'one')], 'complete', 500), session: null });
        return tape;
      })(),
    ),
  })
  .negative(
    'refusal-in-the-body',
    'The bare answer says that the session is lost: nothing was answered under another one.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape();
          const session = tape.open(S1).call(2, 'summary', SUMMARY, result(2)).call(3, 'summary', SUMMARY, result(3));
          session.call(4, 'summary', SUMMARY, { ...failure(200, 'Session not found', -32000, 4), session: null });
          return tape;
        })(),
      ),
    },
  )
  .negative(
    'initialized-acknowledged-bare',
    'Acknowledgements lack the id, answers name it: they are different kinds of response.',
    {
      'capture.har': har(
        (() => {
          const tape = new Tape();
          const bare = { ...accepted(), session: null };
          tape
            .open(S1)
            .call(2, 'summary', SUMMARY, json({ jsonrpc: '2.0', id: 2, result: {} }))
            .notify('notifications/roots/list_changed', undefined, bare);
          return tape;
        })(),
      ),
    },
  );
