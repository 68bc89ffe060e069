import { describe, expect, it } from 'vitest';
import { call, failure, notification, person, result, Script, step } from '../../support/history/script.js';
import { briefly, told } from '../../support/history/told.js';

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('whether work was done once', () => {
  it('one id for every request, one after the other, is a line of information', async () => {
    const script = new Script().open(undefined, undefined, 1);
    for (let n = 0; n < 4; n++) script.post(call(1, 'find', { n }), { json: result(1, text(`row ${n}`)) });
    expect(briefly(await told(script))).toEqual(['jsonrpc-id-reuse info']);
  });

  it('one id for requests in flight together is ambiguous unless the payload says whose answer it is', async () => {
    const script = new Script().open();
    script.post(call(1, 'find', { a: 1 }), { json: result(1, text('x')), ms: 3_000 });
    script.post(call(1, 'book', { b: 1 }), { json: result(1, text('y')), ms: 3_000 }, { besideMs: 500 });
    expect(briefly(await told(script))).toEqual(['jsonrpc-id-reuse low', 'misattributed-result low']);
  });

  it('two different answers to one request are one too many', async () => {
    const script = new Script().open();
    script.post(call(1, 'find'), { events: [{ data: result(1, text('a')) }, { data: result(1, text('b')) }] });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['misattributed-result high']);
    expect(findings[0]?.facts).toMatchObject({ proof: 'two-answers' });
  });

  it('an answer to an id that was never issued is unsolicited', async () => {
    const script = new Script().open();
    script.post(call(1, 'find'), { events: [{ data: result('77', text('a')) }, { data: result(1, text('b')) }] });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['misattributed-result high']);
    expect(findings[0]?.facts).toMatchObject({ proof: 'unsolicited', request_id: '"77"' });
  });

  it('an answer with the id as text to a request with the id as number answers nobody', async () => {
    const script = new Script().open();
    script.post(call(1, 'find'), { events: [{ data: result('1', text('a')) }] });
    expect(briefly(await told(script))).toEqual(['lost-response high', 'misattributed-result high']);
  });

  it('a late answer to a request that was cancelled is to be ignored', async () => {
    const script = new Script().open();
    script.post(call(1, 'find'), { events: [{ data: result(1), atMs: 5_000 }] });
    script.post(notification('notifications/cancelled', { requestId: 1 }), { status: 202 }, { besideMs: 2_000 });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('the client that re-sends the refused message in a new session has run it once', async () => {
    const script = new Script({ echoes: false }).open();
    script.post(call(5, 'pay', { sum: 1 }), { status: 404, text: 'Not Found: Session not found' });
    const next = `${script.session}-next`;
    script.open(next, undefined, 0);
    script.post(call(5, 'pay', { sum: 1 }), { json: result(5) }, { session: next });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a call repeated after its stream was cut may have run twice', async () => {
    const script = new Script().open();
    script.post(call(1, 'pay', { sum: 1 }), { events: [], end: 'truncated', ms: 2_000 });
    script.post(call(2, 'pay', { sum: 1 }), { json: result(2) });
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['duplicate-tool-call medium', 'lost-response high']);
    expect(findings.find(({ detector }) => detector === 'duplicate-tool-call')?.facts).toMatchObject({
      mechanism: 'client-retry',
      first_outcome: 'unknown',
    });
  });

  it('a call that failed as a tool and is made again is no fault of the transport', async () => {
    const script = new Script().open();
    script.post(call(1, 'pay', { sum: 1 }), {
      json: result(1, { ...text('Session not found in the ledger'), isError: true }),
    });
    script.post(call(2, 'pay', { sum: 1 }), { json: result(2) });
    expect(briefly(await told(script))).toEqual([]);
  });

  it('an idempotency key makes a repeated call harmless', async () => {
    const script = new Script().open();
    const meta = { 'com.example/idempotencyKey': 'k-1', idempotencyKey: 'k-1' };
    script.post(call(1, 'pay', { sum: 1 }, meta), { events: [], end: 'truncated', ms: 2_000 });
    script.post(call(2, 'pay', { sum: 1 }, meta), { json: result(2) });
    expect(briefly(await told(script))).toContain('duplicate-tool-call info');
  });

  it('progress tokens and trace ids do not make two calls different', async () => {
    const script = new Script().open();
    script.post(
      call(
        1,
        'pay',
        { sum: 1, to: 'x' },
        { progressToken: 1, traceparent: '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaa-01' },
      ),
      { events: [{ data: step(1, 1) }], end: 'truncated' },
    );
    script.post(call(2, 'pay', { to: 'x', sum: 1.0 }, { progressToken: 2 }), { json: result(2) });
    expect(briefly(await told(script))).toContain('duplicate-tool-call medium');
  });

  it('two users who call alike have not repeated one another', async () => {
    const script = new Script().open();
    const other = `${script.session}-b`;
    script.open(other, person(2), 'o');
    script.post(call(1, 'pay', { sum: 1 }), { events: [], end: 'truncated', ms: 2_000 });
    script.post(call('o2', 'pay', { sum: 1 }), { json: result('o2') }, { session: other, who: person(2) });
    expect(briefly(await told(script))).toEqual(['lost-response high']);
  });

  it('a stateless server that asks back is answered by the same call, and that is no repetition', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const script = new Script();
    const ask = { session: null, version: '2026-07-28' };
    script.post(
      call(1, 'pay', { sum: 1 }, meta),
      { json: result(1, { resultType: 'input_required', inputRequests: {} }), session: null },
      ask,
    );
    script.post(
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'pay', arguments: { sum: 1 }, inputResponses: {}, requestState: 's', _meta: meta },
      },
      { json: result(2, { resultType: 'complete', content: [] }), session: null },
      ask,
    );
    expect(briefly(await told(script))).toEqual([]);
  });

  it('a stateless call whose stream broke must be issued again, and may have run twice', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const script = new Script();
    const ask = { session: null, version: '2026-07-28' };
    script.post(call(1, 'pay', { sum: 1 }, meta), { events: [], end: 'truncated', ms: 2_000, session: null }, ask);
    script.post(
      call(2, 'pay', { sum: 1 }, meta),
      { json: result(2, { resultType: 'complete', content: [] }), session: null },
      ask,
    );
    const findings = await told(script);
    expect(briefly(findings)).toEqual(['duplicate-tool-call medium', 'lost-response high']);
    expect(findings.find(({ detector }) => detector === 'duplicate-tool-call')?.facts).toMatchObject({
      mechanism: 'mandated-reissue',
    });
  });

  it('a stateless call that the client hung up on was cancelled and is not lost', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const script = new Script();
    script.post(
      call(1, 'pay', { sum: 1 }, meta),
      { events: [], end: 'client-aborted', ms: 2_000, session: null },
      { session: null, version: '2026-07-28' },
    );
    expect(briefly(await told(script))).toEqual([]);
  });

  it('an error of the protocol is an answer, and nothing is lost', async () => {
    const script = new Script().open();
    script.post(call(1, 'pay'), { json: failure(1, -32602, 'Unknown tool: pay') });
    script.post(call(2, 'pay'), { status: 500, text: 'Internal Server Error' });
    expect(briefly(await told(script))).toEqual([]);
  });
});
