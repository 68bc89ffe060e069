import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { collectPath } from '../../support/collect.js';

const folder = mkdtempSync(join(tmpdir(), 'mcpsnoop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
async function read(content: string) {
  count += 1;
  const path = join(folder, `${count}.json`);
  writeFileSync(path, content);
  return collectPath(path);
}

const entry = (url: string, status: number, content: unknown) => ({
  startedDateTime: '2026-11-16T13:00:00.125000Z',
  time: 41.5,
  request: { method: 'POST', url, headers: [], postData: { text: '{"name":"open_ticket","arguments":{"title":"a"}}' } },
  response: { status, headers: [], content: { text: content === undefined ? undefined : JSON.stringify(content) } },
});

describe('a HAR that mcpsnoop made', () => {
  const url = 'mcp://ticket-server/tools/call/open_ticket';
  const har = (entries: unknown[]) =>
    JSON.stringify({ log: { version: '1.2', creator: { name: 'mcpsnoop', version: '0.9.0' }, entries } });

  it('is read for its calls, and for nothing that it invents', async () => {
    const { captures, summary } = await read(
      har([entry(url, 200, { content: [] }), entry(url, 500, { code: -32603 }), entry(url, 0, undefined)]),
    );
    expect(summary).toMatchObject({ format: 'mcpsnoop', producer: 'mcpsnoop 0.9.0', evidence: ['bodies'], records: 3 });
    expect(
      captures.map(({ exchange }) => [exchange.rpcMethod, exchange.tool, exchange.status, exchange.endState]),
    ).toEqual([
      ['tools/call', 'open_ticket', null, 'complete'],
      ['tools/call', 'open_ticket', null, 'complete'],
      ['tools/call', 'open_ticket', null, 'unknown'],
    ]);
    expect(captures.map(({ messages }) => messages.map((message) => message.kind))).toEqual([
      ['request', 'result'],
      ['request', 'error'],
      ['request'],
    ]);
    for (const { exchange, events } of captures) {
      expect([exchange.requestSession, exchange.sawRequestHeaders, exchange.sawResponseHeaders, events.length]).toEqual(
        [null, false, false, 0],
      );
    }
    expect(new Set(captures.map(({ exchange }) => exchange.rpcId)).size).toBe(3);
  });
});

describe('frames that mcpsnoop recorded', () => {
  const frame = (seq: number, direction: string, raw: unknown) =>
    JSON.stringify({ session_id: 'c1', seq, ts: `2026-11-16T13:00:0${seq}.000Z`, direction, transport: 'http', raw });
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'noop', arguments: {} } };

  it('join a call and its answer, whether raw is text or JSON', async () => {
    const got = await read(
      [
        frame(0, 'client_to_server', JSON.stringify(request)),
        frame(1, 'server_to_client', {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 1, progress: 1 },
        }),
        frame(2, 'server_to_client', { jsonrpc: '2.0', id: 1, result: {} }),
        frame(3, 'client_to_server', { ...request, id: '1' }),
        '{"broken',
      ].join('\n'),
    );
    expect(
      got.captures.map(({ exchange }) => [exchange.locator, exchange.tool, exchange.rpcId, exchange.endState]),
    ).toEqual([
      ['line 1', 'noop', '1', 'complete'],
      ['line 4', 'noop', '"1"', 'unknown'],
    ]);
    expect(got.captures[0]?.exchange.endedNs).toBe(got.captures[0]!.exchange.startedNs! + 2_000_000_000n);
    expect([got.skipped, got.rejects.map(({ locator }) => locator), got.summary?.records]).toEqual([1, ['line 5'], 5]);
    expect(got.summary).toMatchObject({ format: 'mcpsnoop', evidence: ['bodies'] });
  });
});
