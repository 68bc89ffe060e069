import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CapturedHttp, emptyCapturedHttp, headerMap } from '../../src/readers/captured-http.js';
import { decodeHeader, dissect } from '../../src/readers/dissect.js';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"n":0}}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1}}';

/** A POST of a tool call, answered 200 by an event stream unless said otherwise. */
function post(given: Partial<CapturedHttp> & { request?: Record<string, string>; response?: Record<string, string> }) {
  const { request = {}, response = {}, ...rest } = given;
  const http: CapturedHttp = {
    ...emptyCapturedHttp('entry 1', 'client', 'https://h.test/mcp'),
    method: 'POST',
    status: 200,
    requestHeaders: headerMap(Object.entries({ 'Mcp-Session-Id': 'S1', ...request })),
    responseHeaders: headerMap(Object.entries({ 'Content-Type': 'text/event-stream', ...response })),
    requestBody: CALL,
    endState: 'complete',
    ...rest,
  };
  return dissect(http, { keepBodies: false });
}

const brief = (events: ReturnType<typeof post>['events']) => events.map(({ eventId, cursor }) => [eventId, cursor]);

describe('headers', () => {
  test('sessions, cursor, version and era are read whatever the case of their names', () => {
    const { exchange } = post({
      request: {
        'LAST-EVENT-ID': 'e140',
        'mcp-protocol-version': '2025-11-25',
        'Content-Type': 'Application/JSON; charset=utf-8',
      },
      response: { 'mcp-session-id': 'S2' },
    });
    expect(exchange).toMatchObject({
      requestSession: 'S1',
      responseSession: 'S2',
      lastEventId: 'e140',
      protocolVersion: '2025-11-25',
      era: 'sessions',
      requestType: 'application/json',
      responseType: 'text/event-stream',
    });
  });

  test('headers that were not recorded are not taken for absent ones', () => {
    const { exchange } = post({ requestHeaders: null, responseHeaders: null });
    expect(exchange).toMatchObject({ sawRequestHeaders: false, sawResponseHeaders: false, requestSession: null });
  });

  test('the stateless era names method and tool in headers, base64 where they are not ASCII', () => {
    const { exchange } = post({
      request: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': '=?base64?cHLDvGZl?=' },
      requestBody: null,
    });
    expect(exchange).toMatchObject({ era: 'stateless', rpcMethod: 'tools/call', tool: 'prüfe', rpcId: null });
    expect(decodeHeader('plain')).toBe('plain');
  });

  test('a traceparent gives trace and span', () => {
    const { exchange } = post({ request: { traceparent: '00-3e2f9ea0917579208f7e90f322d30caf-d21722d02d22bb5a-01' } });
    expect(exchange).toMatchObject({ traceId: '3e2f9ea0917579208f7e90f322d30caf', spanId: 'd21722d02d22bb5a' });
  });

  test('status 0 and -1 are no status', () => {
    expect(post({ status: 0 }).exchange.status).toBe(null);
    expect(post({ status: -1 }).exchange.status).toBe(null);
  });

  test('an Idempotency-Key header counts for the call', () => {
    expect(post({ request: { 'Idempotency-Key': 'k' } }).messages[0]?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('bodies', () => {
  test('the call is that of the first request', () => {
    const { exchange, messages } = post({ responseBody: `data: ${RESULT}\n\n` });
    expect(exchange).toMatchObject({ rpcMethod: 'tools/call', rpcId: '1', tool: 'run', endState: 'complete' });
    expect(messages.map(({ ordinal, sender, kind, eventOrdinal }) => [ordinal, sender, kind, eventOrdinal])).toEqual([
      [0, 'client', 'request', null],
      [1, 'server', 'result', 0],
    ]);
  });

  test('bytes decide what a body is, not its content type', () => {
    const json = post({ responseBody: RESULT });
    expect([json.events.length, json.messages.length]).toEqual([0, 2]);
    const sse = post({ responseBody: `id: y1\ndata: ${RESULT}\n\n`, response: { 'Content-Type': 'application/json' } });
    expect([sse.events.length, sse.messages.length]).toEqual([1, 2]);
  });

  test('a batch in one event is several messages', () => {
    const { events, messages } = post({ responseBody: `id: z1\ndata: [${RESULT},${PROGRESS}]\n\n` });
    expect([events.length, messages.length]).toEqual([1, 3]);
  });

  test('data that is no JSON-RPC stays an event, and the real answer is still found', () => {
    const { events, messages } = post({ responseBody: `data: oops\n\ndata: {"a":1}\n\ndata:\n\ndata: ${RESULT}\n\n` });
    expect(events).toHaveLength(4);
    expect(messages.slice(1).map(({ kind }) => kind)).toEqual(['invalid', 'invalid', 'result']);
  });

  test('nesting beyond the limit costs that event only', () => {
    const { events, messages } = post({ responseBody: `data: ${'['.repeat(40_000)}\n\ndata: ${RESULT}\n\n` });
    expect(events).toHaveLength(2);
    expect(messages.map(({ kind }) => kind)).toEqual(['request', 'invalid', 'result']);
  });

  test('initialize tells version and peers', () => {
    const { exchange } = post({
      requestBody:
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"}}}',
      responseBody:
        '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"2"}}}',
    });
    expect(exchange).toMatchObject({
      protocolVersion: '2025-06-18',
      era: 'sessions',
      clientInfo: 'c 1',
      serverInfo: 's 2',
    });
  });

  test('the text of messages is kept only when asked for', () => {
    expect(post({ responseBody: RESULT }).messages.map(({ text }) => text)).toEqual([null, null]);
  });
});

describe('events', () => {
  test('an id alone moves the cursor but is no event', () => {
    const { exchange, events } = post({ responseBody: `id: k1\ndata: ${PROGRESS}\n\nid: k9\n\n` });
    expect(brief(events)).toEqual([['k1', 'k1']]);
    expect(exchange.lastCursor).toBe('k9');
  });

  test('what no blank line ended is kept as incomplete, and its message was never delivered', () => {
    const { exchange, events, messages } = post({
      responseBody: `id: t1\ndata: ${PROGRESS}\n\nid: t2\ndata: ${RESULT}\n`,
    });
    expect(events.map(({ eventId, cursor, complete }) => [eventId, cursor, complete])).toEqual([
      ['t1', 't1', true],
      ['t2', 't1', false],
    ]);
    expect(messages).toHaveLength(2);
    expect(exchange.endState).toBe('truncated');
  });

  test('recorded ids are sticky: a repeated one is no new id', () => {
    const event = (id: string, atNs: bigint, data: string | null) => ({ id, atNs, data, type: 'message' });
    const recordedEvents = [event('7', 1n, PROGRESS), event('8', 2n, null), event('8', 3n, PROGRESS)];
    const { exchange, events, messages } = post({ recordedEvents, endState: 'client-aborted' });
    expect(brief(events)).toEqual([
      ['7', '7'],
      ['8', '8'],
      [null, '8'],
    ]);
    expect(events.map(({ dataDigest }) => dataDigest === null)).toEqual([false, true, false]);
    expect(messages.at(-1)).toMatchObject({ eventOrdinal: 2, atNs: 3n });
    expect(exchange).toMatchObject({ endState: 'client-aborted', sawEvents: true });
  });

  test('times of recorded events are given to the events of the body when they are the same', () => {
    const responseBody = `id: 1\ndata: ${PROGRESS}\n\nid: 2\ndata: ${RESULT}\n\n`;
    const event = (id: string, atNs: bigint) => ({ id, atNs, data: null, type: null });
    const same = post({ responseBody, recordedEvents: [event('1', 5n), event('2', 6n)] });
    expect(same.events.map(({ atNs }) => atNs)).toEqual([5n, 6n]);
    const other = post({ responseBody, recordedEvents: [event('1', 5n), event('3', 6n)] });
    expect(other.events.map(({ atNs }) => atNs)).toEqual([null, null]);
  });

  test('a body that was not recorded is not one without events', () => {
    expect(post({ responseBody: null }).exchange).toMatchObject({ sawEvents: false, sawResponseBody: false });
    expect(post({ responseBody: '' }).exchange).toMatchObject({ sawEvents: true, sawResponseBody: true });
  });
});

describe('how an exchange ended', () => {
  const end = (responseBody: string | Uint8Array, given: Parameters<typeof post>[0] = {}) =>
    post({ responseBody, ...given }).exchange.endState;

  test.each([
    ['its answer arrived', `data: ${RESULT}\n\n`, 'complete'],
    ['on a CR', `id: t1\rdata: ${RESULT}\r\r`, 'complete'],
    ['inside JSON', `id: t1\ndata: ${PROGRESS}\n\nid: t2\ndata: {"json`, 'truncated'],
    ['after the priming event', 'id: t0\nretry: 2500\ndata:\n\n', 'polling'],
    ['with a retry after an id', `id: t0\ndata: ${PROGRESS}\n\nretry: 500\n\n`, 'polling'],
    ['without id or retry', `data: ${PROGRESS}\n\n`, 'complete'],
    ['answered although it was primed', `id: t0\ndata:\n\nid: t1\ndata: ${RESULT}\n\n`, 'complete'],
    ['with a cut JSON body', RESULT.slice(0, 20), 'truncated'],
  ])('%s', (_, body, expected) => {
    expect(end(body)).toBe(expected);
  });

  test('inside a character', () => {
    expect(end(Buffer.from('data: {"a":"😀').subarray(0, -2))).toBe('truncated');
  });

  test('the stateless era has no polling', () => {
    expect(end('id: t0\ndata:\n\n', { request: { 'MCP-Protocol-Version': '2026-07-28' } })).toBe('complete');
  });

  test('a cut that the recorder made is not the stream’s', () => {
    expect(end('id: t1\ndata: {"json', { responseBodyCut: true })).toBe('complete');
  });

  test('what the source says of an abort stands', () => {
    expect(end('id: t1\ndata: {"json', { endState: 'client-aborted' })).toBe('client-aborted');
    expect(end('id: t1\ndata: {"json', { endState: 'open' })).toBe('open');
  });

  test('an end that the source does not tell is told by a whole answer', () => {
    expect(end(RESULT, { endState: 'unknown' })).toBe('complete');
    expect(end(`data: ${RESULT}\n\n`, { endState: 'unknown' })).toBe('complete');
    expect(end(`data: ${PROGRESS}\n\n`, { endState: 'unknown' })).toBe('unknown');
  });
});

describe('refusals', () => {
  test('a lost session is seen in JSON-RPC, in other JSON, in plain text and in an event', () => {
    for (const responseBody of [
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Session not found"}}',
      '{"error":"Session not found"}',
      'Unauthorized: Session not found',
      'event: message\ndata: {"error":"Session not found"}\n\n',
      'data: Session not found\n\n',
    ]) {
      expect(post({ responseBody }).exchange.lossInBody).toBe(true);
    }
  });

  test('a request that named no session cannot have lost it', () => {
    const requestHeaders = headerMap([['accept', '*/*']]);
    const { exchange, messages } = post({ requestHeaders, responseBody: '{"error":"Session not found"}' });
    expect(exchange.lossInBody).toBe(false);
    expect(messages.some(({ lossSignal }) => lossSignal)).toBe(false);
  });

  test('what a client writes is no loss', () => {
    expect(post({ requestBody: '{"error":"Session not found"}', responseBody: '' }).exchange.lossInBody).toBe(false);
  });

  test('a held stream is told only to those who asked for it', () => {
    const responseBody = 'Conflict: a stream is already open for this session';
    expect(post({ method: 'GET', status: 409, requestBody: null, responseBody }).exchange.streamHeld).toBe(true);
    expect(post({ status: 409, responseBody }).exchange.streamHeld).toBe(false);
  });
});

test('no bytes make it throw, and what it says of events agrees with itself', () => {
  const token = fc.constantFrom(
    'id: 1',
    'data: {"jsonrpc":"2.0","id":1,"result":{}}',
    'data',
    '\n',
    '\r\n',
    ':',
    '{',
    ']',
    '"',
    '\uFEFF',
    'é',
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(token, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(body, body, (requestBody, responseBody) => {
      const { exchange, events, messages } = post({ requestBody, responseBody });
      expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, i) => i));
      expect(messages.map(({ ordinal }) => ordinal)).toEqual(messages.map((_, i) => i));
      for (const { eventOrdinal } of messages)
        expect(eventOrdinal === null || events[eventOrdinal]?.complete).toBe(true);
      if (events.some(({ complete }) => !complete)) expect(exchange.endState).toBe('truncated');
    }),
    { numRuns: 2_000 },
  );
});
