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
