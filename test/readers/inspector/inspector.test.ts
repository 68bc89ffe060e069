import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { collectPath } from '../../support/collect.js';

const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fetched(change: Record<string, unknown> = {}) {
  return {
    id: '1',
    timestamp: '2026-11-16T14:00:00.042Z',
    method: 'POST',
    url: 'https://mcp.example.test/mcp',
    requestHeaders: { authorization: '[REDACTED]', 'mcp-session-id': 's-1' },
    requestBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } }),
    responseStatus: 200,
    responseHeaders: { 'content-type': 'application/json', 'mcp-session-id': 's-1' },
    responseBody: '{"jsonrpc":"2.0","id":1,"result":{}}',
    duration: 21,
    category: 'transport',
    ...change,
  };
}

let count = 0;
async function read(content: unknown) {
  count += 1;
  const path = join(folder, `${count}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return collectPath(path);
}

const SSE = { responseHeaders: { 'content-type': 'text/event-stream' }, responseBody: undefined };

describe('the network export of the MCP Inspector', () => {
  it('is read with sessions, bodies and times', async () => {
    const { captures, summary } = await read([fetched()]);
    expect(captures[0]?.exchange).toMatchObject({
      locator: 'entry 0',
      vantage: 'client',
      requestSession: 's-1',
      responseSession: 's-1',
      status: 200,
      tool: 'x',
      startedNs: 1_794_837_600_042_000_000n,
      endedNs: 1_794_837_600_063_000_000n,
      endState: 'complete',
    });
    expect(summary).toMatchObject({ format: 'inspector', records: 1 });
  });

  it.each([
    [{ ...SSE, method: 'GET' }, 'unknown'],
    [{ responseStatus: undefined, responseBody: undefined, error: 'fetch failed' }, 'truncated'],
    [{ responseStatus: undefined, responseBody: undefined, error: 'The operation was aborted' }, 'client-aborted'],
    [{ responseStatus: undefined, responseBody: undefined, error: 'request timed out' }, 'timed-out'],
    [{ responseStatus: undefined, responseBody: undefined }, 'open'],
  ])('%j ends %s', async (change, expected) => {
    expect((await read([fetched(change)])).captures[0]?.exchange.endState).toBe(expected);
  });

  it('does not know when a stream ended: its duration ends with the headers', async () => {
    const { captures } = await read([fetched({ ...SSE, duration: 9 })]);
    expect(captures[0]?.exchange.endedNs).toBeNull();
  });

  it('takes a redacted credential for one that was not recorded', async () => {
    const { captures, summary } = await read([fetched()]);
    expect(captures[0]?.exchange.principal).toBeNull();
    expect(summary?.evidence).not.toContain('principal');
  });

  it('skips requests that are not MCP and keeps what can be read beside what cannot', async () => {
    const token = fetched({
      url: 'https://login.example.test/token',
      requestHeaders: {},
      responseHeaders: {},
      requestBody: 'a=b',
      responseBody: '{}',
    });
    const got = await read([fetched(), token, null, { ...fetched(), url: 7 }, fetched()]);
    expect([got.captures.length, got.skipped]).toEqual([2, 1]);
    expect(got.rejects.map(({ locator }) => locator)).toEqual(['entry 2', 'entry 3']);
  });

  it('that breaks off keeps its complete entries', async () => {
    const text = JSON.stringify([fetched(), fetched(), fetched()]);
    const got = await read(text.slice(0, text.length - 50));
    expect([got.captures.length, got.rejects.length]).toEqual([2, 1]);
    expect(got.summary?.warnings.join()).toContain('ends inside');
  });
});
