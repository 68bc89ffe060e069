import { describe, expect, it } from 'vitest';
import { formatPattern } from '../../../src/readers/access-log/format-string.js';
import { ms, readLog, readOne } from './lines.js';

describe('--log-format', () => {
  it('understands nginx, the string alone or the whole directive', async () => {
    const string = '$msec|$request|$status|${request_time}|$http_mcp_session_id|$upstream_addr';
    const line = '1794996000.377|POST /mcp HTTP/1.1|200|0.020|s1|10.0.2.13:8080, 10.0.2.11:8080\n';
    for (const logFormat of [string, `log_format mcp '${string}';`]) {
      const exchange = await readOne(line, { logFormat });
      expect(exchange).toMatchObject({ requestSession: 's1', backends: ['10.0.2.13:8080', '10.0.2.11:8080'] });
      expect(ms(exchange.startedNs)).toBe(1794996000357);
    }
  });

  it('understands escape=json under names of one\u2019s own', async () => {
    const logFormat = `log_format x escape=json '{"t":"$msec",' '"s":"$http_mcp_session_id","r":"$request","st":$status}';`;
    const line = '{"t":"1795000000.500","s":"a\\"b","r":"POST /mcp HTTP/1.1","st":200}\n';
    const log = await readLog(line, { logFormat });
    expect(log.format).toBe('access-log/nginx-json');
    expect(log.exchanges[0]).toMatchObject({ requestSession: 'a"b', status: 200 });
  });

  it('understands Apache, quotes escaped as in its configuration', async () => {
    const logFormat = String.raw`%h %l %u %t \"%r\" %>s %b %D %X \"%{Mcp-Session-Id}i\" \"%{Mcp-Session-Id}o\" %{BALANCER_WORKER_NAME}e`;
    const line = String.raw`10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 250000 X "s\"1" "-" http://10.0.2.1:80`;
    const log = await readLog(`${line}\n`, { logFormat });
    expect(log.format).toBe('access-log/apache');
    expect(log.exchanges[0]).toMatchObject({
      requestSession: 's"1',
      responseSession: null,
      endState: 'client-aborted',
      backends: ['10.0.2.1:80'],
    });
    expect(ms(log.exchanges[0]?.endedNs ?? null)).toBe(Date.UTC(2026, 10, 18, 8, 0, 1, 250));
  });

  it('understands Apache times in pieces', async () => {
    const logFormat = '%h %{%Y-%m-%dT%H:%M:%S}t.%{msec_frac}t%{%z}t "%r" %>s';
    const exchange = await readOne('10.0.1.9 2026-11-18T18:30:00.638+0000 "POST /mcp HTTP/1.1" 200\n', { logFormat });
    expect(ms(exchange.startedNs)).toBe(Date.UTC(2026, 10, 18, 18, 30, 0, 638));
  });

  it('understands HAProxy with its captures', async () => {
    const logFormat = '%ci [%tr] %b %s %Ta %ST %tsc %hr %hs %{+Q}r';
    const line = '10.0.1.9 [18/Nov/2026:15:00:00.786] pool b1 604 200 SD-- {s#7C1|e7} {s#7C1} "POST /mcp HTTP/1.1"\n';
    const log = await readLog(line, { logFormat });
    expect(log.format).toBe('access-log/haproxy');
    expect(log.exchanges[0]).toMatchObject({
      requestSession: 's|1',
      lastEventId: 'e7',
      responseSession: 's|1',
      endState: 'truncated',
      backends: ['pool/b1'],
    });
  });

  it('understands Envoy', async () => {
    const logFormat =
      '[%START_TIME%] %REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %RESPONSE_CODE% %RESPONSE_FLAGS% %DURATION% %REQ(MCP-SESSION-ID)% %RESP(MCP-SESSION-ID):16%';
    const log = await readLog('[2026-11-18T13:00:00.310Z] POST /mcp 200 UC 15 sid1 -\n', { logFormat });
    expect(log.format).toBe('access-log/envoy');
    expect(log.exchanges[0]).toMatchObject({ requestSession: 'sid1', responseSession: null, endState: 'truncated' });
  });

  it('still reads a known log beside the one that the format is of', async () => {
    const line = '10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "c"\n';
    const json = '{"msec":"1794996000.377","method":"POST","uri":"/mcp","status":"200","sid":"a"}\n';
    expect((await readLog(json, { logFormat: '$msec|$request' })).format).toBe('access-log/nginx-json');
    expect((await readLog(line, { logFormat: 'combined' })).exchanges).toHaveLength(1);
  });

  it.each(['no variable at all', '$request_method$status', ''])('refuses %j, which tells nothing apart', (format) => {
    expect(() => formatPattern(format)).toThrowError(expect.objectContaining({ code: 'usage' }));
  });
});

describe('--map', () => {
  const line =
    '{"verb":"POST","at":"2026-11-18T17:30:00.1Z","headers":{"sid":"abc"},"code":200,"where":"/rpc","hops":["a"]}\n';

  it('finds values by JSON paths', async () => {
    const map = 'session=$.headers.sid,method=$.verb,status=$.code,path=$.where,time=$.at,backend=$.hops[0]';
    const log = await readLog(line, { map });
    expect(log.format).toBe('access-log/json');
    expect(log.exchanges[0]).toMatchObject({
      requestSession: 'abc',
      httpMethod: 'POST',
      status: 200,
      endpoint: '/rpc',
      backends: ['a'],
    });
  });

  it('without it the same file is not known', async () => {
    expect((await readLog(line)).format).toBe('unknown');
  });

  it.each(['colour=$.x', 'session', 'session=$.[x'])('refuses %j', async (map) => {
    await expect(readLog(line, { map })).rejects.toMatchObject({ code: 'usage' });
  });
});
