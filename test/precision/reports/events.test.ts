import { describe, expect, it } from 'vitest';
import { call, notification, request, result, Script, step } from '../../support/history/script.js';
import { briefly, told } from '../../support/history/told.js';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const changed = notification('notifications/resources/updated', { uri: 'file:///ledger' });
const uuids = [
  '0f1d7f6a-5a0e-4e0c-9d53-0b6c5a3a1001',
  '4ab8a3a2-9d0b-4b32-8a4e-7a1f0e9b2002',
  'c3c1b6f4-72c0-4d0e-b3ce-5f5d1f6c3003',
  '91ad6cf1-1f52-4c85-a1f7-1e0b8e4d4004',
] as const;

describe('what resumed streams brought', () => {
  it('a server of rmcp that starts with the last event again repeats a notification, and no more', async () => {
    const script = new Script({ echoes: false }).open();
    script.get(null, {
      events: [
        { id: '0', data: changed },
        { id: '1', data: notification('notifications/message', { data: 'b' }) },
      ],
      end: 'truncated',
    });
    script.get('1', {
      events: [
        { id: '1', data: notification('notifications/message', { data: 'b' }) },
        { id: '2', data: notification('notifications/message', { data: 'c' }) },
      ],
      end: 'client-aborted',
      ms: 4_000,
    });
    expect(briefly(await told(script))).toEqual(['replayed-events low', 'unacknowledged-resume info']);
  });

  it('events of one millisecond that come in another order are unordered, and the progress among them goes back', async () => {
    const id = (n: number, ms: number) => `3f0e6a52-53b0-4f1c-8d3c-2f8f2f5c0a01_${1_777_000_000_000 + ms}_r${n}x0y1z2`;
    const script = new Script().open();
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [{ id: id(1, 5), data: step(1, 1) }],
      end: 'truncated',
    });
    script.get(id(1, 5), {
      events: [
        { id: id(3, 5), data: step(1, 3) },
        { id: id(2, 5), data: step(1, 2) },
        { id: id(4, 9), data: result(1) },
      ],
    });
    expect(briefly(await told(script))).toEqual(['progress-regression medium', 'unordered-resume info']);
  });

  it('ids without order leave a resume unproven and nothing worse', async () => {
    const script = new Script().open();
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [{ id: uuids[0], data: step(1, 1) }],
      end: 'truncated',
    });
    script.get(uuids[0], {
      events: [
        { id: uuids[1], data: step(1, 2) },
        { id: uuids[2], data: result(1) },
      ],
    });
    expect(briefly(await told(script))).toEqual(['unordered-resume info']);
  });

  it('a priming event that the server mints after the replay is no step back', async () => {
    const script = new Script().open();
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [
        { id: uuids[0], data: '' },
        { id: uuids[1], data: step(1, 1) },
      ],
      end: 'truncated',
    });
    script.get(uuids[1], {
      events: [{ id: uuids[2], data: step(1, 2) }, { id: uuids[3], data: '' }, { data: result(1) }],
    });
    expect(briefly(await told(script))).toEqual(['unordered-resume info']);
  });

  it('the nameless stream of go counts from _0 in every session: no cursor of another session, and a hole is a gap', async () => {
    const script = new Script({ echoes: false }).open();
    const other = `${script.session}-b`;
    script.get(null, {
      events: [
        { id: '_0', data: changed },
        { id: '_1', data: changed },
      ],
      end: 'truncated',
    });
    script.open(other, undefined, 'o');
    script.get(
      null,
      {
        events: [
          { id: '_0', data: changed },
          { id: '_1', data: changed },
        ],
        end: 'truncated',
      },
      { session: other },
    );
    script.get('_1', {
      events: [{ id: '_3', data: notification('notifications/message', { data: 'late' }) }],
      end: 'client-aborted',
      ms: 6_000,
    });
    script.get(
      '_1',
      {
        events: [{ id: '_2', data: notification('notifications/message', { data: 'next' }) }],
        end: 'client-aborted',
        ms: 6_000,
      },
      { session: other },
    );
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['event-gap high', 'unacknowledged-resume info']);
    expect(findings.find(({ detector }) => detector === 'event-gap')?.facts).toMatchObject({
      missing: 1,
      family: 'go',
    });
  });

  it('a gateway that answers GET with 202 and enciphered ids deserves nothing above info', async () => {
    const script = new Script().open();
    script.get(null, { status: 202, events: [{ id: 'kJH2v9Qm1Zt7aB3x', data: changed }], end: 'truncated', ms: 3_000 });
    script.get('kJH2v9Qm1Zt7aB3x', {
      status: 202,
      events: [{ id: 'Pq8Zr4Lw0Nc6yT5s', data: changed }],
      end: 'client-aborted',
      ms: 30_000,
    });
    expect(briefly(await told(script))).toEqual(['unordered-resume info']);
  });

  it('a store that all sessions share replays the events of another session', async () => {
    const script = new Script().open();
    const other = `${script.session}-b`;
    script.open(other, undefined, 'o');
    script.post(
      call('x1', 'pay', {}, { progressToken: 'px' }),
      {
        events: [
          { id: uuids[0], data: step('px', 1) },
          { id: uuids[1], data: result('x1', text('paid')) },
        ],
      },
      { session: other },
    );
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [{ id: uuids[2], data: step(1, 1) }],
      end: 'truncated',
    });
    script.get(uuids[2], {
      events: [
        { id: uuids[1], data: result('x1', text('paid')) },
        { id: uuids[3], data: result(1) },
      ],
    });
    const findings = await told(script);
    expect(briefly(findings)).toContain('foreign-replay critical');
    expect(findings.find(({ detector }) => detector === 'foreign-replay')?.sessions.toSorted()).toEqual(
      [script.session, other].toSorted(),
    );
    expect(briefly(findings).filter((one) => !/foreign|unordered/.test(one))).toEqual([]);
  });

  it('a shared store with plain numbers is proven by answers that nobody in the session had asked for', async () => {
    const script = new Script().open();
    const other = `${script.session}-b`;
    script.open(other, undefined, 'o');
    script.post(
      call('x1', 'pay', {}, { progressToken: 'px' }),
      {
        events: [
          { id: '1', data: step('px', 1) },
          { id: '2', data: result('x1', text('paid')) },
        ],
      },
      { session: other },
    );
    script.post(call(7, 'list'), {
      events: [
        { id: '1', data: notification('notifications/message', { data: 'mine' }) },
        { id: '2', data: result(7, text('my list')) },
      ],
    });
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [{ id: '3', data: step(1, 1) }],
      end: 'truncated',
    });
    script.get('3', {
      events: [
        { id: '1', data: step('px', 1) },
        { id: '2', data: result('x1', text('paid')) },
        { id: '4', data: result(1) },
      ],
    });
    expect(briefly(await told(script))).toContain('foreign-replay critical');
  });

  it('progress after the answer is progress for a token that is no longer active', async () => {
    const script = new Script().open();
    script.post(call(1, 'book', {}, { progressToken: 1 }), {
      events: [{ data: step(1, 1) }, { data: result(1) }, { data: step(1, 2) }],
    });
    expect(briefly(await told(script))).toEqual(['progress-regression medium']);
  });

  it('a question of the server that was answered and comes again is worse than a notification', async () => {
    const ask = request('s1', 'sampling/createMessage', { maxTokens: 5 });
    const script = new Script().open();
    script.post(call(1, 'book'), { events: [{ id: 'e1', data: ask }], end: 'truncated', ms: 3_000 });
    script.post(
      result('s1', { role: 'assistant', content: { type: 'text', text: 'yes' } }),
      { status: 202 },
      { besideMs: 1_000 },
    );
    script.get('e1', {
      events: [
        { id: 'e1', data: ask },
        { id: 'e2', data: result(1) },
      ],
    });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['replayed-events high']);
    expect(findings[0]?.facts).toMatchObject({ mode: 'inclusive', acted_on: true });
  });

  it('updates of a subscribed resource are messages of their own, however alike', async () => {
    const script = new Script().open();
    script.post(request(1, 'resources/subscribe', { uri: 'file:///ledger' }), { json: result(1, {}) });
    script.get(null, {
      events: [
        { id: 'e1', data: changed, atMs: 500 },
        { id: 'e2', data: changed, atMs: 900 },
        { id: 'e3', data: changed, atMs: 4_000 },
      ],
      end: 'client-aborted',
      ms: 30_000,
    });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('the same update for two sessions is no broadcast', async () => {
    const script = new Script().open();
    const other = `${script.session}-b`;
    script.open(other, undefined, 'o');
    script.get(null, { events: [{ id: 'e1', data: changed, atMs: 500 }], end: 'client-aborted', ms: 9_000 });
    script.get(
      null,
      { events: [{ id: 'e1', data: changed, atMs: 500 }], end: 'client-aborted', ms: 9_000 },
      { session: other, besideMs: 0 },
    );
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a fresh listening stream that brings the whole cache again is no message on two connected streams', async () => {
    const script = new Script({ echoes: false }).open();
    const cache = [
      { id: '0', data: changed },
      { id: '1', data: notification('notifications/message', { data: 'b' }) },
    ];
    script.get(null, { events: cache, end: 'client-aborted', ms: 20_000 });
    script.wait(5_000).get(null, { events: cache, end: 'client-aborted', ms: 20_000 });
    expect(briefly(await told(script)).filter((one) => one.startsWith('broadcast'))).toEqual([]);
  });

  it('one message on two streams that are open together is a broadcast', async () => {
    const script = new Script().open();
    script.get(null, { events: [{ id: 'e1', data: changed, atMs: 3_000 }], end: 'client-aborted', ms: 9_000 });
    script.get(
      null,
      { events: [{ id: 'e1', data: changed, atMs: 2_000 }], end: 'client-aborted', ms: 9_000 },
      { besideMs: 1_000 },
    );
    expect(briefly(await told(script))).toEqual(['broadcast-message medium']);
  });

  it('ids that begin again under a session that another instance took over are a restart of the namespace', async () => {
    const script = new Script({ echoes: false }).open();
    script.get(null, {
      events: [
        { id: '0', data: notification('notifications/message', { data: 'a' }) },
        { id: '1', data: notification('notifications/message', { data: 'b' }) },
      ],
      end: 'truncated',
      ms: 9_000,
    });
    script.get(null, {
      events: [
        { id: '0', data: notification('notifications/message', { data: 'c' }) },
        { id: '1', data: notification('notifications/message', { data: 'd' }) },
      ],
      end: 'client-aborted',
      ms: 9_000,
    });
    const findings = await told(script);
    expect(findings.find(({ detector }) => detector === 'event-id-collision')?.facts).toMatchObject({
      mode: 'restart',
      ids: 2,
    });
  });
});
