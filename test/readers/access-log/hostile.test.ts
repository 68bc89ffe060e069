import { describe, expect, it } from 'vitest';
import { readLog } from './lines.js';

const GOOD =
  '10.0.1.9 - - [18/Nov/2026:08:00:01 +0000] "POST /mcp HTTP/1.1" 200 517 "-" "c" sid="a" msec=1794992400.745\n';

describe('hostile logs', () => {
  it.each([
    ['words', 'at com.example.Foo.bar(Foo.java:123) [library.jar:1.2] something happened\n'],
    ['broken JSON', '{"a":1,"b":{"c":[1,2,3],"message":"hello world"\n'],
    ['lines that begin well', '10.0.1.9 - - [18/Nov/2026:09:00:00 +0000] "POST /mcp\n'],
    ['a status that is none', GOOD.replace(' 200 ', ' 2x0 ')],
  ])('fifty thousand lines of %s are counted and cost seconds at most', async (_, line) => {
    const begin = process.cpuUsage().user;
    const { exchanges, collected } = await readLog(GOOD + line.repeat(50_000) + GOOD);
    expect([exchanges.length, collected.rejects.length]).toEqual([2, 50_000]);
    expect(process.cpuUsage().user - begin).toBeLessThan(10_000_000);
  });

  it.each([
    ['one word', 'x'.repeat(20_000_000)],
    ['quotation marks', '"'.repeat(20_000_000)],
    ['quotation marks in JSON', `{"sid":"${'y"'.repeat(10_000_000)}`],
    ['quotation marks in short JSON', `{"sid":"${'y"'.repeat(30_000)}`],
    ['what could be addresses', '1.1.1.1:1 [18/Nov/2026:15:00:00.786] a '.repeat(1500)],
    ['pairs', `${GOOD.trim()} ${'a="b" '.repeat(10_000)}`],
    ['brackets', '['.repeat(4_000_000)],
    ['nested objects', '{"a":'.repeat(1_000_000)],
    ['513 arrays', `{"sid":"a","rsid":"b","x":${'['.repeat(513)}${']'.repeat(513)}}`],
  ])('a long line of %s costs no good line and no long time', async (_, line) => {
    const begin = process.cpuUsage().user;
    const { exchanges, collected } = await readLog(`${GOOD}${line}\n${GOOD}`);
    expect([exchanges.length, collected.rejects.length]).toEqual([2, 1]);
    expect(collected.rejects[0]?.locator).toBe('line 2');
    expect(process.cpuUsage().user - begin).toBeLessThan(5_000_000);
  });

  it('a line of more than 64 MB is rejected, its neighbours are read', async () => {
    const { exchanges, collected } = await readLog(`${GOOD}${'z'.repeat(65 * 2 ** 20)}\n${GOOD}`);
    expect([exchanges.length, collected.rejects.length]).toEqual([2, 1]);
  });

  it('an escaped line break is part of a value', async () => {
    const forged = GOOD.replace(
      'sid="a"',
      'sid="x\\x0D\\x0A10.0.9.9 - - [18/Nov/2026:11:30:00 +0000] \\x22DELETE /mcp"',
    );
    const { exchanges } = await readLog(forged);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.requestSession).toMatch(/^x\r\n10\.0\.9\.9/);
  });

  it('keys of the language are keys like any other', async () => {
    const line =
      '{"__proto__":{"status":500},"constructor":"x","method":"POST","uri":"/mcp","status":200,"sid":"a","rt":"1"}\n';
    expect((await readLog(line)).exchanges[0]).toMatchObject({ status: 200, requestSession: 'a' });
  });

  it('times before 1970 and after 2262 are dropped, not wrapped', async () => {
    for (const [time, kept] of [
      ['9999999999.999', null],
      ['0.000', 0n],
      ['9223372035.000', 9_223_372_035_000_000_000n],
    ] as const) {
      const { exchanges } = await readLog(GOOD.replace('1794992400.745', time));
      expect(exchanges[0]?.endedNs, time).toBe(kept);
    }
  });

  it('several layouts in one file are all read', async () => {
    const json = '{"msec":"1794996000.377","method":"POST","uri":"/mcp","status":"200","sid":"a","rt":"0.1"}\n';
    const envoy =
      '[2026-11-18T13:00:00.310Z] "POST /mcp HTTP/2" 200 - 154 1310 226 12 "-" "c" "i" "h" "10.0.2.11:8080"\n';
    const { exchanges, format } = await readLog((GOOD + json + envoy).repeat(3) + GOOD);
    expect(exchanges).toHaveLength(10);
    expect(format).toBe('access-log/nginx');
  });

  it('bytes that are no UTF-8 cost one letter', async () => {
    const bytes = Buffer.concat([Buffer.from(GOOD.slice(0, 84)), Buffer.from([0xff]), Buffer.from(GOOD.slice(84))]);
    expect((await readLog(bytes)).exchanges).toHaveLength(1);
  });
});
