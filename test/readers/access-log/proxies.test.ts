import { describe, expect, it } from 'vitest';
import { ms, readLog, readOne } from './lines.js';

const haproxy = (state: string, status = 200, captures = '{s1||c/1.0} {s1|text/event-stream} ') =>
  `10.0.1.9:54414 [18/Nov/2026:15:00:00.786] mcp pool/b1 0/0/0/2/604 ${status} 681 - - ${state} 1/1/0/0/0 0/0 ${captures}"POST /mcp HTTP/1.1"\n`;

describe('HAProxy', () => {
  it.each([
    ['----', 200, 'complete'],
    ['--DI', 404, 'complete'],
    ['SD--', 200, 'truncated'],
    ['SH--', 502, 'truncated'],
    ['CD--', 200, 'client-aborted'],
    ['CH--', 200, 'client-aborted'],
    ['cD--', 200, 'timed-out'],
    ['sD--', 200, 'timed-out'],
    ['sH--', 504, 'timed-out'],
    ['PD--', 200, 'truncated'],
    ['KD--', 200, 'truncated'],
    ['DD--', 200, 'truncated'],
    ['LR--', 302, 'complete'],
    ['SC--', 503, 'complete'],
  ])('reads %s with %i as %s', async (state, status, endState) => {
    expect(await readOne(haproxy(state, status))).toMatchObject({ endState, endReason: state });
  });

  it('is stamped at the start, in local time', async () => {
    const exchange = await readOne(haproxy('----'), { zone: 'Europe/Berlin' });
    expect(ms(exchange.startedNs)).toBe(Date.UTC(2026, 10, 18, 14, 0, 0, 786));
    expect(ms(exchange.endedNs)).toBe(Date.UTC(2026, 10, 18, 14, 0, 1, 390));
  });

  it('warns when it has to take local time for UTC', async () => {
    const { collected } = await readLog(haproxy('----'));
    expect(collected.summary?.warnings.join()).toContain('--zone');
    expect((await readLog(haproxy('----'), { zone: '+02:00' })).collected.summary?.warnings).toEqual([]);
  });

  it('names pool and server, and none where none was reached', async () => {
    expect((await readOne(haproxy('----'))).backends).toEqual(['pool/b1']);
    expect((await readOne(haproxy('sQ--', 503).replace('pool/b1', 'pool/<NOSRV>'))).backends).toEqual([]);
  });

  it('does not guess whether a single block was of the request or of the response', async () => {
    const { exchanges, collected } = await readLog(haproxy('----', 200, '{s1} '));
    expect(exchanges[0]).toMatchObject({ requestSession: null, responseSession: null, sawRequestHeaders: false });
    expect(collected.summary?.warnings.join()).toContain('{…}');
  });

  it('knows no end of a line that was written before it', async () => {
    const line = haproxy('----').replace('2/604 200 681', '2/+604 200 +681');
    expect(await readOne(line)).toMatchObject({ endState: 'unknown', endedNs: null, responseBytes: 681 });
  });

  it('passes over TCP connections and handshakes', async () => {
    const tcp = '10.0.1.9:54414 [18/Nov/2026:15:00:00.786] tcp pool/b1 0/0/604 681 -- 1/1/0/0/0 0/0\n';
    const tls = '10.0.1.9:54414 [18/Nov/2026:15:00:00.786] mcp/1: SSL handshake failure\n';
    const { exchanges, collected } = await readLog(haproxy('----') + tcp + tls);
    expect([exchanges.length, collected.skipped, collected.rejects.length]).toEqual([1, 2, 0]);
  });

  it('is evidence of how exchanges end', async () => {
    expect((await readLog(haproxy('----'))).collected.summary?.evidence).toContain('end-state');
  });
});

describe('Envoy', () => {
  const text = (flags: string, code = 200, host = '10.0.2.11:8080') =>
    `[2026-11-18T13:00:00.310Z] "POST /mcp HTTP/2" ${code} ${flags} 154 1310 226 12 "10.0.1.9, 10.9.9.9" "c \\"x\\"" "id-1" "mcp.example.test" "${host}"\n`;

  it.each([
    ['-', 200, 'complete'],
    ['UC', 200, 'truncated'],
    ['UR', 200, 'truncated'],
    ['DC', 200, 'client-aborted'],
    ['DR', 200, 'client-aborted'],
    ['UT', 504, 'timed-out'],
    ['SI', 200, 'timed-out'],
    ['UMSDR', 200, 'timed-out'],
    ['UF,URX', 503, 'complete'],
    ['NR', 404, 'complete'],
    ['UpstreamConnectionTermination', 200, 'truncated'],
    ['StreamIdleTimeout', 200, 'timed-out'],
  ])('reads flags %s with %i as %s', async (flags, code, endState) => {
    expect(await readOne(text(flags, code))).toMatchObject({ endState });
  });

  it('goes by the details where there are no flags', async () => {
    const record = {
      start_time: '2026-11-18T13:30:00.000Z',
      method: 'GET',
      path: '/mcp',
      response_code: 200,
      duration: 5,
    };
    const details = 'upstream_reset_after_response_started{connection_termination}';
    const line = JSON.stringify({ ...record, response_flags: null, response_code_details: details, sid: null });
    expect(await readOne(`${line}\n`)).toMatchObject({ endState: 'truncated', endReason: details });
  });

  it('names host, client and request id; the address may carry a scheme', async () => {
    expect(await readOne(text('-', 200, 'tcp://10.0.2.11:8080'))).toMatchObject({
      endpoint: 'mcp.example.test/mcp',
      client: '10.0.1.9',
      requestId: 'id-1',
      backends: ['10.0.2.11:8080'],
    });
  });

  it('takes the pod for the instance behind the inbound sidecar', async () => {
    const record = {
      start_time: '2026-11-18T14:30:00.002Z',
      method: 'GET',
      path: '/mcp',
      response_code: 200,
      response_flags: '-',
      upstream_cluster: 'inbound|8080||',
      upstream_host: '127.0.0.6:8080',
      downstream_local_address: '10.0.3.5:8080',
    };
    expect((await readOne(`${JSON.stringify(record)}\n`)).backends).toEqual(['10.0.3.5:8080']);
  });
});

describe('Caddy', () => {
  const record = (more: object) =>
    `${JSON.stringify({
      level: 'info',
      ts: 1795019400.345,
      logger: 'http.log.access.log0',
      msg: 'handled request',
      request: {
        remote_ip: '10.0.1.9',
        method: 'POST',
        host: 'h.test',
        uri: '/mcp',
        headers: { 'Mcp-Session-Id': ['s1'] },
      },
      duration: 0.5,
      status: 200,
      resp_headers: {},
      ...more,
    })}\n`;

  it('logs every header: what is not there was not sent', async () => {
    const exchange = await readOne(record({}));
    expect(exchange).toMatchObject({ requestSession: 's1', responseSession: null, lastEventId: null });
    expect(exchange).toMatchObject({ sawRequestHeaders: true, sawResponseHeaders: true, endState: 'unknown' });
  });

  it.each([
    [{}, 500],
    [{ duration: '609ms' }, 609],
    [{ duration: 609_041_699 }, 609],
    [{ ts: '2026-11-18T16:30:00.345Z' }, 500],
    [{ ts: '2026/11/18 16:30:00.345' }, 500],
    [{ ts: 1795019400345 }, 500],
  ])('reads times however its encoder writes them: %j', async (more, durationMs) => {
    const exchange = await readOne(record(more));
    expect(ms(exchange.endedNs)).toBe(1795019400345);
    expect(Math.abs(1795019400345 - durationMs - (ms(exchange.startedNs) ?? 0))).toBeLessThanOrEqual(1);
  });

  it('takes no redacted credential for a principal', async () => {
    const headers = (value: string[]) => ({
      request: { method: 'POST', uri: '/mcp', headers: { 'Mcp-Session-Id': ['s1'], Authorization: value } },
    });
    expect((await readOne(record(headers(['REDACTED'])))).principal).toBeNull();
    expect((await readOne(record(headers([])))).principal).toBeNull();
    expect((await readOne(record(headers(['Bearer x'])))).principal).toBe('Bearer x');
  });
});

describe('Traefik', () => {
  const record = (more: object) =>
    `${JSON.stringify({
      ClientHost: '10.0.1.9',
      DownstreamStatus: 200,
      Duration: 612_000_000,
      OriginStatus: 200,
      RequestMethod: 'POST',
      RequestPath: '/mcp',
      RouterName: 'mcp@docker',
      ServiceAddr: '10.0.2.11:8080',
      StartUTC: '2026-11-18T17:30:00.1Z',
      ...more,
    })}\n`;

  it('says nothing of headers that it was not told to log', async () => {
    expect(await readOne(record({}))).toMatchObject({ sawRequestHeaders: false, backends: ['10.0.2.11:8080'] });
    expect(await readOne(record({ 'request_User-Agent': 'c' }))).toMatchObject({ sawRequestHeaders: true });
  });

  it('does not take a redacted session for one', async () => {
    const exchange = await readOne(record({ 'request_Mcp-Session-Id': 'REDACTED' }));
    expect(exchange).toMatchObject({ requestSession: null, sawRequestHeaders: false });
  });
});

describe('clouds', () => {
  it('reads CloudFront by its #Fields', async () => {
    const fields =
      'date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-edge-request-id x-host-header cs-protocol time-taken x-edge-detailed-result-type';
    const values =
      '2026-11-18 19:00:05 10.0.1.9 POST /mcp 000 mcp-client%2F2.0 - id== mcp.example.test https 1.250 ClientCommError';
    const log = await readLog(`#Version: 1.0\n#Fields: ${fields}\n${values.replaceAll(' ', '\t')}\n`);
    expect(log.format).toBe('access-log/cloudfront');
    expect(log.exchanges[0]).toMatchObject({
      endpoint: 'https://mcp.example.test/mcp',
      status: null,
      userAgent: 'mcp-client/2.0',
      endState: 'client-aborted',
    });
    expect(ms(log.exchanges[0]?.startedNs ?? null)).toBe(Date.UTC(2026, 10, 18, 19, 0, 3, 750));
  });

  it.each([
    ['response_sent_by_backend', 'complete'],
    ['backend_connection_closed_after_partial_response_sent', 'truncated'],
    ['client_disconnected_after_partial_response', 'client-aborted'],
    ['backend_timeout', 'timed-out'],
    ['failed_to_pick_backend', 'unknown'],
  ])('reads statusDetails %s of the Google balancer as %s', async (statusDetails, endState) => {
    const record = {
      httpRequest: { requestMethod: 'POST', requestUrl: 'https://h.test/mcp', status: 200, latency: '0.5s' },
      jsonPayload: { statusDetails },
      timestamp: '2026-11-18T23:00:00.123Z',
    };
    expect(await readOne(`${JSON.stringify(record)}\n`)).toMatchObject({ endState, endReason: statusDetails });
  });
});
