import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAYLOADS } from '../support/result-hostile.js';

const BIN = resolve('bin/mcp-postmortem.js');
/** What acts on a terminal or hides in it; line feeds end lines. */
const ACTIVE = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** No file name can hold these, or they are folders. */
const asName = (payload: string) => payload.replace(/[\0/]/g, '_').slice(0, 60);

const FORMULA = PAYLOADS.findIndex((payload) => payload.startsWith('=HYPERLINK'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-lists-'));
  mkdirSync(join(folder, 'captures'));
  for (const [index, payload] of PAYLOADS.entries()) {
    writeFileSync(join(folder, 'captures', `${index}${asName(payload)}.har`), har(index, payload));
    writeFileSync(join(folder, 'captures', `${index}${asName(payload)}.notes`), payload);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One session in which everything that a capture can choose is the payload. */
function har(index: number, payload: string): string {
  const header = (name: string, value: string) => ({ name, value });
  const session = `${index} ${payload}`;
  const entry = (
    second: number,
    method: string,
    status: number,
    answered: string,
    body: object | null,
    text: string,
  ) => ({
    startedDateTime: new Date(Date.UTC(2026, 10, 12, 14, index, second)).toISOString(),
    time: 50,
    serverIPAddress: payload,
    connection: payload,
    request: {
      method,
      url: `https://mcp.example.test/mcp/${payload}`,
      httpVersion: payload,
      headers: [
        header('User-Agent', payload),
        header('Mcp-Protocol-Version', payload),
        header('Mcp-Session-Id', session),
        header(payload, payload),
        ...(method === 'GET' ? [header('Last-Event-ID', `${payload}7`)] : []),
      ],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...(body === null ? {} : { postData: { mimeType: payload, text: JSON.stringify(body) } }),
    },
    response: {
      status,
      statusText: payload,
      httpVersion: payload,
      headers: [
        header('Content-Type', 'text/event-stream'),
        header('Mcp-Session-Id', answered),
        header('Server', payload),
      ],
      cookies: [],
      content: { size: text.length, mimeType: 'text/event-stream', text },
      redirectURL: payload,
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 25, receive: 25 },
  });
  const event = (id: string, message: object) =>
    `id: ${id.replace(/[\r\n\0]/g, ' ')}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  const call = (id: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: payload, arguments: { [payload]: payload } },
  });
  const entries = [
    entry(0, 'POST', 200, session, call(`a${payload}`), event(`${payload}7`, { method: payload, params: {} })),
    entry(
      1,
      'GET',
      200,
      `other ${session}`,
      null,
      event(`${payload}1`, { method: 'notifications/message', params: {} }),
    ),
    entry(
      2,
      'POST',
      404,
      session,
      call(`b${payload}`),
      event(payload, { id: `b${payload}`, error: { code: -32001, message: payload } }),
    ),
  ];
  return JSON.stringify({
    log: {
      version: payload,
      creator: { name: payload, version: payload },
      browser: { name: payload, version: payload },
      entries,
    },
  });
}

function cli(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

describe.skipIf(!existsSync('dist/cli/main.js'))('hostile captures (skipped without `npm run build`)', () => {
  const commands = [
    ['exchanges', 'captures'],
    ['sessions', 'captures'],
    ['resumes', 'captures'],
    ['calls', 'captures'],
    ['timeline', `${FORMULA} ${PAYLOADS[FORMULA]}`, 'captures'],
    ['query', 'select * from exchange', 'captures'],
  ];

  test.each(commands)('cannot act in the outputs of %s', (...command) => {
    const outs = ['list.csv', 'list.md', 'list.json', 'list.ndjson'];
    const { out, err, code } = cli(...command, '--wide', '--reveal', ...outs.flatMap((name) => ['--out', name]));
    expect(code).toBe(0);
    expect(out.split('\n').length).toBeGreaterThan(2);
    expect(out).not.toMatch(ACTIVE);
    expect(err).not.toMatch(ACTIVE);
    for (const name of outs) {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
      expect(text, name).not.toMatch(ACTIVE);
    }
    const csv = readFileSync(join(folder, 'list.csv'), 'utf8');
    expect(csv, 'no cell is a formula').not.toMatch(/(?:^|,)"?[=+@\t\r|%]|(?:^|,)"?-(?![\d.]+(?:,|\r))/m);
    const rows = JSON.parse(readFileSync(join(folder, 'list.json'), 'utf8'));
    expect(rows.length).toBeGreaterThan(0);
    const markdown = readFileSync(join(folder, 'list.md'), 'utf8').trimEnd().split('\n');
    expect(markdown, 'no payload begins a line').toHaveLength(rows.length + 2);
  });

  test.each([['doctor'], ['analyze', '--fail-on', 'never'], ['analyze', '--wide', '--reveal', '--fail-on', 'never']])(
    'cannot act in the words of %s',
    (command, ...more) => {
      const { out, err } = cli(command, 'captures', ...more);
      expect(out.length).toBeGreaterThan(500);
      expect(out).not.toMatch(ACTIVE);
      expect(err).not.toMatch(ACTIVE);
    },
  );

  test('cannot act in messages about files, options and commands', () => {
    const names = readdirSync(join(folder, 'captures')).filter((name) => name.endsWith('.notes'));
    const refused = cli('analyze', ...names.map((name) => join('captures', name)));
    expect(refused.code).toBe(2);
    expect(refused.err.split('\n').length).toBeGreaterThan(PAYLOADS.length);
    expect(refused.err).not.toMatch(ACTIVE);
    for (const payload of PAYLOADS.filter(
      (text) => /[\u001b\u202e\u200b\r\u{e0041}]|__proto__|^-|^\{/u.test(text) && !text.includes('\0'),
    )) {
      for (const args of [[payload], ['analyze', `--${payload}`], ['analyze', 'captures', '--only', payload]]) {
        const { code, out, err } = cli(...args);
        expect([code, out], args.join(' ')).toEqual([2, '']);
        expect(err).not.toMatch(ACTIVE);
      }
    }
  }, 200_000);
});
