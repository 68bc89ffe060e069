import { describe, expect, it } from 'vitest';
import { ms, readLog } from '../access-log/lines.js';

const nginx = (message: string) =>
  `2026/11/18 09:30:02 [error] 417#417: *15 ${message}, client: 10.0.1.9, server: mcp.example.test, request: "POST /mcp?x=1 HTTP/1.1", upstream: "http://10.0.2.11:8080/mcp", host: "mcp.example.test"\n`;

describe('nginx error log', () => {
  it.each([
    ['upstream prematurely closed connection while reading upstream', 'truncated'],
    ['recv() failed (104: Connection reset by peer) while reading upstream', 'truncated'],
    ['upstream sent too big chunk while reading upstream', 'truncated'],
    ['upstream timed out (110: Connection timed out) while reading upstream', 'timed-out'],
    [
      'epoll_wait() reported that client prematurely closed connection, so upstream connection is closed too while reading upstream',
      'client-aborted',
    ],
  ])('"%s" ends an exchange as %s', async (message, endState) => {
    const { collected, format } = await readLog(nginx(message));
    expect(format).toBe('error-log/nginx');
    expect(collected.companions).toEqual([
      expect.objectContaining({
        httpMethod: 'POST',
        path: '/mcp?x=1',
        client: '10.0.1.9',
        connection: '15',
        backend: '10.0.2.11:8080',
        endState,
        precisionNs: 1_000_000_000n,
      }),
    ]);
    expect(ms(collected.companions[0]?.atNs ?? null)).toBe(Date.UTC(2026, 10, 18, 9, 30, 2));
  });

  it('says nothing about an end before the answer began: nginx goes on to the next upstream', async () => {
    const { collected } = await readLog(
      nginx('connect() failed (111: Connection refused) while connecting to upstream') +
        nginx('upstream timed out (110: Connection timed out) while reading response header from upstream'),
    );
    expect([collected.companions.length, collected.skipped]).toEqual([0, 2]);
  });

  it('is in local time', async () => {
    const { collected } = await readLog(nginx('upstream prematurely closed connection while reading upstream'), {
      zone: '+02:00',
    });
    expect(ms(collected.companions[0]?.atNs ?? null)).toBe(Date.UTC(2026, 10, 18, 7, 30, 2));
  });

  it('is understood in the middle of an access log, as containers write both', async () => {
    const access = '10.0.1.9 - - [18/Nov/2026:09:30:02 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "c"\n';
    const { exchanges, collected, format } = await readLog(
      access + nginx('upstream prematurely closed connection while reading upstream') + access,
    );
    expect(format).toBe('access-log/nginx');
    expect([exchanges.length, collected.companions.length, collected.rejects.length]).toEqual([2, 1, 0]);
    expect(collected.summary?.evidence).toContain('end-state');
  });
});

describe('Apache error log', () => {
  const apache = (text: string) => `[Wed Nov 18 18:30:02.940829 2026] [proxy_http:error] [pid 548:tid 573] ${text}\n`;
  it.each([
    [
      '(70008)Partial results are valid but processing is incomplete: [client 10.0.1.33:49012] AH01110: error reading response',
      'truncated',
    ],
    ['(104)Connection reset by peer: [client 10.0.1.33:49014] AH01110: error reading response', 'truncated'],
    ['(70007)The timeout specified has expired: [client 10.0.1.33:49018] AH01110: error reading response', 'timed-out'],
  ])('%s', async (text, endState) => {
    const { collected } = await readLog(apache(text));
    expect(collected.companions).toEqual([
      expect.objectContaining({ client: '10.0.1.33', path: null, httpMethod: null, endState, precisionNs: 1000n }),
    ]);
    expect(collected.companions[0]?.atNs).toBe(BigInt(Date.UTC(2026, 10, 18, 18, 30, 2)) * 1_000_000n + 940_829_000n);
  });

  it('does not take a refused connection for a cut stream', async () => {
    const { collected, format } = await readLog(
      apache('(111)Connection refused: AH00957: HTTP: attempt to connect failed'),
    );
    expect(format).toBe('error-log/apache');
    expect([collected.companions.length, collected.skipped]).toEqual([0, 1]);
  });
});

describe('Caddy runtime log', () => {
  const caddy = (error: string, more: object = {}) =>
    `${JSON.stringify({ level: 'error', ts: 1795021200.281, logger: 'http.handlers.reverse_proxy', msg: 'aborting with incomplete response', error, ...more })}\n`;
  const start = '{"level":"info","ts":1795021140.281,"msg":"serving initial configuration"}\n';

  it.each([
    ['unexpected EOF', 'truncated'],
    ['context canceled', 'client-aborted'],
    ['read tcp: i/o timeout', 'timed-out'],
  ])('"%s" ends an exchange as %s', async (error, endState) => {
    const { collected, format } = await readLog(start + caddy(error));
    expect(format).toBe('error-log/caddy');
    expect(collected.companions).toEqual([
      expect.objectContaining({ endState, path: null, atNs: 1_795_021_200_281_000_000n }),
    ]);
  });

  it('names the request where Caddy does', async () => {
    const request = { method: 'GET', uri: '/mcp?token=x', remote_ip: '10.0.1.9' };
    const { collected } = await readLog(caddy('unexpected EOF', { request, upstream: '10.0.2.11:8080' }));
    expect(collected.companions[0]).toMatchObject({ httpMethod: 'GET', client: '10.0.1.9', backend: '10.0.2.11:8080' });
    expect(collected.companions[0]?.path).not.toContain('token=x');
  });
});
