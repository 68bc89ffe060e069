import { describe, expect, it } from 'vitest';
import { readBytes } from './read.js';
import { line, type SpanOptions, span } from './spans.js';

async function exchangeOf(options: SpanOptions, scope: string, resource: Record<string, string> = {}) {
  const { captures } = await readBytes(line([span(options)], scope, resource));
  return captures[0]?.exchange;
}

async function messagesOf(options: SpanOptions, scope = 'mcp-server') {
  const { captures } = await readBytes(line([span(options)], scope));
  return captures[0]?.messages ?? [];
}

const CALL = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'pay', 'jsonrpc.request.id': '5' };

describe('sessions', () => {
  it('are what the captured header says before what the emitter says', async () => {
    const attributes = { ...CALL, 'mcp.session.id': 'told', 'http.request.header.mcp-session-id': ['sent'] };
    expect(await exchangeOf({ attributes }, 'sdk')).toMatchObject({ requestSession: 'sent', sawRequestHeaders: true });
  });

  it('on initialize are the answer, not the request', async () => {
    const attributes = { 'mcp.method.name': 'initialize', 'mcp.session.id': 'new' };
    expect(await exchangeOf({ attributes }, 'sdk')).toMatchObject({
      requestSession: null,
      responseSession: 'new',
      sawResponseHeaders: false,
    });
  });

  it('told by an attribute do not show that other headers were absent', async () => {
    const { captures, summary } = await readBytes(line([span({ attributes: { ...CALL, 'mcp.session.id': 's' } })]));
    expect(captures[0]?.exchange.sawRequestHeaders).toBe(false);
    expect(summary?.evidence).toContain('request-headers');
  });

  it('captured on one span show that the next one of the same emitter had none', async () => {
    const http = { 'http.request.method': 'POST', 'url.path': '/mcp' };
    const { captures } = await readBytes(
      line([
        span({ attributes: http }),
        span({ attributes: { ...http, 'http.request.header.mcp_session_id': ['s'] } }),
      ]),
    );
    expect(captures.map(({ exchange }) => [exchange.requestSession, exchange.sawRequestHeaders])).toEqual([
      [null, true],
      ['s', true],
    ]);
  });

  it('in arrays written as JSON text are found (rows of strings)', async () => {
    const attributes = {
      ...CALL,
      'http.request.header.mcp-session-id': '["s-1"]',
      'http.request.header.last-event-id': '["e9"]',
    };
    expect(await exchangeOf({ attributes }, 'sdk')).toMatchObject({ requestSession: 's-1', lastEventId: 'e9' });
  });
});

describe('the end of a span', () => {
  const http = { 'http.request.method': 'POST', 'url.path': '/mcp' };
  const failed = { status: { code: 2 } };

  it.each<[string, SpanOptions, string]>([
    ['without error is complete', { attributes: http }, 'complete'],
    ['that is missing is open', { attributes: http, lengthMs: null }, 'open'],
    [
      'with a status is an answer',
      { attributes: { ...http, 'http.response.status_code': 503, 'error.type': '503' }, ...failed },
      'complete',
    ],
    [
      'with a time-out is timed out',
      { attributes: { ...http, 'error.type': 'System.TimeoutException' }, ...failed },
      'timed-out',
    ],
    [
      'with a time-out after the status is timed out',
      { attributes: { ...http, 'http.response.status_code': 200, 'error.type': 'ReadTimeout' }, ...failed },
      'timed-out',
    ],
    [
      'with a cancellation is aborted',
      { attributes: { ...http, 'error.type': 'asyncio.CancelledError' }, ...failed },
      'client-aborted',
    ],
    [
      'with a broken connection is truncated',
      { attributes: { ...http, 'error.type': 'ECONNRESET' }, ...failed },
      'truncated',
    ],
    ['with any other error is unknown', { attributes: { ...http, 'error.type': 'KeyError' }, ...failed }, 'unknown'],
    [
      "with a tool's own error is complete",
      { attributes: { ...CALL, 'error.type': 'tool_error' }, ...failed },
      'complete',
    ],
  ])('%s', async (_what, options, state) => {
    expect((await exchangeOf(options, 'sdk'))?.endState).toBe(state);
  });

  it('keeps no words of an error message', async () => {
    const event = {
      name: 'exception',
      attributes: [{ key: 'exception.message', value: { stringValue: 'Bearer hunter2: connection reset' } }],
    };
    const { captures } = await readBytes(line([span({ attributes: http, events: [event], ...failed })]));
    expect(captures[0]?.exchange).toMatchObject({ endState: 'truncated', endReason: 'connection reset' });
    expect(JSON.stringify(captures, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'hunter2',
    );
  });
});

describe('messages of a span', () => {
  it('are the call and its answer', async () => {
    const messages = await messagesOf({ attributes: CALL });
    expect(messages.map(({ sender, kind }) => [sender, kind])).toEqual([
      ['client', 'request'],
      ['server', 'result'],
    ]);
  });

  it('have equal digests for equal arguments, whatever their order', async () => {
    const digests = await Promise.all(
      ['{"a":1,"b":{"c":[1,2]}}', '{ "b": {"c":[1,2]}, "a": 1 }', '{"a":2}'].map(async (args) => {
        const [call] = await messagesOf({ attributes: { ...CALL, 'gen_ai.tool.call.arguments': args } });
        return call?.argumentsDigest;
      }),
    );
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
    expect((await messagesOf({ attributes: CALL }))[0]?.argumentsDigest).toBeNull();
  });

  it('tell a tool error from a JSON-RPC error', async () => {
    const status = { code: 2 };
    const [, toolError] = await messagesOf({ attributes: { ...CALL, 'error.type': 'tool_error' }, status });
    expect(toolError).toMatchObject({ kind: 'result', toolError: true });
    const [, rpcError] = await messagesOf({ attributes: { ...CALL, 'rpc.response.status_code': '-32602' }, status });
    expect(rpcError).toMatchObject({ kind: 'error', errorCode: -32602 });
  });

  it('have no answer when the span has no end, was refused by HTTP, or is a notification', async () => {
    expect(await messagesOf({ attributes: CALL, lengthMs: null })).toHaveLength(1);
    expect(await messagesOf({ attributes: { ...CALL, 'http.response.status_code': 404 } })).toHaveLength(1);
    expect(await messagesOf({ attributes: { 'mcp.method.name': 'notifications/initialized' } })).toHaveLength(1);
  });

  it('that servers send to clients are theirs, and the span is on the other side', async () => {
    const { captures } = await readBytes(
      line([span({ kind: 3, attributes: { 'mcp.method.name': 'sampling/createMessage' } })]),
    );
    expect(captures[0]?.exchange.vantage).toBe('server');
    expect(captures[0]?.messages.map(({ sender }) => sender)).toEqual(['server', 'client']);
  });

  it('say that the session is lost when the error does', async () => {
    const attributes = {
      ...CALL,
      'mcp.error.code': '-32000',
      'mcp.error.message': 'Session not found',
      'http.status': 200,
    };
    const { captures } = await readBytes(line([span({ attributes, status: { code: 2 } })], 'gateway'));
    expect(captures[0]?.exchange.lossInBody).toBe(true);
    expect(captures[0]?.messages[1]).toMatchObject({ kind: 'error', errorCode: -32000, lossSignal: true });
  });
});
