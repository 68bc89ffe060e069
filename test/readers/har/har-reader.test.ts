import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { undoWindows1252 } from '../../../src/readers/har/mojibake.js';
import type { ReaderOptions } from '../../../src/readers/reader.js';
import { type Collected, collectPath, NO_OPTIONS } from '../../support/collect.js';

const folder = mkdtempSync(join(tmpdir(), 'har-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Json = Record<string, unknown>;

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'noop', arguments: {} } };

function entry(change: { entry?: Json; request?: Json; response?: Json; content?: Json; type?: string } = {}): Json {
  const type = change.type ?? 'application/json';
  return {
    startedDateTime: '2026-11-20T08:00:00.100Z',
    time: 5,
    request: {
      method: 'POST',
      url: 'https://mcp.example.test/mcp',
      headers: [{ name: 'mcp-session-id', value: 's-1' }],
      postData: { mimeType: 'application/json', text: JSON.stringify(call) },
      ...change.request,
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: type }],
      content: { mimeType: type, ...change.content },
      ...change.response,
    },
    ...change.entry,
  };
}

const har = (entries: unknown[], creator: unknown = { name: 'WebInspector', version: '537.36' }) => ({
  log: { version: '1.2', creator, entries },
});

let count = 0;
async function read(content: unknown, options: Partial<ReaderOptions> = {}): Promise<Collected> {
  count += 1;
  const path = join(folder, `${count}.har`);
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return collectPath(path, { ...NO_OPTIONS, ...options });
}

async function one(content: unknown, options: Partial<ReaderOptions> = {}) {
  const { captures, rejects } = await read(content, options);
  expect(rejects).toEqual([]);
  return captures[0]!;
}

describe('a HAR entry', () => {
  it('is named by its place in log.entries, also when others are skipped or refused', async () => {
    const shop = entry({ request: { url: 'https://shop.example.test/cart', headers: [], postData: null } });
    const got = await read(har([shop, entry(), null, 'x', { request: 1 }, { request: {} }, entry()]));
    expect(got.captures.map((capture) => capture.exchange.locator)).toEqual(['entry 1', 'entry 6']);
    expect(got.skipped).toBe(1);
    expect(got.rejects.map(({ locator }) => locator)).toEqual(['entry 2', 'entry 3', 'entry 4', 'entry 5']);
    for (const { reason } of got.rejects) expect(reason).toMatch(/byte \d+/);
    expect(got.summary?.records).toBe(7);
  });

  it('that is no JSON is refused without being quoted', async () => {
    const good = JSON.stringify(entry());
    const got = await read(`{"log":{"version":"1.2","entries":[${good},{"secret":tru},${good}]}}`);
    expect(got.captures).toHaveLength(2);
    expect(got.rejects).toHaveLength(1);
    expect(JSON.stringify(got.rejects)).not.toContain('tru}');
  });

  it('without a marker counts when the endpoint is known to speak MCP, before or after', async () => {
    const bare = entry({
      request: { method: 'GET', headers: [], postData: null },
      response: { status: 405, headers: [] },
    });
    const got = await read(har([bare, entry(), bare]));
    expect(got.captures.map((capture) => capture.exchange.status)).toEqual([405, 200, 405]);
  });

  it('that a page fetched through a service worker is a duplicate of the fetch on the wire, and alone it is kept', async () => {
    const page = entry({ response: { _fetchedViaServiceWorker: true } });
    expect((await read(har([page, entry()]))).duplicates).toBe(1);
    const alone = await read(har([page]));
    expect([alone.captures.length, alone.duplicates]).toEqual([1, 0]);
  });
});

describe('times of a HAR', () => {
  const startOf = async (text: unknown, zone: string | null = null) => {
    const { exchange } = await one(har([entry({ entry: { startedDateTime: text } })]), { zone });
    return exchange.startedNs;
  };
  const MORNING = BigInt(Date.UTC(2026, 10, 20, 8)) * 1_000_000n;

  it.each([
    ['2026-11-20T08:00:00Z', MORNING],
    ['2026-11-20T08:00:00.123Z', MORNING + 123_000_000n],
    ['2026-11-20T10:00:00.000+02:00', MORNING],
    ['2026-11-20T13:30:00.000+0530', MORNING],
    ['2026-11-20T01:00:00-07', MORNING],
    ['2026-11-20T08:00:00.1234567Z', MORNING + 123_456_700n],
    ['2026-11-20T08:00:00.738167+00:00', MORNING + 738_167_000n],
    ['2026-11-20 08:00:00', MORNING],
    ['1970-01-01T00:00:00.000Z', 0n],
    ['1969-12-31T23:59:59.000Z', null],
    ['2262-04-11T23:47:17.000Z', null],
    ['9999-12-31T23:59:59.999Z', null],
    ['yesterday', null],
    ['', null],
    [null, null],
    [{}, null],
  ])('%j is read', async (text, expected) => {
    expect(await startOf(text)).toBe(expected);
  });

  it('without a zone are UTC with a warning, or in the zone that is given', async () => {
    const content = har([entry({ entry: { startedDateTime: '2026-07-01T10:00:00.000' } })]);
    const noon = BigInt(Date.UTC(2026, 6, 1, 10)) * 1_000_000n;
    const utc = await read(content);
    expect(utc.captures[0]?.exchange.startedNs).toBe(noon);
    expect(utc.summary?.warnings.join()).toContain('--zone');
    for (const zone of ['+02:00', '+0200', 'Europe/Berlin']) {
      const zoned = await read(content, { zone });
      expect(zoned.captures[0]?.exchange.startedNs).toBe(noon - 7_200_000_000_000n);
      expect(zoned.summary?.warnings.join()).not.toContain('--zone');
    }
    await expect(read(content, { zone: 'Middle/Earth' })).rejects.toMatchObject({ code: 'usage' });
  });

  it('never give an end before the start', async () => {
    for (const time of [-1, -250, null, 'NaN', 1e300]) {
      const { exchange } = await one(har([entry({ entry: { time } })]));
      expect(exchange.endedNs).toBeNull();
    }
  });

  it('that jump back by half a day are remarked upon', async () => {
    const at = (startedDateTime: string) => entry({ entry: { startedDateTime } });
    const got = await read(har([at('2026-11-20T12:59:59.000Z'), at('2026-11-20T01:00:00.000Z')]));
    expect(got.summary?.warnings.join()).toContain('12-hour clock');
  });
});

describe('the end of a HAR entry', () => {
  const SSE = 'text/event-stream';
  const end = async (creator: string, change: Parameters<typeof entry>[0]) =>
    (await one(har([entry(change)], { name: creator, version: '1' }))).exchange.endState;
  const answer = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`;

  it.each([
    ['WebInspector', { type: SSE, content: { size: 60, text: answer } }, 'complete'],
    [
      'WebInspector',
      { type: SSE, content: { size: 9 }, response: { _error: 'net::ERR_INCOMPLETE_CHUNKED_ENCODING' } },
      'truncated',
    ],
    [
      'WebInspector',
      { type: SSE, content: { size: 9 }, response: { _error: 'net::ERR_HTTP2_PROTOCOL_ERROR' } },
      'truncated',
    ],
    ['WebInspector', { type: SSE, content: { size: 9 }, response: { _error: 'net::ERR_ABORTED' } }, 'client-aborted'],
    ['WebInspector', { type: SSE, content: { size: 9 }, response: { _error: 'net::ERR_TIMED_OUT' } }, 'timed-out'],
    ['WebInspector', { type: SSE, content: { size: 9 }, response: { _error: null } }, 'open'],
    ['WebInspector', { response: { status: 0, _error: 'net::ERR_EMPTY_RESPONSE' } }, 'truncated'],
    ['WebInspector', { response: { status: 0, _error: null } }, 'open'],
    [
      'Playwright',
      { type: SSE, content: { size: -1 }, response: { _failureText: 'net::ERR_ABORTED' } },
      'client-aborted',
    ],
    ['Playwright', { type: SSE, content: { size: -1 } }, 'open'],
    ['Playwright', { response: { status: -1, _failureText: 'net::ERR_EMPTY_RESPONSE' } }, 'truncated'],
    ['mitmproxy', { type: SSE, content: { size: 0, text: '' } }, 'unknown'],
    ['mitmproxy', { response: { status: 0, content: {}, _error: 'server disconnected' } }, 'truncated'],
    ['mitmproxy', { response: { status: 0, content: {}, _error: 'Client disconnected.' } }, 'client-aborted'],
    ['mitmproxy', { response: { status: 0, content: {}, _error: null } }, 'open'],
    ['Firefox', { type: SSE, content: { size: 9, comment: 'Response bodies are not included.' } }, 'unknown'],
    ['Firefox', { response: { status: 0 } }, 'unknown'],
    ['WebKit Web Inspector', { response: { status: 0, _error: 'The network connection was lost.' } }, 'truncated'],
    ['WebKit Web Inspector', { type: SSE, content: { size: 9, encoding: 'base64' } }, 'unknown'],
    ['Charles Proxy', { entry: { _charlesStatus: 'FAILED' }, response: { status: -1 } }, 'truncated'],
  ] as const)('%s %j is %s', async (creator, change, expected) => {
    expect(await end(creator, change as Parameters<typeof entry>[0])).toBe(expected);
  });

  it('is not taken from the time of a Playwright entry that covers the headers alone', async () => {
    const change = { type: SSE, content: { size: -1 }, response: { _failureText: 'net::ERR_ABORTED' } };
    const cut = await one(har([entry(change)], { name: 'Playwright', version: '1' }));
    expect(cut.exchange.endedNs).toBeNull();
  });
});

describe('the body of a HAR entry', () => {
  const SSE = 'text/event-stream';
  const frame = (text: string) => `id: 1\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text } })}\n\n`;

  it('that was decoded as windows-1252 is undone exactly when it round-trips', () => {
    const asWindows1252 = (bytes: Uint8Array) =>
      Array.from(bytes, (byte) => (byte >= 0x80 && byte < 0xa0 ? HIGH[byte - 0x80]! : String.fromCharCode(byte))).join(
        '',
      );
    const HIGH = [
      ...'\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178',
    ];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const bytes = Buffer.from(text);
        const isAscii = bytes.length === text.length;
        expect(undoWindows1252(asWindows1252(bytes))?.toString() ?? null).toBe(isAscii ? null : text);
      }),
    );
    for (const genuine of ['é', 'naïve', '日本', 'Ã', '\ud800']) expect(undoWindows1252(genuine)).toBeNull();
  });

  it('in base64 is decoded, gzip that a proxy could not undo too', async () => {
    const text = frame('😀');
    const base64 = { content: { encoding: 'base64', text: Buffer.from(text).toString('base64') }, type: SSE };
    expect((await one(har([entry(base64)]))).events).toHaveLength(1);
    const raw = { ...base64, content: { encoding: 'base64', text: gzipSync(text).toString('base64') } };
    const headers = [
      { name: 'content-type', value: SSE },
      { name: 'content-encoding', value: 'gzip' },
    ];
    expect((await one(har([entry({ ...raw, response: { headers } })]))).events).toHaveLength(1);
  });

  it('that is empty where a stream was passed through is not observed, and observed where the answer has none', async () => {
    const seen = async (creator: string, change: Parameters<typeof entry>[0]) => {
      const { exchange } = await one(har([entry(change)], { name: creator, version: '1' }));
      return [exchange.sawResponseBody, exchange.sawEvents];
    };
    const empty = { size: 0, text: '' };
    expect(await seen('mitmproxy', { type: SSE, content: empty })).toEqual([false, false]);
    expect(await seen('mitmproxy', { content: empty })).toEqual([false, false]);
    expect((await seen('mitmproxy', { content: empty, response: { status: 202, content: empty } }))[0]).toBe(true);
    expect((await seen('WebInspector', { type: SSE, content: empty }))[0]).toBe(true);
    expect(await seen('Firefox', { type: SSE, content: { size: 12 } })).toEqual([false, false]);
  });

  it('of a cut Chrome stream of which no byte came is an observed absence of events', async () => {
    const change = { type: SSE, content: { size: 0 }, response: { _error: 'net::ERR_ABORTED' } };
    const { exchange, events } = await one(har([entry(change)]));
    expect([exchange.sawEvents, events.length]).toEqual([true, 0]);
  });
});

describe('a HAR file', () => {
  it('may be several files joined', async () => {
    const text = JSON.stringify(har([entry(), entry()]));
    const got = await read(`${text}\n${text}`);
    expect(got.captures.map((capture) => capture.exchange.locator)).toEqual([
      'entry 0',
      'entry 1',
      'entry 2',
      'entry 3',
    ]);
  });

  it('may name its creator after its entries', async () => {
    const got = await read({ log: { entries: [entry()], creator: { name: 'mitmproxy', version: '12' } } });
    expect(got.summary).toMatchObject({ producer: 'mitmproxy 12', vantage: 'proxy' });
    expect(got.captures[0]?.exchange.vantage).toBe('proxy');
  });

  it('has the vantage that is asked for', async () => {
    const got = await read(har([entry()]), { vantage: 'server' });
    expect([got.summary?.vantage, got.captures[0]?.exchange.vantage]).toEqual(['server', 'server']);
  });

  it('in gzip that breaks off gives its complete entries and one reject', async () => {
    const text = JSON.stringify(har(Array.from({ length: 400 }, (_, i) => entry({ entry: { time: i } }))));
    const packed = gzipSync(text);
    const got = await read(packed.subarray(0, packed.length - 200));
    expect(got.captures.length).toBeGreaterThan(50);
    expect(got.rejects).toHaveLength(1);
    expect(got.summary?.warnings.join()).toContain('ends early');
  });

  it('claims as evidence only what it shows', async () => {
    const bare = entry({ request: { headers: [] }, response: { status: 0, headers: [], content: {} } });
    expect((await read(har([bare], { name: 'x' }))).summary?.evidence).toEqual(['bodies']);
  });

  it('with headers in any form gives the same exchange', async () => {
    const forms = [
      [{ name: 'MCP-Session-Id', value: 's-9' }],
      [['Mcp-Session-Id', 's-9']],
      { 'mcp-session-id': 's-9' },
      { 'mcp-session-id': ['s-9'] },
    ];
    for (const headers of forms) {
      expect((await one(har([entry({ request: { headers } })]))).exchange.requestSession).toBe('s-9');
    }
  });
});
