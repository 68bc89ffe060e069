import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Incident } from '../../src/incident/finding.js';
import { loadConfig } from '../../src/schedule/config.js';
import { keepIncident } from '../../src/schedule/kept.js';
import { messageBody } from '../../src/schedule/messages.js';
import { notify } from '../../src/schedule/notify.js';
import { withState } from '../../src/schedule/state.js';
import { makePlace, type Place, quietHost } from './support/job.js';

const INCIDENT: Incident = {
  id: '00112233445566ff',
  title: 'A request for one session was answered under another <!channel>',
  severity: 'critical',
  cause: 'epoch-merge',
  at: '2026-11-12T14:02:00.000Z',
  until: '2026-11-12T14:03:00.000Z',
  summary: 'Session S1 & S2 \u202e',
  impact: { sessions: 2, duplicateCalls: 1, unknownOutcomes: 0 },
  findings: ['f1'],
  timeline: [],
  reconcile: [],
  remediation: ['Server: answer 404.'],
  state: 'new',
};

let place: Place;
let server: Server;
let answers: number[];
let asked: { headers: IncomingHttpHeaders; body: string }[];

beforeEach(async () => {
  answers = [];
  asked = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      asked.push({ headers: request.headers, body });
      const status = answers.shift() ?? 200;
      response.writeHead(status, { 'retry-after': '0', location: 'http://127.0.0.1:1/' }).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`;
  place = makePlace(`notifications:\n  - { name: a, url: "${url}", tries: 3 }`);
});
afterEach(() => {
  server.close();
  place.remove();
});

/** @param isNoted whether the message has yet to be noted */
async function send(isNoted: boolean) {
  const config = await loadConfig(place.config, {});
  return withState(config, 0, quietHost(), async (store) => {
    if (!isNoted) {
      await keepIncident(store, { incident: INCIDENT, state: 'new', mergedIn: null });
      await store.run("insert into notice values ('key-1', 'a', '00112233445566ff', false)");
    }
    return notify(store, config, quietHost());
  });
}

describe('a message', () => {
  test('is sent once, however often it is tried again afterwards', async () => {
    expect(await send(false)).toEqual({ sent: 1, failures: [] });
    expect(await send(true)).toEqual({ sent: 0, failures: [] });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.headers['idempotency-key']).toBe('key-1');
  });

  test('is tried again with the same key when the receiver is in trouble', async () => {
    answers = [503, 429];
    expect((await send(false)).sent).toBe(1);
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1', 'key-1']);
  });

  test('waits for the next run when the receiver stays in trouble, and the URL is not told', async () => {
    answers = [500, 500, 500];
    const { sent, failures } = await send(false);
    expect(sent).toBe(0);
    expect(failures[0]?.message).toBe('notification "a": answered 500');
    expect((await send(true)).sent).toBe(1);
    expect(asked).toHaveLength(4);
  });

  test('is not pressed on a receiver that refuses it', async () => {
    answers = [404];
    expect((await send(false)).failures[0]?.message).toBe('notification "a": answered 404');
    expect(asked).toHaveLength(1);
  });

  test('does not follow a redirection', async () => {
    answers = [302, 302, 302];
    expect((await send(false)).sent).toBe(0);
  });
});

describe('what a message says', () => {
  test('is the incident, as JSON', () => {
    const body = JSON.parse(messageBody('json', INCIDENT, 'key-1')) as Record<string, unknown>;
    expect(body).toMatchObject({
      schema: 'mcp-postmortem/notification@1',
      key: 'key-1',
      incident: { id: INCIDENT.id, severity: 'critical', impact: { sessions: 2 } },
    });
  });

  test('mentions nobody in Slack, and hides nothing', () => {
    const text = messageBody('slack', INCIDENT, 'key-1');
    const body = JSON.parse(text) as { text: string; blocks: { type: string; text?: { type: string } }[] };
    expect(body.text).not.toContain('<!channel>');
    expect(body.blocks.every(({ text: part }) => part === undefined || part.type === 'plain_text')).toBe(true);
    expect(text).not.toContain('\u202e');
  });
});
