import { describe, expect, test } from 'vitest';
import { jsonSaysSessionLost, saysSessionLost, saysStreamHeld } from '../../src/mcp/loss.js';

test.each([
  'Session not found',
  'session not found\n',
  'Not Found: Session not found',
  'Unauthorized: Session not found',
  'Bad Request: No valid session ID provided',
  'Server not initialized',
  'Bad Request: Server not initialized',
  'Received request before initialization was complete',
  'Session has been terminated',
  'Invalid or missing session ID',
  'session unknown on this instance',
  'upstream ledger: Session not found',
  'Session 8c824039-b75e-4f51-bc73-aec786a36692 not found',
  'Session with ID "3f2a91c0" does not exist',
  'unknown session id: 8c824039-b75e-4f51-bc73-aec786a36692',
  'The session has expired',
  'Session already terminated',
  'SESSION_NOT_FOUND',
  'sessionExpired',
  'Mcp-Session-Id is invalid',
  'No transport found for sessionId',
  'no session with id x',
  'Could not find session',
  'Session not found or expired',
  'Unknown Mcp-Session-Id: 42',
  'session belongs to another instance',
  'Session is owned by a different worker',
  'Session has timed out',
  'Server must be initialized',
])('"%s" says that the session is lost', (text) => {
  expect(saysSessionLost(text)).toBe(true);
});

test.each([
  'Only one SSE stream is allowed per session',
  'Invalid event ID format',
  'malformed Last-Event-ID',
  'The Last-Event-ID header refers to a session with a different session ID.',
  'The specified event ID is either invalid or expired.',
  'Bad Request: event is no longer available',
  'failed to replay events',
  'Invalid Request: request id was used before',
  'Bad Request: session id required',
  'Missing session ID',
  'Bad Request: Unsupported protocol version',
  'Invalid Request: initialize is not allowed here',
  'Bad Request: a stream for this session already exists',
  'Conflict: a stream is already open for this session',
  'stream ID conflicts with ongoing stream',
  'Server already initialized',
  'child process exited',
  'not found',
  'Too many sessions',
  'Your session has expired, please log in again',
  'Database not initialized',
  'Invalid session token',
  'Terminal session not found',
  'tool session_list is unknown to this server',
  '',
])('"%s" does not', (text) => {
  expect(saysSessionLost(text)).toBe(false);
});

describe('in JSON', () => {
  const error = (code: number, message: string) => ({ jsonrpc: '2.0', id: 1, error: { code, message } });

  test.each([
    [error(-32001, 'Session not found')],
    [error(-32600, 'Session not found')],
    [error(-32004, 'Session not found')],
    [error(-32002, 'Server not initialized')],
    [error(-32603, 'upstream ledger: Session not found')],
    [{ error: 'Session not found' }],
    [{ error: { code: 'SESSION_NOT_FOUND', message: 'gone' } }],
    [{ detail: 'Session not found' }],
    ['Session not found'],
    [{ jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: 'MCP session not found' }] } }],
  ])('%j says so', (value) => {
    expect(jsonSaysSessionLost(value)).toBe(true);
  });

  test.each([
    [error(-32601, 'Session not found')],
    [error(-32602, 'session "7" not found')],
    [error(-32001, 'Request timed out')],
    [error(-32002, 'Resource not found')],
    [{ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Session not found' }] } }],
    [{ jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: 'Session not found' }] } }],
    [{ jsonrpc: '2.0', id: 4 }],
    [{ session: 'unknown' }],
    [null],
    [[]],
  ])('%j does not', (value) => {
    expect(jsonSaysSessionLost(value)).toBe(false);
  });
});

describe('a stream that is still held', () => {
  test.each([
    ['Only one SSE stream is allowed per session', 409],
    ['Bad Request: a stream for this session already exists', 400],
    ['stream ID conflicts with ongoing stream', 409],
    ['', 409],
    [null, 409],
  ])('%s with %d', (body, status) => {
    expect(saysStreamHeld(body, status)).toBe(true);
  });

  test.each([
    ['Session not found', 404],
    ['request id was used before', 400],
    ['stream already closed', 200],
    ['', 400],
    ['a stream already exists', null],
  ])('not %s with %s', (body, status) => {
    expect(saysStreamHeld(body, status)).toBe(false);
  });
});

test('a refusal of any length is read in proportion', () => {
  const started = performance.now();
  for (const text of ['session '.repeat(250), 'session a '.repeat(200), 'a'.repeat(2_000), ' '.repeat(2_000)]) {
    for (let i = 0; i < 50; i += 1) saysSessionLost(text);
  }
  expect(performance.now() - started).toBeLessThan(4_000);
});
