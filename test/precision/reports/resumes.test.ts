import { describe, expect, it } from 'vitest';
import { call, failure, notification, request, result, Script, step } from '../../support/history/script.js';
import { briefly, told } from '../../support/history/told.js';

const cut = (script: Script, id = 'e1') =>
  script.post(call(1, 'book', {}, { progressToken: 1 }), { events: [{ id, data: step(1, 1) }], end: 'truncated' });

describe('how resumes went', () => {
  it('a resume that is accepted and never says anything is futile while an answer is due', async () => {
    const script = new Script({ echoes: false }).open();
    const id = 'd989e7cc-9a5d-48fc-a555-030f6bc03cbe_11890b3d-eb95-4979-a168-c7f42ff4334a';
    cut(script, id).get(id, { events: [], ms: 60_000, end: 'timed-out' });
    expect(briefly(await told(script))).toEqual([
      'futile-resume medium',
      'lost-response high',
      'unacknowledged-resume info',
    ]);
  });

  it('a resume that hangs to the end of the capture is futile, and the answer not yet lost', async () => {
    const script = new Script().open();
    cut(script).get('e1', { events: [], end: 'open' });
    script.wait(60_000).post(request(2, 'ping'), { json: result(2, {}) });
    expect(briefly(await told(script))).toEqual(['futile-resume medium']);
  });

  it('a client that resumes after an error answer waits for nothing', async () => {
    const script = new Script().open();
    script.post(call(1, 'book'), { events: [{ id: 'e1', data: failure(1, -32000, 'quota') }] });
    script.get('e1', { events: [], ms: 300 });
    expect(briefly(await told(script)).filter((one) => !one.endsWith(' info'))).toEqual([]);
  });

  it('a client that forgets its cursor after a resume without an id has dropped it', async () => {
    const script = new Script().open();
    cut(script).get('e1', { events: [], ms: 900 }).get(null, { events: [], ms: 8_000, end: 'client-aborted' });
    expect(briefly(await told(script))).toContain('cursor-dropped medium');
  });

  it('a POST with nothing but the cursor is a resume, and answered under another session a merge', async () => {
    const script = new Script().open();
    cut(script);
    script.post(
      null,
      {
        events: [{ id: 'e1', data: notification('notifications/message', { data: 'new world' }) }],
        session: `${script.session}-minted`,
      },
      { cursor: 'e1' },
    );
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['epoch-merge high', 'lost-response high']);
    expect(findings.find(({ detector }) => detector === 'epoch-merge')?.facts).toMatchObject({
      trigger: 'resume',
      consequence: 'delivered',
    });
  });

  it('a POST that repeats the request in flight with the cursor is a resume and no second call', async () => {
    const script = new Script().open();
    cut(script);
    script.post(
      call(1, 'book', {}, { progressToken: 1 }),
      {
        events: [
          { id: 'e2', data: step(1, 2) },
          { id: 'e3', data: result(1) },
        ],
      },
      { cursor: 'e1' },
    );
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a cursor on a POST that asks something new resumes nothing', async () => {
    const script = new Script().open();
    script.post(call(1, 'book'), { events: [{ id: 'e1', data: result(1) }] });
    script.post(call(2, 'pay'), { json: result(2) }, { cursor: 'e1' });
    expect(briefly(await told(script))).toEqual(['cursor-on-post low']);
  });

  it('a server that checks whose cursor it is refuses one of another session, and the client stands convicted', async () => {
    const id = (session: string, n: number) =>
      `${Buffer.from(session).toString('base64')}:${Buffer.from('s1').toString('base64')}:${n}`;
    const script = new Script().open();
    const next = `${script.session}-next`;
    script.post(call(1, 'book'), { events: [{ id: id(script.session, 0), data: '' }], end: 'truncated' });
    script.get(id(script.session, 0), { status: 404, json: failure(null, -32001, 'Session not found') });
    script.open(next, undefined, 'i2');
    script.get(
      id(script.session, 0),
      {
        status: 400,
        json: failure(null, -32000, 'The Last-Event-ID header refers to a session with a different session ID'),
      },
      { session: next },
    );
    expect(briefly(await told(script))).toEqual([
      'cross-epoch-cursor high',
      'lost-response high',
      'resume-refused low',
    ]);
  });

  it('404 with method-not-found on a GET is a refusal and no loss', async () => {
    const script = new Script().open();
    cut(script).get('e1', { status: 404, json: failure(null, -32601, 'Method not found') });
    script.post(request(2, 'ping'), { json: result(2, {}) });
    expect(briefly(await told(script))).toEqual(['lost-response high', 'resume-refused low']);
  });

  it('a polling server that is asked again in time loses nothing', async () => {
    const script = new Script().open();
    script.post(call(1, 'book'), { events: [{ id: 'e1', data: '', retryMs: 2_000 }] });
    script.wait(2_000).get('e1', { events: [{ id: 'e2', data: '', retryMs: 2_000 }] });
    script.wait(2_000).get('e2', { events: [{ id: 'e3', data: result(1) }] });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a new listening stream that replaces the old one is no second resume', async () => {
    const script = new Script().open();
    script.get(null, {
      events: [{ id: 'e1', data: notification('notifications/message', { data: 'a' }) }],
      end: 'truncated',
      ms: 9_000,
    });
    script.get(null, { events: [], end: 'client-aborted', ms: 20_000 }, { besideMs: 5_000 });
    expect(briefly(await told(script)).filter((one) => /concurrent|broadcast|futile/.test(one))).toEqual([]);
  });
});
