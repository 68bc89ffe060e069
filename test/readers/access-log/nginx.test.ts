import { describe, expect, it } from 'vitest';
import { ms, readLog, readOne } from './lines.js';

const COMBINED = '10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "mcp-client/2.0"';

describe('nginx text', () => {
  it('never takes a 200 for a clean end', async () => {
    expect(await readOne(`${COMBINED}\n`)).toMatchObject({ status: 200, endState: 'unknown', endReason: null });
  });

  it('reads 499 and an unfinished request as a client that left', async () => {
    const left = COMBINED.replace(' 200 ', ' 499 ');
    expect(await readOne(`${left}\n`)).toMatchObject({ endState: 'client-aborted', endReason: '499' });
    expect(await readOne(`${COMBINED} sid="a" rc=""\n`)).toMatchObject({ endState: 'client-aborted' });
    expect(await readOne(`${COMBINED} sid="a" rc="OK"\n`)).toMatchObject({ endState: 'unknown' });
  });

  it('says of headers that were not logged that they were not seen', async () => {
    const exchange = await readOne(`${COMBINED}\n`);
    expect(exchange).toMatchObject({ sawRequestHeaders: false, sawResponseHeaders: false, requestSession: null });
  });

  it('tells a header that was not sent from one that was sent empty', async () => {
    expect((await readOne(`${COMBINED} sid="-" rsid=""\n`)).requestSession).toBeNull();
    expect((await readOne(`${COMBINED} sid="" rsid="-"\n`)).requestSession).toBe('');
  });

  it('counts back from the time of writing to the start', async () => {
    const exchange = await readOne(`${COMBINED} rt=0.619 sid="a" msec=1794992400.745\n`);
    expect(exchange.endedNs).toBe(1_794_992_400_745_000_000n);
    expect(exchange.startedNs).toBe(1_794_992_400_126_000_000n);
    expect(exchange.precisionNs).toBe(1_000_000n);
  });

  it('keeps whole seconds as such, with their offset', async () => {
    const exchange = await readOne(`${COMBINED.replace('+0000', '+0130')}\n`);
    expect(ms(exchange.endedNs)).toBe(Date.UTC(2026, 10, 18, 6, 30, 1));
    expect(exchange.precisionNs).toBe(1_000_000_000n);
  });

  it('drops tries that reached no instance: a dash, the name of a group', async () => {
    const line = `${COMBINED} sid="a" ua="mcp_pool : 10.0.2.13:8080, unix:/run/mcp.sock" us="502 : 503, 200"\n`;
    const exchange = await readOne(line);
    expect(exchange.backends).toEqual(['10.0.2.13:8080', 'unix:/run/mcp.sock']);
    expect(exchange.backendStatuses).toEqual([503, 200]);
  });

  it('reads the form with forwarded addresses and one with the name of the host in front', async () => {
    expect(await readOne(`${COMBINED} "203.0.113.7"\n`)).toMatchObject({ client: '10.0.1.9' });
    expect(await readOne(`mcp.example.test:443 ${COMBINED}\n`)).toMatchObject({ client: '10.0.1.9', status: 200 });
  });

  it('passes over requests that are not MCP, and counts them', async () => {
    const others = [
      COMBINED.replace('/mcp', '/static/app.js'),
      COMBINED.replace('POST /mcp HTTP/1.1', '\\x16\\x03\\x01'),
      COMBINED.replace('POST /mcp HTTP/1.1', ''),
      COMBINED.replace('POST', 'OPTIONS'),
    ];
    const { exchanges, collected } = await readLog(`${[COMBINED, ...others].join('\n')}\n`);
    expect([exchanges.length, collected.skipped, collected.rejects.length]).toEqual([1, 4, 0]);
  });

  it('learns from one request with a session that its path is an MCP endpoint', async () => {
    const bare = COMBINED.replace('/mcp', '/tools');
    const { exchanges } = await readLog(`${bare} sid="-"\n${bare} sid="a"\n${bare} sid="-"\n`);
    expect(exchanges.map((exchange) => exchange.requestSession)).toEqual([null, 'a', null]);
  });

  it('replaces secrets in the query', async () => {
    const { path, endpoint } = await readOne(`${COMBINED.replace('/mcp', '/mcp?token=hunter2&x=1')}\n`);
    expect(path).not.toContain('hunter2');
    expect(path).toContain('x=1');
    expect(endpoint).toBe('/mcp');
  });

  it('rejects a line that the end of the file cuts, even within its last number', async () => {
    const whole = `${COMBINED} rt=0.100 sid="a" msec=1794992400.745`;
    for (const length of [whole.length - 3, whole.length - 6, whole.length - 25, 60, 20]) {
      const { exchanges, collected } = await readLog(`${whole}\n${whole.slice(0, length)}`);
      expect([exchanges.length, collected.rejects.length], whole.slice(0, length)).toEqual([1, 1]);
      expect(collected.rejects[0]).toMatchObject({ locator: 'line 2' });
    }
    expect((await readLog(`${whole}\n${whole}`)).exchanges).toHaveLength(2);
  });
});

describe('nginx JSON', () => {
  const RECORD = {
    msec: '1794996000.377',
    cid: '71',
    rid: '562f936620c38fd24dc2541e654b7843',
    method: 'POST',
    uri: '/mcp',
    status: '200',
    rt: '0.020',
    upstream: '10.0.2.11:8080',
    us: '200',
    rc: 'OK',
    sid: 'a-session',
    rsid: '',
    leid: '',
    pv: '2025-11-25',
    tp: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };

  it('reads the recommended form, the second line as the first', async () => {
    const line = JSON.stringify(RECORD);
    const { exchanges } = await readLog(`${line}\n${line.replace('a-session', 'other')}\n`);
    expect(exchanges[1]).toMatchObject({
      requestSession: 'other',
      responseSession: null,
      lastEventId: null,
      connection: '71',
      requestId: RECORD.rid,
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      era: 'sessions',
      sawRequestHeaders: true,
    });
  });

  it('takes escapes back whichever way the line is read', async () => {
    const value = 'a "q" \\ b\n\u00e9\u{1f600}';
    const line = JSON.stringify({ ...RECORD, leid: value });
    const { exchanges } = await readLog(`${JSON.stringify(RECORD)}\n${line}\n${line}\n`);
    expect(exchanges.slice(1).map((exchange) => exchange.lastEventId)).toEqual([value, value]);
  });

  it('reads numbers that hand-made formats leave bare', async () => {
    const line = JSON.stringify(RECORD);
    const variants = [
      line.replace('"rt":"0.020"', '"rt":0.001, 0.615'),
      line.replace('"us":"200"', '"us":-'),
      line.replace('"status":"200"', '"status":200').replace('"us":"200"', '"us":'),
      line.slice(0, -1),
      line.replace('"status":"200"', '"status":null'),
    ];
    const { exchanges, collected } = await readLog(`${variants.join('\n')}\n`);
    expect(collected.rejects).toEqual([]);
    expect(exchanges.map((exchange) => exchange.status)).toEqual([200, 200, 200, 200, null]);
    expect(exchanges.every((exchange) => exchange.requestSession === 'a-session')).toBe(true);
  });

  it('rejects a line in which a key stands twice, as a forged value would have it', async () => {
    const forged = `${JSON.stringify(RECORD).slice(0, -1)},"note":"x","sid":"forged" y"}`;
    const { exchanges, collected } = await readLog(`${JSON.stringify(RECORD)}\n${forged}\n`);
    expect([exchanges.length, collected.rejects.length]).toEqual([1, 1]);
  });

  it('names method and tool of a stateless request, encoded or not', async () => {
    const line = JSON.stringify({ ...RECORD, pv: '2026-07-28', sid: '', mm: 'tools/call', mn: '=?base64?cHLDvGZl?=' });
    expect(await readOne(`${line}\n`)).toMatchObject({ era: 'stateless', rpcMethod: 'tools/call', tool: 'pr\u00fcfe' });
    const read = line.replace('tools/call', 'resources/read');
    expect(await readOne(`${read}\n`)).toMatchObject({ rpcMethod: 'resources/read', tool: null });
  });
});

describe('what counts as MCP', () => {
  const json = (more: object) =>
    `${JSON.stringify({ method: 'GET', status: 200, remote_addr: '10.0.1.9', ...more })}\n`;

  it('is not the session of a web application', async () => {
    const { exchanges, collected } = await readLog(
      json({ uri: '/shop', session_id: 'web' }) + json({ uri: '/mcp', session_id: 'm' }),
    );
    expect(exchanges.map(({ path, requestSession }) => [path, requestSession])).toEqual([['/mcp', 'm']]);
    expect(collected.skipped).toBe(1);
  });

  it('is not the event source of a web page', async () => {
    const { exchanges } = await readLog(
      json({ uri: '/news', sid: '', leid: '7' }) + json({ uri: '/mcp', sid: '', leid: '8' }),
    );
    expect(exchanges.map(({ lastEventId }) => lastEventId)).toEqual(['8']);
  });
});
