import { expect, test } from 'vitest';
import { type CapturedHttp, emptyCapturedHttp, headerMap } from '../../src/readers/captured-http.js';
import { isMcp, McpFilter } from '../../src/readers/is-mcp.js';

const http = (given: Partial<CapturedHttp>, url = 'https://h.test/mcp'): CapturedHttp => ({
  ...emptyCapturedHttp('entry 1', 'client', url),
  method: 'POST',
  ...given,
});
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run"}}';

test.each([
  ['a session header', { requestHeaders: headerMap([['Mcp-Session-Id', 'S1']]) }],
  ['a session header of the response', { responseHeaders: headerMap([['mcp-session-id', 'S1']]) }],
  ['a JSON-RPC request', { requestBody: CALL }],
  ['a JSON-RPC batch', { requestBody: `[${CALL}]` }],
  ['a JSON-RPC answer', { responseBody: '{"jsonrpc":"2.0","id":1,"result":{}}' }],
  ['a stream of JSON-RPC', { responseBody: `event: message\ndata: ${CALL}\n\n` }],
  ['recorded events', { recordedEvents: [{ atNs: null, type: null, id: '', data: CALL }] }],
  ['a body beyond what is looked at', { requestBody: `${CALL.slice(0, -3)},"x":"${'x'.repeat(100_000)}"}}` }],
])('%s makes an exchange MCP', (_, given) => {
  expect(isMcp(http(given))).toBe(true);
});

test.each([
  ['a page', { method: 'GET', responseBody: '<!doctype html>' }],
  ['JSON', { responseBody: '{"items":[1,2]}' }],
  ['a stream of something else', { responseBody: 'data: {"tick":1}\n\n' }],
  ['calls of a chain', { requestBody: '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[]}' }],
  ['a preflight', { method: 'OPTIONS', requestHeaders: headerMap([['mcp-session-id', 'S1']]) }],
  ['nothing', {}],
])('%s does not', (_, given) => {
  expect(isMcp(http(given))).toBe(false);
});

test('an endpoint that was seen to speak MCP is believed for what carries no marker', () => {
  const filter = new McpFilter();
  const bare = http({ method: 'GET', status: 405 });
  expect(filter.accepts(bare)).toBe(false);
  expect(filter.accepts(http({ requestBody: CALL }, 'https://h.test/mcp?token=1'))).toBe(true);
  expect(filter.accepts(bare)).toBe(true);
  expect(filter.accepts(http({ status: null }))).toBe(true);
  expect(filter.accepts(http({ method: 'OPTIONS' }))).toBe(false);
  expect(filter.accepts(http({}, 'https://h.test/other'))).toBe(false);
});
