import { call, failure, notification, person, request, result, Script, step } from './script.js';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const news = (data: string) => notification('notifications/message', { data });
const STATELESS = '2026-07-28';
const meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS };

/** A conversation that comes close to a finding, and all that is to be said of it. */
export interface NearMiss {
  title: string;
  make: (script: Script) => void;
  findings: readonly string[];
  server?: ConstructorParameters<typeof Script>[0];
}

export const NEAR_MISSES: readonly NearMiss[] = [
  {
    title: 'two streams that are primed under one id carry no message twice',
    make: (script) =>
      script
        .get(null, { events: [{ id: 'p', data: '' }], end: 'complete', ms: 9_000 })
        .get(null, { events: [{ id: 'p', data: '' }], end: 'complete', ms: 9_000 }, { besideMs: 100 }),
    findings: [],
  },
  {
    title: 'one message twice on one stream is no broadcast',
    make: (script) =>
      script.get(null, {
        events: [
          { id: 'e1', data: news('a') },
          { id: 'e1', data: news('a') },
        ],
        end: 'complete',
        ms: 9_000,
      }),
    findings: [],
  },
  {
    title: 'an error without an id on a listening stream answers nobody',
    make: (script) =>
      script.get(null, {
        events: [{ id: 'e1', data: failure(null, -32000, 'shutting down') }],
        end: 'client-aborted',
        ms: 9_000,
      }),
    findings: [],
  },
  {
    title: 'a GET that is refused with an error that has an id is no response on a stream',
    make: (script) => script.get(null, { status: 400, json: failure('server-error', -32600, 'Not Acceptable') }),
    findings: [],
  },
  {
    title: 'an empty cursor on a POST is none',
    make: (script) => script.post(call(1, 'find'), { json: result(1) }, { cursor: '' }),
    findings: [],
  },
  {
    title: 'a stateless server ignores cursors and sessions, and so do the detectors',
    make: (script) => {
      const ask = { session: 'left-over-from-the-old-days', version: STATELESS };
      script.post(
        call(1, 'find', {}, meta),
        { json: result(1, { resultType: 'complete' }), session: null },
        { ...ask, cursor: 'e1' },
      );
      script.post(
        call(2, 'find', {}, meta),
        { json: result(2, { resultType: 'complete' }), session: 'other-id-for-no-reason' },
        ask,
      );
      script.get(null, { status: 405, text: 'no' }, ask).get('e7', { status: 405, text: 'no' }, ask);
    },
    findings: [],
  },
  {
    title: 'a prompt that is fetched again after a cut is no tool that ran twice',
    make: (script) => {
      script.post(request(1, 'prompts/get', { name: 'a' }), { events: [], end: 'truncated', ms: 900 });
      script.post(request(2, 'prompts/get', { name: 'a' }), { json: result(2, {}) });
    },
    findings: ['lost-response medium'],
  },
  {
    title: 'calls of one tool with other arguments are other calls',
    make: (script) => {
      script.post(call(1, 'pay', { sum: 1 }), { events: [], end: 'truncated', ms: 900 });
      script.post(call(2, 'pay', { sum: 2 }), { json: result(2) });
    },
    findings: ['lost-response high'],
  },
  {
    title: 'a fault that was over before the first call explains no second one',
    make: (script) => {
      script.get(null, { events: [], end: 'truncated', ms: 900 });
      script
        .post(call(1, 'pay', { sum: 1 }), { json: result(1) })
        .post(call(2, 'pay', { sum: 1 }), { json: result(2) });
    },
    findings: [],
  },
  {
    title: 'a fault of another call explains no repetition of an answered one',
    make: (script) => {
      script.post(call(1, 'pay', { sum: 1 }), { json: result(1) });
      script.post(call(2, 'find'), { events: [], end: 'truncated', ms: 900 });
      script.post(call(3, 'pay', { sum: 1 }), { json: result(3) });
    },
    findings: ['lost-response high'],
  },
  {
    title: 'a cancellation of another request explains no repetition',
    make: (script) => {
      script.post(call(1, 'pay', { sum: 1 }), { json: result(1) });
      script.post(notification('notifications/cancelled', { requestId: 99 }), { status: 202 });
      script.post(call(2, 'pay', { sum: 1 }), { json: result(2) });
    },
    findings: [],
  },
  {
    title: 'polling goes on at its rhythm across a cut',
    make: (script) => {
      for (let id = 1; id < 8; id++) {
        const reply = id === 4 ? { events: [], end: 'truncated' as const, ms: 40 } : { json: result(id) };
        script.post(call(id, 'status', { job: 1 }), reply).wait(2_000);
      }
    },
    findings: ['lost-response high'],
  },
  {
    title: 'a server that echoes the session everywhere but on DELETE has merged nothing',
    make: (script) => script.post(request(1, 'ping'), { json: result(1, {}) }).delete({ session: null }),
    findings: [],
  },
  {
    title: 'a server that echoes on answers and not on acknowledgements has merged nothing',
    make: (script) => {
      for (let id = 1; id < 4; id++) {
        script.post(request(id, 'ping'), { json: result(id, {}) });
        script.post(notification('notifications/roots/list_changed'), { status: 202, session: null });
      }
    },
    findings: [],
    server: { echoes: true },
  },
  {
    title: 'an initialize under a stale id is answered under a new one, as it should be',
    make: (script) => {
      const answer = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'f', version: '1' } };
      script.post(request('i2', 'initialize', { protocolVersion: '2025-11-25' }), {
        json: result('i2', answer),
        session: `${script.session}-next`,
      });
    },
    findings: ['initialize-with-session low'],
  },
  {
    title: 'an answer that the foreign part of a resume brings under the same id is no second answer',
    make: (script) => {
      const other = `${script.session}-b`;
      const id = (n: number) => `${n}f1d7f6a-5a0e-4e0c-9d53-0b6c5a3a100${n}`;
      script.open(other, person(7), 'o');
      script.post(
        call(1, 'pay'),
        { events: [{ id: id(1), data: result(1, text('paid by another')) }] },
        { session: other, who: person(7) },
      );
      script.post(call(1, 'book', {}, { progressToken: 5 }), {
        events: [{ id: id(2), data: step(5, 1) }],
        end: 'truncated',
      });
      script.get(id(2), {
        events: [
          { id: id(1), data: result(1, text('paid by another')) },
          { id: id(3), data: result(1, text('booked')) },
        ],
      });
    },
    findings: ['foreign-replay critical'],
  },
  {
    title: 'a resume that is silent after the answer had come is idle, not futile',
    make: (script) => {
      script.post(call(1, 'book'), { events: [{ id: 'e1', data: result(1) }], end: 'truncated' });
      script.get('e1', { events: [], ms: 3_000 });
    },
    findings: [],
  },
  {
    title: 'a listening stream that a balancer ends every minute is no loop',
    make: (script) => {
      for (let n = 0; n < 6; n++) script.get(null, { events: [], ms: 60_000 });
    },
    findings: ['stream-cutoff info'],
  },
  {
    title: 'four listening streams closed at once are not yet a loop',
    make: (script) => {
      for (let n = 0; n < 4; n++) script.get(null, { events: [], ms: 500 });
    },
    findings: [],
  },
  {
    title: 'five listening streams closed at once are a loop',
    make: (script) => {
      for (let n = 0; n < 5; n++) script.get(null, { events: [], ms: 500 });
    },
    findings: ['futile-resume low'],
  },
  {
    title: 'a loop that a message interrupts is none',
    make: (script) => {
      for (let n = 0; n < 7; n++) script.get(null, { events: n === 3 ? [{ data: news('n') }] : [], ms: 500 });
    },
    findings: [],
  },
  {
    title: 'progress of a task is nobody else’s',
    make: (script) => {
      const related = { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } };
      script.get(null, {
        events: [
          { data: { ...step(9, 2), params: { progressToken: 9, progress: 2, _meta: related } } },
          { data: { ...step(9, 1), params: { progressToken: 9, progress: 1, _meta: related } } },
        ],
        end: 'client-aborted',
        ms: 9_000,
      });
    },
    findings: [],
  },
  {
    title: 'a token that is used again begins again',
    make: (script) => {
      for (const id of [1, 2])
        script.post(call(id, 'book', { id }, { progressToken: 'same' }), {
          events: [{ data: step('same', 1) }, { data: step('same', 2) }, { data: result(id) }],
        });
    },
    findings: [],
  },
  {
    title: 'a refusal that says the stream is held is low while the client gets through later',
    make: (script) => {
      script.get(null, { events: [{ id: 'e1', data: news('a') }], end: 'truncated', ms: 2_000 });
      script.get('e1', {
        status: 409,
        json: failure(null, -32000, 'Conflict: Only one SSE stream is allowed per session'),
      });
      script.wait(2_000).get('e1', { events: [{ id: 'e2', data: news('b') }], end: 'client-aborted', ms: 9_000 });
    },
    findings: ['resume-refused low'],
  },
  {
    title: 'nine sessions with a call each are no churn',
    make: (script) => {
      for (let n = 0; n < 8; n++) {
        const next = `${(n * 7_919 + 13).toString(36)}-${script.session}`;
        script
          .open(next, undefined, `i${n}`)
          .post(call(`c${n}`, 'find', { n }), { json: result(`c${n}`) }, { session: next });
      }
    },
    findings: [],
  },
  {
    title: 'a session with work to do is no churn, however many there are',
    make: (script) => {
      for (let n = 0; n < 12; n++) {
        const next = `${(n * 7_919 + 13).toString(36)}-${script.session}`;
        script.open(next, undefined, `i${n}`);
        for (let m = 0; m < 4; m++)
          script.post(call(`c${n}.${m}`, 'find', { n, m }), { json: result(`c${n}.${m}`) }, { session: next });
      }
    },
    findings: [],
  },
  {
    title: 'a stream that is cut after the second call began is not why that call was made',
    make: (script) => {
      script.post(call(1, 'pay', { sum: 1 }), { events: [], end: 'truncated', ms: 9_000 });
      script.post(call(2, 'pay', { sum: 1 }), { json: result(2), ms: 3_000 }, { besideMs: 2_000 });
    },
    findings: ['lost-response high'],
  },
  {
    title: 'a server without listening streams refuses every GET and loses nothing',
    make: (script) => {
      for (let n = 0; n < 6; n++) script.get(null, { status: 405, json: failure(null, -32000, 'Method not allowed') });
    },
    findings: [],
  },
  {
    title: 'a refusal that names another session has merged nothing',
    make: (script) =>
      script
        .post(call(1, 'pay'), { status: 500, text: 'upstream trouble', session: `${script.session}-minted` })
        .post(request(2, 'ping'), { json: result(2, {}) }),
    findings: [],
  },
  {
    title: 'a client that goes on with what its initialize under a stale id was given has adopted nothing',
    make: (script) => {
      const next = `${script.session}-next`;
      const answer = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'f', version: '1' } };
      script.post(request('i2', 'initialize', { protocolVersion: '2025-11-25' }), {
        json: result('i2', answer),
        session: next,
      });
      script.post(request('p2', 'ping'), { json: result('p2', {}) }, { session: next });
    },
    findings: ['initialize-with-session low'],
  },
  {
    title: 'one id for one request after the other is no confusion of answers',
    make: (script) => {
      for (let n = 0; n < 3; n++) script.post(call(7, 'find', { n }), { json: result(7, text(`row ${n}`)) });
    },
    findings: ['jsonrpc-id-reuse info'],
  },
  {
    title: 'a listening stream that had only been primed leaves no cursor worth keeping',
    make: (script) =>
      script
        .get(null, { events: [{ id: 'p1', data: '' }], ms: 20_000 })
        .get(null, { events: [{ id: 'p2', data: '' }], ms: 20_000 }),
    findings: [],
  },
];

/** The conversations, each with a session of its own that was opened. */
export function nearMissScripts(): Script[] {
  return NEAR_MISSES.map(({ make, server }) => {
    const script = new Script(server).open();
    make(script);
    return script;
  });
}
