import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const BIN = resolve('bin/mcp-postmortem.js');
const BUILT = existsSync(resolve('dist/cli/main.js'));

/** A HAR of one session that is answered under another on a resume. */
function har(seam: boolean): string {
  const headers = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => ({ name, value }));
  const entry = (
    second: number,
    method: string,
    status: number,
    asked: Record<string, string>,
    answered: Record<string, string>,
    text: string,
    body?: object,
  ) => ({
    startedDateTime: `2026-11-12T14:00:${String(second).padStart(2, '0')}.000Z`,
    time: 100,
    request: {
      method,
      url: 'https://mcp.example.test/mcp',
      httpVersion: 'HTTP/1.1',
      headers: headers({
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...asked,
      }),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: headers({ 'content-type': 'text/event-stream', ...answered }),
      cookies: [],
      content: { size: text.length, mimeType: 'text/event-stream', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 50, receive: 50 },
  });
  const event = (id: string, message: object) =>
    `id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  const sid = { 'mcp-session-id': 'S-one' };
  const other = { 'mcp-session-id': seam ? 'S-two' : 'S-one' };
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_issue', arguments: { title: 'x' } },
  };
  const entries = [
    entry(
      0,
      'POST',
      200,
      {},
      sid,
      event('e0', {
        id: 0,
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      }),
      initialize,
    ),
    entry(
      1,
      'POST',
      200,
      sid,
      sid,
      event('e1', { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }),
      call,
    ),
    entry(
      2,
      'GET',
      200,
      { ...sid, 'last-event-id': 'e1' },
      other,
      event(seam ? 'e1' : 'e2', { id: 1, result: { content: [] } }),
    ),
  ];
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, pages: [], entries },
  });
}

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-test-'));
  writeFileSync(file('seam.har'), har(true));
  writeFileSync(file('clean.har'), har(false));
  writeFileSync(file('notes.har'), 'just some notes\n');
  writeFileSync(
    file('page.har'),
    JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [] } }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function cli(...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe.skipIf(!BUILT)('the command line (skipped without `npm run build`)', () => {
  describe('ends with', () => {
    test('0 when nothing is at or above --fail-on', () => {
      expect(cli('analyze', 'clean.har', '--fail-on', 'high').code).toBe(0);
      expect(cli('analyze', 'seam.har', '--fail-on', 'never').code).toBe(0);
    });

    test('1 when a finding is', () => {
      expect(cli('analyze', 'seam.har').code).toBe(1);
    });

    test('0 when all that is found is in the baseline', () => {
      expect(cli('analyze', 'seam.har', '--out', 'before.json', '--quiet').code).toBe(1);
      const again = cli('analyze', 'seam.har', '--baseline', 'before.json', '--format', 'json');
      expect(again.code).toBe(0);
      const states = JSON.parse(again.out).findings.map(({ state }: { state: string }) => state);
      expect(new Set(states)).toEqual(new Set(['known']));
    });

    test('2 when one of the inputs cannot be read, and the others are judged all the same', () => {
      const { code, out, err } = cli(
        'analyze',
        'notes.har',
        'seam.har',
        'missing.har',
        '--format',
        'json',
        '--fail-on',
        'never',
      );
      expect(code).toBe(2);
      expect(err).toContain('notes.har');
      expect(err).toContain('missing.har');
      expect(JSON.parse(out).findings.map(({ detector }: { detector: string }) => detector)).toContain('epoch-merge');
    });

    test('2 when no input holds MCP traffic, with the document and the name of the file', () => {
      const { code, out, err } = cli('analyze', 'page.har', '--format', 'json', '--fail-on', 'never');
      expect(code).toBe(2);
      expect(JSON.parse(out).totals.exchanges).toBe(0);
      expect(err).toContain('page.har');
    });

    test('2 when a detector fails', () => {
      mkdirSync(file('broken'), { recursive: true });
      const meta = [
        'id: broken',
        'title: T',
        'explanation: E',
        'severity: low',
        'needs: []',
        'key: [session]',
        'remedy: R',
      ];
      writeFileSync(
        file('broken/broken.sql'),
        ['-- ---', ...meta.map((line) => `-- ${line}`), '-- ---', 'select x from nowhere'].join('\n'),
      );
      const { code, err } = cli('analyze', 'clean.har', '--queries', 'broken', '--fail-on', 'never');
      expect(code).toBe(2);
      expect(err).toContain('detector broken');
    });

    test('2 when a report cannot be written, and the old one is still there', () => {
      mkdirSync(file('taken.json'), { recursive: true });
      expect(cli('analyze', 'clean.har', '--out', 'taken.json').code).toBe(2);
      expect(existsSync(file('taken.json'))).toBe(true);
    });

    test.each([
      ['no command'],
      ['an unknown command', 'analyse', 'clean.har'],
      ['an unknown option', 'analyze', 'clean.har', '--frobnicate'],
      ['no path', 'analyze'],
      ['an unknown format', 'analyze', 'clean.har', '--format', 'pdf'],
      ['an unknown severity', 'analyze', 'clean.har', '--fail-on', 'dreadful'],
      ['an unknown detector', 'analyze', 'clean.har', '--only', 'nonsense'],
      ['a broken time', 'analyze', 'clean.har', '--since', 'yesterday'],
      ['a database that is not there', 'detect', '--db', 'missing.duckdb'],
      ['a session that is not there', 'timeline', 'S-none', 'clean.har'],
    ])('2 on %s, with a message and nothing on standard output', (_, ...args) => {
      const { code, out, err } = cli(...args);
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(err.trim()).not.toBe('');
    });

    test('0 on --version and --help', () => {
      expect(cli('--version')).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
      expect(cli('--help').code).toBe(0);
      expect(cli('analyze', '--help').code).toBe(0);
    });

    test('130 when it is interrupted, and no folder of the run is left', async () => {
      const temp = file('temp');
      mkdirSync(temp, { recursive: true });
      writeFileSync(
        file('slow.log'),
        '10.0.0.1 - - [12/Nov/2026:14:00:00 +0000] "POST /mcp HTTP/1.1" 200 5 "-" "x"\n'.repeat(400_000),
      );
      const run = spawn(process.execPath, [BIN, 'analyze', 'slow.log'], {
        cwd: folder,
        env: { ...process.env, TMPDIR: temp },
        stdio: 'ignore',
      });
      const ended = new Promise((done) => run.once('exit', done));
      while (readdirSync(temp).length === 0) await new Promise((again) => setTimeout(again, 20));
      await new Promise((again) => setTimeout(again, 100));
      run.kill('SIGINT');
      expect(await ended).toBe(130);
      expect(readdirSync(temp)).toEqual([]);
    });
  });

  test('the document is the same for any order of paths, number of threads, zone and locale', () => {
    const run = (paths: string[], env: Record<string, string>, ...more: string[]) =>
      execFileSync(process.execPath, [BIN, 'analyze', ...paths, '--format', 'json', '--fail-on', 'never', ...more], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      });
    const first = run(['seam.har', 'clean.har'], { TZ: 'UTC' });
    expect(run(['clean.har', 'seam.har'], { TZ: 'Pacific/Chatham', LC_ALL: 'de_DE.UTF-8' }, '--threads', '1')).toBe(
      first,
    );
  });

  test('a file given twice is read once', () => {
    copyFileSync(file('seam.har'), file('seam-copy.har'));
    const { out } = cli('analyze', 'seam.har', 'seam-copy.har', 'seam.har', '--format', 'json', '--fail-on', 'never');
    const { totals, sources } = JSON.parse(out);
    expect(totals.exchanges).toBe(3);
    expect(sources).toHaveLength(1);
  });

  test('ingest, detect and report give what analyze gives at once', () => {
    const database = file('steps.duckdb');
    const analyzed = JSON.parse(cli('analyze', 'seam.har', '--format', 'json').out);
    expect(cli('ingest', 'seam.har', '--db', database).code).toBe(0);
    expect(cli('ingest', 'seam.har', '--db', database).code).toBe(0);
    expect(cli('detect', '--db', database, '--quiet').code).toBe(1);
    const { code, out } = cli('report', '--db', database, '--format', 'json');
    expect(code).toBe(1);
    const reported = JSON.parse(out);
    expect(reported.findings).toEqual(analyzed.findings);
    expect(reported.totals).toEqual(analyzed.totals);
  });

  test('exchanges are printed in the order of the arguments, one JSON object a line', () => {
    const { out } = cli('exchanges', 'seam.har', 'clean.har', '--format', 'ndjson');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ source, locator }) => `${source} ${locator}`)).toEqual([
      ...[0, 1, 2].map((index) => `seam.har entry ${index}`),
      ...[0, 1, 2].map((index) => `clean.har entry ${index}`),
    ]);
    expect(rows[2]).toMatchObject({
      method: 'GET',
      status: 200,
      requestSession: 'S-one',
      responseSession: 'S-two',
      lastEventId: 'e1',
    });
  });

  test('resumes are printed with verdict and fingerprint', () => {
    const rows = JSON.parse(cli('resumes', 'seam.har', '--format', 'json').out);
    expect(rows).toHaveLength(1);
    expect(Object.keys(rows[0])).toEqual([
      'session',
      'lastEventId',
      'fingerprint',
      'status',
      'responseSession',
      'firstEventId',
      'verdict',
      'via',
      'at',
      'source',
      'locator',
    ]);
    expect(rows[0]).toMatchObject({ session: 'S-one', verdict: 'epoch-merge', at: '2026-11-12T14:00:02.000Z' });
    expect(rows[0].fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the timeline of a session marks the seam', () => {
    const rows = JSON.parse(cli('timeline', 'S-one', 'seam.har', '--format', 'json').out);
    expect(rows.map(({ mark }: { mark: string }) => mark)).toEqual(['initialize', '', 'seam']);
  });

  test('a query reads relations and can change nothing', () => {
    expect(cli('query', 'select session from epoch order by 1', 'seam.har', '--format', 'csv').out).toBe(
      'session\r\nS-one\r\nS-two\r\n',
    );
    for (const sql of [
      'drop table exchange',
      "select * from read_text('clean.har')",
      "copy epoch to 'x.csv'",
      'select 1; select 2',
    ]) {
      expect(cli('query', sql, 'seam.har').code, sql).toBe(2);
    }
    expect(existsSync(file('x.csv'))).toBe(false);
  });

  test('a detector made by `detectors new` lints but for its samples, and runs', () => {
    expect(cli('detectors', 'new', 'slow-start', '--queries', 'own').code).toBe(0);
    expect(cli('detectors', 'new', 'slow-start', '--queries', 'own').code).toBe(2);
    const problems = JSON.parse(cli('detectors', 'lint', '--queries', 'own', '--format', 'json').out);
    expect(problems).toEqual([]);
    copyFileSync(file('clean.har'), file('own/samples/slow-start/positive-example/clean.har'));
    copyFileSync(file('clean.har'), file('own/samples/slow-start/negative-example/clean.har'));
    const results = JSON.parse(cli('detectors', 'test', '--queries', 'own', '--format', 'json').out);
    expect(results.map(({ sample, result }: { sample: string; result: string }) => [sample, result])).toEqual([
      ['negative-example', 'ok'],
      ['positive-example', 'FAIL'],
    ]);
    const own = readFileSync(file('own/slow-start.sql'), 'utf8').replace(
      '> $slow_s * 1000000000',
      '>= $slow_s - $slow_s',
    );
    writeFileSync(file('own/slow-start.sql'), own);
    const found = JSON.parse(
      cli('analyze', 'clean.har', '--queries', 'own', '--only', 'slow-start', '--format', 'json').out,
    );
    expect(found.findings).toHaveLength(2);
  });

  test('what goes to a terminal holds no character that acts on it', () => {
    const hostile = `evil\u001b]0;x\u0007\u202e.har`;
    writeFileSync(file(hostile), 'no capture');
    const { out, err, code } = cli('analyze', hostile);
    expect(code).toBe(2);
    expect(err).toContain('evil\\x1b]0;x\\x07\\u202e.har');
    expect(out + err).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});
