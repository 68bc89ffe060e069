import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../src/report/render.js';
import { openStore } from '../../src/store/open.js';

const BIN = resolve('bin/mcp-postmortem.js');
const FOUND = resolve('samples/rolling-deploy/capture.har');

let folder: string;
const file = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exit-codes-'));
  const har = JSON.parse(readFileSync(FOUND, 'utf8'));
  // Up to the last call that was answered.
  writeFileSync(file('clean.har'), JSON.stringify({ log: { ...har.log, entries: har.log.entries.slice(0, 4) } }));
  writeFileSync(file('notes.txt'), 'nothing to see\n');
  // One line of the log is cut off.
  const log = readFileSync('samples/rolling-deploy/nginx-access.jsonl', 'utf8');
  writeFileSync(file('cut.jsonl'), log.trimEnd().slice(0, -40));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function cli(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

/** As `cli`, while this process answers requests. */
async function cliBeside(...args: string[]): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
  let err = '';
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString('utf8');
  });
  child.stdout.resume();
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, err };
}

describe.skipIf(!existsSync('dist/cli/main.js'))('exit codes (skipped without `npm run build`)', () => {
  describe.each(REPORT_FORMATS)('with the report as %s', (format) => {
    test('is 1 for findings, 0 for none of that severity, 2 beside an input that cannot be read', () => {
      const report = ['--format', format];
      const found = cli('analyze', FOUND, ...report);
      expect([found.code, found.out.length > 0]).toEqual([1, true]);
      expect(cli('analyze', FOUND, '--fail-on', 'never', ...report).code).toBe(0);
      const partial = cli('analyze', FOUND, file('notes.txt'), ...report);
      expect(partial.code).toBe(2);
      expect(partial.out.length, 'what was read is reported').toBeGreaterThan(0);
      expect(partial.err).toContain('notes.txt');
    });
  });

  test('a clean capture ends with 0', () => {
    expect(cli('analyze', 'clean.har').code).toBe(0);
  });

  test('a rejected record ends with 2 under --strict alone', () => {
    const lenient = cli('analyze', 'cut.jsonl', '--fail-on', 'never', '--format', 'json');
    expect(JSON.parse(lenient.out).totals.rejected).toBe(1);
    expect(lenient.code).toBe(0);
    expect(cli('analyze', 'cut.jsonl', '--fail-on', 'never', '--strict').code).toBe(2);
    expect(cli('ingest', 'cut.jsonl', '--db', 'strict.duckdb', '--strict').code).toBe(2);
  });

  test.each(['exchanges', 'sessions', 'resumes', 'calls'])(
    '%s ends with 2 beside an unreadable input, and lists the rest',
    (list) => {
      for (const format of ['table', 'json', 'ndjson', 'csv', 'md']) {
        const { code, out, err } = cli(list, FOUND, 'missing.har', '--format', format);
        expect(code, format).toBe(2);
        expect(out.length, format).toBeGreaterThan(10);
        expect(err).toContain('missing.har');
      }
      expect(cli(list, FOUND).code).toBe(0);
    },
  );

  test('lists are written to files by extension, pictures of a timeline too', () => {
    for (const name of ['list.json', 'list.ndjson', 'list.csv', 'list.md', 'list.txt']) {
      expect(cli('calls', FOUND, '--out', name, '--quiet').code, name).toBe(0);
      expect(readFileSync(file(name), 'utf8')).toContain('create_issue');
    }
    const { code, out } = cli('timeline', '8c1f0a52', FOUND, '--out', 'session.svg', '--format', 'csv');
    expect(code).toBe(0);
    expect(out.startsWith('at,mark,')).toBe(true);
    expect(readFileSync(file('session.svg'), 'utf8')).toMatch(/^<\?xml[^>]*>\n<svg [\s\S]*<\/svg>\n$/);
    expect(cli('timeline', '8c1f0a52', FOUND, '--format', 'svg').out).toMatch(/^<\?xml/);
    expect(cli('calls', FOUND, '--format', 'svg').code).toBe(2);
    expect(cli('calls', FOUND, '--out', 'list.svg').code).toBe(2);
  });

  test('a report that cannot be written ends with 2, the other ones are written', () => {
    mkdirSync(file('taken.html'), { recursive: true });
    const { code, err, out } = cli(
      'analyze',
      FOUND,
      '--fail-on',
      'never',
      '--out',
      'taken.html',
      '--out',
      'other.md',
      '--out',
      'no/where.md',
    );
    expect(code).toBe(2);
    expect(err).toContain('taken.html');
    expect(err).toContain('no/where.md');
    expect(out).toContain('epoch-merge');
    expect(readFileSync(file('other.md'), 'utf8')).toContain('epoch-merge');
  });

  test('a fault of the program itself is no verdict', () => {
    writeFileSync(file('fault.mjs'), 'setTimeout(() => { throw new Error("planted fault"); }, 100);\n');
    const args = ['--import', file('fault.mjs'), BIN, 'analyze', FOUND];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toContain('planted fault');
    expect(status).toBe(2);
  });

  test('a full disk ends with 2', () => {
    const { code, err } = cli('analyze', FOUND, '--fail-on', 'never', '--out', '/dev/full', '--format', 'json');
    expect(code).toBe(2);
    expect(err).toContain('no space left');
  });

  test('a database that another process holds ends with 2 and its name', async () => {
    const store = await openStore({ path: file('held.duckdb') });
    try {
      for (const args of [['analyze', FOUND], ['ingest', FOUND], ['detect'], ['report']]) {
        const { code, err, out } = cli(...args, '--db', 'held.duckdb');
        expect(code, args[0]).toBe(2);
        expect(err).toContain('held.duckdb: another process uses this database');
        expect(out).toBe('');
      }
    } finally {
      store.close();
    }
  });

  test.each([
    ['no database', 'text', /cannot be opened as a database/],
    ['cut off', 'DUCK'.repeat(2000), /held|cannot be opened as a database/],
  ])('a database that is %s ends with 2', (name, content, message) => {
    writeFileSync(file(`${name}.duckdb`), content);
    const { code, err } = cli('report', '--db', `${name}.duckdb`);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  describe('with an OTLP endpoint', () => {
    let server: Server;
    let answer = 200;
    let paths: string[] = [];
    let url: string;
    beforeAll(async () => {
      server = createServer((request, response) => {
        paths.push(request.url ?? '');
        request.resume().on('end', () => response.writeHead(answer).end());
      });
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => server.close());

    test('that takes the findings the code is that of the findings', async () => {
      [answer, paths] = [200, []];
      expect((await cliBeside('analyze', FOUND, '--otlp-endpoint', url, '--db', 'sent.duckdb')).code).toBe(1);
      expect(paths).toEqual(['/v1/traces', '/v1/logs']);
      expect(
        (await cliBeside('report', '--db', 'sent.duckdb', '--otlp-endpoint', url, '--otlp-protocol', 'http/json')).code,
      ).toBe(1);
      expect(paths).toHaveLength(4);
    });

    test('that refuses them the code is 2, and the report is written', async () => {
      [answer, paths] = [403, []];
      const { code, err } = await cliBeside(
        'analyze',
        FOUND,
        '--fail-on',
        'never',
        '--otlp-endpoint',
        url,
        '--out',
        'refused.md',
      );
      expect(code).toBe(2);
      expect(err).toContain(`${url}: findings were not taken: it answered 403`);
      expect(readFileSync(file('refused.md'), 'utf8')).toContain('epoch-merge');
    });

    test('that is no URL the code is 2 before anything is read', () => {
      const { code, out } = cli('analyze', FOUND, '--otlp-endpoint', 'collector:4318', '--out', 'unread.md');
      expect([code, out, existsSync(file('unread.md'))]).toEqual([2, '', false]);
    });
  });
});
