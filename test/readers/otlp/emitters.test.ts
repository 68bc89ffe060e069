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

describe('emitters', () => {
  it('of the semantic conventions are read by kind: CLIENT is the client, SERVER the server', async () => {
    expect(await exchangeOf({ kind: 3, attributes: CALL }, 'sdk')).toMatchObject({
      vantage: 'client',
      rpcMethod: 'tools/call',
      tool: 'pay',
      rpcId: '5',
    });
    expect(await exchangeOf({ kind: 2, attributes: CALL }, 'sdk')).toMatchObject({ vantage: 'server' });
  });

  it('C# SDK: mcp.session.id is a number of telemetry and never a session', async () => {
    const attributes = { ...CALL, 'mcp.session.id': '6b70913e-9ab0-4e5d-afb9-716d891f442f' };
    expect(await exchangeOf({ attributes }, 'Experimental.ModelContextProtocol')).toMatchObject({
      requestSession: null,
    });
  });

  it('Python SDK: the method is in the name of the client span', async () => {
    const exchange = await exchangeOf({ name: 'MCP send tools/call pay', kind: 3 }, 'mcp-python-sdk');
    expect(exchange).toMatchObject({ rpcMethod: 'tools/call', tool: 'pay', vantage: 'client' });
  });

  it('ToolHive: legacy names, and a proxy', async () => {
    const attributes = {
      'mcp.method': 'tools/call',
      'mcp.request.id': 'a1',
      'mcp.tool.name': 'old',
      'mcp.session.id': 's',
      'http.status_code': 404,
    };
    expect(await exchangeOf({ name: 'mcp.tools/call', attributes }, 'github.com/stacklok/toolhive')).toMatchObject({
      vantage: 'proxy',
      rpcId: '"a1"',
      tool: 'old',
      status: 404,
      requestSession: 's',
    });
  });

  it("Envoy AI Gateway: the backend's session is not the client's, and its constant version is no version", async () => {
    const route = {
      name: 'route to backend',
      attributes: [{ key: 'mcp.session.id', value: { stringValue: 'backend-5' } }],
    };
    const attributes = { ...CALL, 'mcp.session.id': 'front', 'mcp.protocol.version': '2025-06-18' };
    expect(await exchangeOf({ kind: 3, attributes, events: [route] }, 'envoyproxy/ai-gateway')).toMatchObject({
      vantage: 'proxy',
      requestSession: 'front',
      protocolVersion: null,
    });
  });

  it('agentgateway: http.* of its own, and log records as an access log', async () => {
    const attributes = {
      'http.method': 'POST',
      'http.path': '/mcp',
      'http.status': 200,
      ...CALL,
      'mcp.session.id': 'agw',
    };
    expect(await exchangeOf({ attributes }, 'agentgateway')).toMatchObject({
      httpMethod: 'POST',
      path: '/mcp',
      status: 200,
      vantage: 'proxy',
    });
  });

  it('ContextForge: session and version with underscores', async () => {
    const attributes = {
      'mcp.session_id': 'cf',
      'mcp.protocol_version': '2025-06-18',
      'mcp.method.name': 'tools/call',
      'tool.name': 'forge',
    };
    expect(await exchangeOf({ kind: 3, attributes }, 'mcpgateway')).toMatchObject({
      requestSession: 'cf',
      protocolVersion: '2025-06-18',
      tool: 'forge',
    });
  });

  it('OpenLLMetry: method in the name, arguments as JSON', async () => {
    const attributes = { 'traceloop.entity.name': 'loop', 'traceloop.entity.input': '{"x":1}', 'mcp.request.id': '12' };
    const [call] = await messagesOf({ name: 'loop.tool', kind: 1, attributes }, 'opentelemetry.instrumentation.mcp');
    expect(call).toMatchObject({
      rpcMethod: 'tools/call',
      tool: 'loop',
      rpcId: '12',
      argumentsDigest: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('Logfire: whole messages, with their typed ids', async () => {
    const request = '{"jsonrpc":"2.0","id":"3","method":"tools/call","params":{"name":"fire","arguments":{}}}';
    const response = '{"jsonrpc":"2.0","id":"3","error":{"code":-32001,"message":"Session not found"}}';
    const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': 'tools/call', request, response };
    const exchange = await exchangeOf({ name: 'MCP request: tools/call fire', kind: 1, attributes }, 'logfire.mcp');
    expect(exchange).toMatchObject({
      vantage: 'client',
      rpcId: '"3"',
      tool: 'fire',
      lossInBody: true,
      sawRequestBody: true,
    });
  });

  it('of language servers, databases and other JSON-RPC are not MCP', async () => {
    const foreign: [SpanOptions, string][] = [
      [{ name: 'initialize', attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': 'initialize' } }, 'lsp'],
      [
        {
          name: 'eth_call',
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': 'eth_call', 'jsonrpc.request.id': '1' },
        },
        'web3',
      ],
      [{ name: 'tasks/list', attributes: { 'http.request.method': 'GET', 'url.path': '/tasks/list' } }, 'http'],
      [{ name: 'search.tool', kind: 1, attributes: { 'traceloop.entity.name': 'search' } }, 'langchain'],
      [{ name: 'GET', attributes: { 'http.request.method': 'OPTIONS', 'url.path': '/mcp' } }, 'http'],
      [
        {
          name: 'GET',
          attributes: { 'http.request.method': 'GET', 'url.path': '/.well-known/oauth-protected-resource/mcp' },
        },
        'http',
      ],
    ];
    for (const [options, scope] of foreign) expect(await exchangeOf(options, scope)).toBeUndefined();
  });

  it('name the instance that served: service.instance.id before the pod before the host', async () => {
    const resource = { 'host.name': 'h', 'k8s.pod.name': 'p', 'service.instance.id': 'i' };
    expect((await exchangeOf({ attributes: CALL }, 'sdk', resource))?.backends).toEqual(['i']);
    expect(
      (await exchangeOf({ attributes: CALL }, 'sdk', { 'host.name': 'h', 'k8s.pod.name': 'p' }))?.backends,
    ).toEqual(['p']);
    expect((await exchangeOf({ attributes: CALL, kind: 3 }, 'sdk', resource))?.backends).toEqual([]);
  });
});

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
