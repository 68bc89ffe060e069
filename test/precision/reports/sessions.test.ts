import { describe, expect, it } from 'vitest';
import { call, failure, person, request, result, Script, step } from '../../support/history/script.js';
import { briefly, told } from '../../support/history/told.js';

const gone = { status: 404, json: failure(null, -32001, 'Session not found') };
const ping = (script: Script, id: number, reply = {}, ask = {}) =>
  script.post(request(id, 'ping'), { json: result(id, {}), ...reply }, ask);

describe('what became of sessions', () => {
  it('a server that accepts whatever id it is shown, and echoes none, gives no finding', async () => {
    const script = new Script({ echoes: false }).open();
    for (let id = 1; id < 5; id++) ping(script, id);
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a session that its client ended and asks for once more is lost to nobody', async () => {
    const script = new Script().open();
    ping(script, 1).delete({ status: 204, session: null }).get(null, gone);
    script.open(`${script.session}-next`, undefined, 'i2');
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a client that goes on under a session it has ended itself uses a dead id', async () => {
    const script = new Script().open();
    ping(script, 1).delete({ status: 204, session: null });
    for (let id = 2; id < 6; id++) script.post(request(id, 'ping'), gone);
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['stale-session-reuse medium']);
    expect(findings[0]?.facts).toMatchObject({ uses: 3 });
  });

  it('404 with method-not-found is an answer: no loss, no flapping, no stale session', async () => {
    const script = new Script().open();
    for (let id = 1; id < 8; id += 2) {
      ping(script, id);
      script.post(request(id + 1, 'prompts/list'), { status: 404, json: failure(id + 1, -32601, 'Method not found') });
    }
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a client of both eras that asks for the new one first, and again when it reconnects, has lost nothing', async () => {
    const probe = request('p', 'server/discover', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    });
    const refusal = { status: 400, json: failure(null, -32000, 'Bad Request: Server not initialized') };
    const script = new Script();
    script.post(probe, refusal, { session: null, version: '2026-07-28' }).open();
    ping(script, 1);
    script.post(
      probe,
      { status: 404, json: failure('p', -32601, 'Method not found') },
      { session: null, version: '2026-07-28' },
    );
    script.open(`${script.session}-next`, undefined, 'i2');
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a token that expires in the middle is no loss, and the call that it refused was never run', async () => {
    const script = new Script().open();
    script.post(call(1, 'pay', { sum: 3 }), {
      status: 401,
      text: '{"error":"invalid_token","error_description":"The access token expired"}',
    });
    const fresh = { ...person(1), authorization: 'Bearer renewed' };
    script.post(call(2, 'pay', { sum: 3 }), { json: result(2) }, { who: fresh });
    script.post(request(3, 'ping'), { json: result(3, {}) }, { who: fresh });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a client that drops the header after its token was renewed is known by the session it went on with', async () => {
    const script = new Script().open();
    const fresh = { ...person(1), authorization: 'Bearer renewed' };
    ping(script, 1, {}, { who: fresh });
    script.post(
      call(2, 'pay'),
      { status: 400, json: failure(2, -32000, 'Bad Request: Mcp-Session-Id header is required') },
      { who: fresh, session: null },
    );
    expect(briefly(await told(script))).toEqual(['session-header-missing medium']);
  });

  it('a gateway that opens a session of its own with the server behind it has merged nothing', async () => {
    const script = new Script({ echoes: true }).open();
    const inner = `${script.session}-inner`;
    script.open(inner, { ...person(9), userAgent: 'gateway/1' }, 'g');
    ping(script, 1);
    ping(script, 2, {}, { session: inner, who: { ...person(9), userAgent: 'gateway/1' } });
    ping(script, 3);
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a client that changes sides on an answer of any POST has merged two histories', async () => {
    const script = new Script().open();
    const minted = `${script.session}-minted`;
    script.post(call(1, 'pay'), { json: result(1), session: minted });
    ping(script, 2, {}, { session: minted });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['epoch-merge critical']);
    expect(findings[0]?.facts).toMatchObject({ trigger: 'request', consequence: 'adopted' });
  });

  it('a refusal that carries a new session id is no merge', async () => {
    const script = new Script().open();
    script.post(call(1, 'pay'), { status: 500, text: 'upstream trouble', session: `${script.session}-minted` });
    ping(script, 2);
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a batch of the first revision is two requests with two answers', async () => {
    const script = new Script({ version: '2025-03-26' }).open();
    script.post([call(1, 'find', { a: 1 }), call(2, 'find', { a: 1 })], {
      events: [{ data: result(2) }, { data: result(1) }],
    });
    script.post([call(3, 'find', { a: 1 }), request(4, 'ping')], { json: [result(3), result(4, {})] });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('of a batch that was cut after one answer the other is lost', async () => {
    const script = new Script({ version: '2025-03-26' }).open();
    script.post([call(1, 'pay'), call(2, 'book')], { events: [{ data: result(1) }], end: 'truncated' });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['lost-response high']);
    expect(findings[0]?.facts).toMatchObject({ request_id: '2', tool: 'book' });
  });

  it('a task that is asked for again and again is no repeated call, and its progress goes on after the call was answered', async () => {
    const related = { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } };
    const script = new Script().open();
    const ask = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'book', arguments: { a: 1 }, task: { ttl: 60_000 }, _meta: { progressToken: 9 } },
    };
    script.post(ask, { json: result(1, { task: { taskId: 't-1', status: 'working' } }) });
    script.get(null, {
      events: [
        { id: 'e1', data: { ...step(9, 1), params: { progressToken: 9, progress: 1, _meta: related } }, atMs: 5_000 },
      ],
      end: 'client-aborted',
      ms: 12_000,
    });
    for (let id = 2; id < 5; id++)
      script.post(request(id, 'tasks/get', { taskId: 't-1' }), {
        json: result(id, { taskId: 't-1', status: 'working' }),
      });
    script.post(request(5, 'tasks/result', { taskId: 't-1' }), { events: [], end: 'truncated', ms: 5_000 });
    script.post(request(6, 'tasks/result', { taskId: 't-1' }), { json: result(6, { content: [], _meta: related }) });
    expect(briefly(await told(script))).toEqual(['lost-response medium']);
  });
});
