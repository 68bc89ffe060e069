import { describe, expect, it } from 'vitest';
import { ms, readLog, readOne } from './lines.js';

const LINE = '10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "mcp-client/2.0" sid="a"';
const JSON_LINE = '{"method":"POST","uri":"/mcp","status":200,"sid":"a","rt":"0.100"}';

describe('what shippers put around a line', () => {
  it.each([
    ['RFC 3164', '<134>Nov 18 15:00:01 lb1 nginx[812]: '],
    ['RFC 3164 in a file', 'Nov  8 15:00:01 lb1 nginx: '],
    ['RFC 5424', '<134>1 2026-11-18T15:00:01.000Z lb1 nginx 812 - - '],
    ['RFC 5424 with structured data', '<134>1 2026-11-18T15:00:01Z lb1 nginx 812 - [x@1 a="b]"] '],
    ['rsyslog', '2026-11-18T15:00:01.123+00:00 lb1 nginx[812]: '],
    ['CRI', '2026-11-18T15:00:01.123456789Z stdout F '],
    ['kubectl --prefix', '[pod/mcp-lb-7f9c/nginx] '],
    ['docker compose', 'proxy-1  | '],
  ])('%s is taken off', async (_, prefix) => {
    expect(await readOne(`${prefix}${LINE}\n`)).toMatchObject({ requestSession: 'a', client: '10.0.1.9' });
    expect(await readOne(`${prefix}${JSON_LINE}\n`)).toMatchObject({ requestSession: 'a', status: 200 });
  });

  it('docker and other JSON with the line in it', async () => {
    const docker = JSON.stringify({ log: `${LINE}\n`, stream: 'stdout', time: '2026-11-18T08:00:01Z' });
    const shipper = JSON.stringify({ date: 1795000000.1, log: LINE, kubernetes: { pod: 'x' } });
    expect((await readLog(`${docker}\n${shipper}\n`)).exchanges).toHaveLength(2);
  });

  it('the time of the carrier stands in where the line has none', async () => {
    const exchange = await readOne(`2026-11-18T15:00:01.123000000Z stdout F ${JSON_LINE}\n`);
    expect(ms(exchange.endedNs)).toBe(Date.UTC(2026, 10, 18, 15, 0, 1, 123));
    expect(ms(exchange.startedNs)).toBe(Date.UTC(2026, 10, 18, 15, 0, 1, 23));
  });

  it('parts of one stream are joined although another writes between them', async () => {
    const cri = (stream: string, flag: string, text: string) => `2026-11-18T15:00:01Z ${stream} ${flag} ${text}\n`;
    const text =
      cri('stdout', 'P', JSON_LINE.slice(0, 20)) +
      cri('stderr', 'F', '# note') +
      cri('stdout', 'F', JSON_LINE.slice(20));
    const { exchanges, collected } = await readLog(text);
    expect([exchanges.length, collected.rejects.length]).toEqual([1, 0]);
  });

  it('a custom format is found within', async () => {
    const logFormat = '$msec|$request|$status';
    expect(await readOne('[pod/a/b] 1794996000.377|POST /mcp HTTP/1.1|200\n', { logFormat })).toMatchObject({
      status: 200,
    });
  });
});
