import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';

const BIN = resolve('bin/mcp-postmortem.js');
const SESSION = '7f3a9c1e-5b2d-4e8f-9a6c-0d1e2f3a4b5c';
const OTHER_SESSION = 'b81d40aa-93f7-4c02-8e55-6a7b8c9d0e1f';

/** What is planted, by where it stands; no byte of it may come out anywhere. */
const SECRETS: Readonly<Record<string, string>> = {
  authorization: 'plantedAuthorizationK3y',
  cookie: 'plantedCookieV4lue',
  setCookie: 'plantedSetCookieV4lue',
  proxyAuthorization: 'plantedProxyK3y',
  apiKey: 'plantedApiK3yHeader',
  query: 'plantedQueryT0ken',
  login: 'plantedUrlPassw0rd',
  argument: 'eyJhbGciOiJIUzI1NiJ9.eyJwbGFudGVkIjoiYXJndW1lbnQifQ.plantedJwtS1gnature',
  result: 'plantedResultT3xt',
  errorText: 'plantedErrorT3xt',
  eventText: 'plantedEventT3xt',
  meta: 'plantedMetaT3xt',
  referer: 'plantedRefererT0ken',
  session: SESSION,
  otherSession: OTHER_SESSION,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-secrets-'));
  writeFileSync(join(folder, 'capture.har'), har());
  writeFileSync(join(folder, 'access.log'), accessLog());
  writeFileSync(join(folder, 'spans.json'), spans());
  // A file that breaks off in the middle of a secret: error messages quote no bytes either.
  writeFileSync(join(folder, 'broken.har'), har().slice(0, har().indexOf(SECRETS.argument!) + 40));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function har(): string {
  const header = (name: string, value: string) => ({ name, value });
  const entry = (
    second: number,
    method: string,
    status: number,
    session: string | null,
    answered: string,
    body: object | null,
    text: string,
  ) => ({
    startedDateTime: `2026-11-12T14:00:${String(second).padStart(2, '0')}.000Z`,
    time: 50,
    request: {
      method,
      url: `https://user:${SECRETS.login}@mcp.example.test/mcp?token=${SECRETS.query}&access_token=${SECRETS.query}`,
      httpVersion: 'HTTP/1.1',
      headers: [
        header('Authorization', `Bearer ${SECRETS.authorization}`),
        header('Proxy-Authorization', `Basic ${SECRETS.proxyAuthorization}`),
        header('Cookie', `sid=${SECRETS.cookie}`),
        header('X-Api-Key', SECRETS.apiKey!),
        header('Referer', `https://app.example.test/?code=${SECRETS.referer}`),
        header('Accept', 'application/json, text/event-stream'),
        ...(session === null ? [] : [header('Mcp-Session-Id', session)]),
        ...(method === 'GET' ? [header('Last-Event-ID', `${SESSION}_7`)] : []),
      ],
      queryString: [header('token', SECRETS.query!)],
      cookies: [header('sid', SECRETS.cookie!)],
      headersSize: -1,
      bodySize: -1,
      ...(body === null ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: [
        header('Content-Type', text.startsWith('{') ? 'application/json' : 'text/event-stream'),
        header('Set-Cookie', `sid=${SECRETS.setCookie}`),
        header('Mcp-Session-Id', answered),
      ],
      cookies: [header('sid', SECRETS.setCookie!)],
      content: { size: text.length, mimeType: text.startsWith('{') ? 'application/json' : 'text/event-stream', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 25, receive: 25 },
  });
  const event = (id: string, message: object) =>
    `id: ${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: {
      name: 'create_issue',
      arguments: { key: SECRETS.argument },
      _meta: { progressToken: 'p', note: SECRETS.meta },
    },
  });
  const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const entries = [
    entry(0, 'POST', 200, null, SESSION, initialize, JSON.stringify({ jsonrpc: '2.0', id: 0, result: initialized })),
    entry(
      1,
      'POST',
      200,
      SESSION,
      SESSION,
      call(1),
      event(`${SESSION}_7`, { method: 'notifications/message', params: { level: 'info', data: SECRETS.eventText } }),
    ),
    entry(
      3,
      'GET',
      200,
      SESSION,
      OTHER_SESSION,
      null,
      event(`${OTHER_SESSION}_1`, {
        method: 'notifications/message',
        params: { level: 'info', data: SECRETS.eventText },
      }),
    ),
    entry(
      4,
      'POST',
      200,
      OTHER_SESSION,
      OTHER_SESSION,
      call(2),
      event(`${OTHER_SESSION}_2`, { id: 2, result: { content: [{ type: 'text', text: SECRETS.result }] } }),
    ),
    entry(
      5,
      'POST',
      200,
      OTHER_SESSION,
      OTHER_SESSION,
      call(3),
      JSON.stringify({ jsonrpc: '2.0', id: 3, error: { code: -32000, message: SECRETS.errorText } }),
    ),
    entry(
      6,
      'POST',
      404,
      SESSION,
      SESSION,
      call(4),
      JSON.stringify({ jsonrpc: '2.0', id: 4, error: { code: -32001, message: `Session not found: ${SESSION}` } }),
    ),
  ];
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '1' }, pages: [], entries },
  });
}

function accessLog(): string {
  const line = (second: number, status: number, session: string) =>
    JSON.stringify({
      time: `2026-11-12T14:01:${String(second).padStart(2, '0')}+00:00`,
      method: 'POST',
      uri: `/mcp?token=${SECRETS.query}`,
      status,
      mcp_session_id: session,
      http_authorization: `Bearer ${SECRETS.authorization}`,
      http_cookie: SECRETS.cookie,
      http_referer: `https://app.example.test/?code=${SECRETS.referer}`,
      upstream_addr: '10.0.0.1:8080',
      request_time: 0.05,
    });
  const lines = [line(0, 200, SESSION), line(1, 404, SESSION), line(2, 404, SESSION), line(3, 200, OTHER_SESSION)];
  // Cut in the middle: a rejected line.
  return `${[...lines, line(4, 200, SESSION).slice(0, -30)].join('\n')}\n`;
}

function spans(): string {
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const span = (index: number) => ({
    traceId: `4bf92f3577b34da6a3ce929d0e0e473${index}`,
    spanId: `00f067aa0ba902b${index}`,
    name: 'tools/call create_issue',
    kind: 2,
    startTimeUnixNano: `${1794492300 + index}000000000`,
    endTimeUnixNano: `${1794492301 + index}000000000`,
    attributes: [
      text('mcp.method.name', 'tools/call'),
      text('gen_ai.tool.name', 'create_issue'),
      text('mcp.session.id', SESSION),
      text('jsonrpc.request.id', String(index)),
      text('url.full', `https://user:${SECRETS.login}@mcp.example.test/mcp?token=${SECRETS.query}`),
      text('url.query', `token=${SECRETS.query}`),
      text('http.request.header.authorization', `Bearer ${SECRETS.authorization}`),
      text('http.request.header.cookie', SECRETS.cookie!),
      text('gen_ai.tool.call.arguments', JSON.stringify({ key: SECRETS.argument })),
      text('gen_ai.tool.call.result', SECRETS.result!),
      text('exception.message', SECRETS.errorText!),
    ],
    status: { code: 2, message: SECRETS.errorText },
  });
  const resource = { attributes: [text('service.name', 'server'), text('deployment.token', SECRETS.meta!)] };
  return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'mcp' }, spans: [span(1), span(2)] }] }] })}\n`;
}

function cli(...args: string[]): { out: string; err: string; code: number | null } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'latin1' });
  return { out: stdout, err: stderr, code: status };
}

function leaksIn(text: string): string[] {
  const encodings = (secret: string) => [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ];
  return Object.entries(SECRETS)
    .filter(([, secret]) => encodings(secret).some((form) => text.includes(form)))
    .map(([where]) => where);
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const CAPTURES = ['capture.har', 'access.log', 'spans.json', 'broken.har'];

describe.skipIf(!existsSync('dist/cli/main.js'))('planted secrets (skipped without `npm run build`)', () => {
  test('are found by this test where they stand', () => {
    const all = CAPTURES.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
    expect(leaksIn(all)).toEqual(Object.keys(SECRETS));
  });

  test('are in no report, no message and no byte of the database', async () => {
    const outs = ['json', 'ndjson', 'md', 'html', 'csv', 'sarif', 'xml', 'otlp.json', 'txt'].map(
      (name) => `report.${name}`,
    );
    const { out, err } = cli(
      'analyze',
      ...CAPTURES,
      '--db',
      'kept.duckdb',
      '--wide',
      ...outs.flatMap((name) => ['--out', name]),
    );
    expect(out).toContain('epoch-merge');
    expect(leaksIn(out), 'standard output').toEqual([]);
    expect(leaksIn(err), 'standard error').toEqual([]);
    for (const name of outs) expect(leaksIn(readFileSync(join(folder, name), 'latin1')), name).toEqual([]);
    const files = readdirSync(folder).filter((name) => name.startsWith('kept.duckdb'));
    for (const name of files) expect(leaksIn(readFileSync(join(folder, name), 'latin1')), name).toEqual([]);
    // What lies compressed in the file is read as rows.
    const store = await openStore({ path: join(folder, 'kept.duckdb'), readOnly: true });
    try {
      const tables = await store.rows<{ name: string }>('select table_name as name from information_schema.tables');
      expect(tables.length).toBeGreaterThan(10);
      for (const { name } of tables) {
        const rows = JSON.stringify(await store.rows(`select * from "${name}"`), plain);
        expect(leaksIn(rows), name).toEqual([]);
      }
    } finally {
      store.close();
    }
  });

  test.each([
    ['exchanges'],
    ['sessions'],
    ['resumes'],
    ['calls'],
    ['timeline', SESSION],
    ['doctor'],
    ['query', 'select * from exchange join message using (exchange_id)'],
  ])('are not in the list of %s', (...command) => {
    const { out, err } = cli(...command, ...CAPTURES, '--format', 'json');
    expect(out.length).toBeGreaterThan(100);
    expect(leaksIn(out + err)).toEqual([]);
  });

  test('come out with --reveal alone, and then only session ids', () => {
    const { out } = cli('analyze', ...CAPTURES, '--format', 'json', '--reveal');
    expect(leaksIn(out)).toEqual(['session', 'otherSession']);
  });

  test('are not in the message about a session that is not there', () => {
    const { err, code } = cli('timeline', SECRETS.argument!, 'capture.har');
    expect(code).toBe(2);
    expect(leaksIn(err)).toEqual([]);
  });
});
