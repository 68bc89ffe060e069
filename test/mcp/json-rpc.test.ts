import { describe, expect, test } from 'vitest';
import { announcedTools, peerInfo } from '../../src/mcp/announcements.js';
import { eraOfMethod, eraOfVersion } from '../../src/mcp/era.js';
import { readMessages, traceIdOf } from '../../src/mcp/json-rpc.js';
import { typedId } from '../../src/mcp/typed-id.js';

const read = (value: unknown) => readMessages(value, 'client', null)[0];
const call = (params: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });

describe('kinds', () => {
  test.each([
    [{ jsonrpc: '2.0', id: 1, method: 'ping' }, 'request'],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 'notification'],
    [{ jsonrpc: '2.0', id: 1, result: {} }, 'result'],
    [{ jsonrpc: '2.0', id: null, error: { code: -32700, message: '' } }, 'error'],
    [{ jsonrpc: '2.0', id: 4 }, 'invalid'],
    [{ id: 4, method: 'ping' }, 'invalid'],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 'invalid'],
    [{ jsonrpc: '2.0', id: 1, error: 'no object' }, 'invalid'],
    ['text', 'invalid'],
    [null, 'invalid'],
    [7, 'invalid'],
  ])('%j is %s', (value, kind) => {
    expect(read(value)?.kind).toBe(kind);
  });

  test('a batch is as many messages as it holds', () => {
    const batch = readMessages([call({ name: 'a' }), { jsonrpc: '2.0', method: 'x' }, 3], 'client', 99);
    expect(batch.map(({ kind }) => kind)).toEqual(['request', 'notification', 'invalid']);
    expect(readMessages([], 'client', 2)).toEqual([]);
  });
});

describe('ids', () => {
  test('1 is not "1", and null is none', () => {
    expect(read(call({}, 1))?.rpcId).toBe('1');
    expect(read(call({}, '1'))?.rpcId).toBe('"1"');
    expect(read({ jsonrpc: '2.0', id: null, error: { code: 1, message: '' } })?.rpcId).toBe(null);
    expect(typedId(true)).toBe(null);
  });
});

describe('tool calls', () => {
  test('arguments are compared without key order, _meta and progress token', () => {
    const one = read(call({ name: 't', arguments: { a: 1, b: { c: 2, d: 3 } }, _meta: { progressToken: 'p1' } }, 1));
    const two = read(
      call({ name: 't', arguments: { b: { d: 3, c: 2 }, a: 1, _meta: { x: 1 } }, _meta: { progressToken: 7 } }, 2),
    );
    expect(one?.argumentsDigest).toBe(two?.argumentsDigest);
    expect(one?.messageDigest).not.toBe(two?.messageDigest);
    expect([one?.tool, one?.progressToken, two?.progressToken]).toEqual(['t', '"p1"', '7']);
    expect(read(call({ name: 't' }))?.argumentsDigest).toBe(read(call({ name: 't', arguments: {} }))?.argumentsDigest);
    expect(one?.argumentsDigest).not.toBe(read(call({ name: 't' }))?.argumentsDigest);
  });

  test.each([
    [{ name: 't', arguments: { idempotencyKey: 'k' } }],
    [{ name: 't', arguments: { idempotency_key: 'k' } }],
    [{ name: 't', _meta: { 'Idempotency-Key': 'k' } }],
    [{ name: 't', _meta: { 'example.com/idempotencyKey': 'k' } }],
  ])('an idempotency key is found in %j', (params) => {
    expect(read(call(params))?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  test('input retries, tasks and traces are read from where their specifications put them', () => {
    expect(read(call({ name: 't', inputResponses: {} }))?.inputRetry).toBe(true);
    expect(read(call({ name: 't', requestState: 's' }))?.inputRetry).toBe(true);
    expect(read(call({ name: 't', task: { ttl: 1 } }))?.taskId).toBe('');
    expect(read({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'T' } })?.taskId).toBe('T');
    expect(read(call({ name: 't', _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'T' } } }))?.taskId).toBe(
      'T',
    );
    const traceparent = '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01';
    expect(read(call({ name: 't', _meta: { traceparent } }))?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(traceIdOf(`00-${'0'.repeat(32)}-b7ad6b7169203331-01`)).toBe(null);
  });
});

describe('other messages', () => {
  test('progress and cancellation name their token and request, typed', () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 3, progress: 0.5 } };
    expect(read(progress)).toMatchObject({ progressToken: '3', progress: 0.5 });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '3' } };
    expect(read(cancel)?.cancels).toBe('"3"');
  });

  test('results tell errors of tools, questions, tasks and their structured keys', () => {
    const result = (value: unknown) => read({ jsonrpc: '2.0', id: 1, result: value });
    expect(result({ isError: true })?.toolError).toBe(true);
    expect(result({ resultType: 'input_required' })?.inputRequired).toBe(true);
    expect(result({ task: { taskId: 'T' } })?.taskId).toBe('T');
    expect(result({ structuredContent: { b: 1, a: 2 } })?.resultKeys).toBe('a,b');
    expect(result(null)?.kind).toBe('result');
    expect(read({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'x' } })?.errorCode).toBe(-32_001);
    expect(read({ jsonrpc: '2.0', id: 1, error: { code: 1e20, message: 'x' } })?.errorCode).toBe(null);
  });

  test('versions come from initialize, its result, or _meta of the stateless era', () => {
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
    expect(read(initialize)?.protocolVersion).toBe('2025-06-18');
    const result = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-03-26', capabilities: {} } };
    expect(read(result)?.protocolVersion).toBe('2025-03-26');
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(read(call({ name: 't', _meta: meta }))?.protocolVersion).toBe('2026-07-28');
  });

  test('eras are told by version and by what only one of them knows', () => {
    expect(
      ['2025-03-26', '2025-11-25', '2026-07-28', '2027-01-01', 'DRAFT-2026-v1', 'latest', null].map(eraOfVersion),
    ).toEqual(['sessions', 'sessions', 'stateless', 'stateless', 'stateless', null, null]);
    expect(['initialize', 'server/discover', 'tools/call', null].map(eraOfMethod)).toEqual([
      'sessions',
      'stateless',
      null,
      null,
    ]);
  });

  test('announced tools keep hints and schema keys, broken ones are left out', () => {
    const outputSchema = { type: 'object', properties: { b: {}, a: {} }, required: ['b'] };
    const tools = [{ name: 't', annotations: { readOnlyHint: true }, outputSchema }, { title: 'no name' }, null];
    expect(announcedTools({ jsonrpc: '2.0', id: 1, result: { tools } })).toEqual([
      { tool: 't', readOnly: true, idempotent: null, destructive: null, outputKeys: 'a,b', requiredKeys: 'b' },
    ]);
    expect(announcedTools({ jsonrpc: '2.0', id: 1, result: { tools: 'none' } })).toEqual([]);
    expect(peerInfo({ result: { serverInfo: { name: 'depot', version: '1.4.0' } } }).serverInfo).toBe('depot 1.4.0');
    expect(peerInfo({ params: { clientInfo: { name: 'c' } } }).clientInfo).toBe('c');
  });
});
