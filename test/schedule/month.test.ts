import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpKept } from './support/dump.js';
import { makePlace, type Place, quietHost, runOnce, writeAt } from './support/job.js';
import { healthySession, mergedSession } from './support/traffic.js';

const DAY = 86_400_000;
const START = Date.parse('2026-11-01T00:00:00Z');

interface Message {
  readonly key: string;
  readonly body: { incident: { id: string; title: string; at: string; severity: string } };
}

/** A receiver of webhooks that refuses its first `refusals` messages. */
async function receiver(
  refusals: number,
): Promise<{ server: Server; url: string; taken: Message[]; asked: () => number }> {
  const taken: Message[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      asked += 1;
      if (asked > refusals) taken.push({ key: String(request.headers['idempotency-key']), body: JSON.parse(text) });
      response.writeHead(asked > refusals ? 204 : 503).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, taken, asked: () => asked };
}

/** What one day exports: thirty clients, and on two days a client that resumes into another session. */
function dayOf(day: number): string {
  const from = START + day * DAY;
  const healthy = Array.from({ length: 30 }, (_, n) => healthySession(`d${day}c${n}`, from + n * 2_400_000, 6, 60_000));
  const incident =
    day === 8 || day === 21 ? [mergedSession(`d${day}-before`, `d${day}-after`, from + 10 * 3_600_000)] : [];
  return [...healthy, ...incident].flat().join('');
}

describe('thirty days of exports, some late, some doubled, with two incidents in them', () => {
  let place: Place;
  let hook: Awaited<ReturnType<typeof receiver>>;

  beforeAll(async () => {
    hook = await receiver(1);
    place = makePlace(
      `lateness: 2d\nretention: { records: 5d }\nnotifications:\n  - { name: on-call, url: "${hook.url}", min-severity: high }\noutputs: { prometheus: metrics.prom }`,
      'month',
    );
    for (let day = 0; day < 30; day += 1) {
      const today = START + (day + 1) * DAY;
      const write = (name: string, of: number) => writeAt(join(place.inbox, name), dayOf(of), today);
      // every fifth day's export comes a day late, every seventh comes twice, under another name
      if (day % 5 !== 4) write(`day-${String(day).padStart(2, '0')}.jsonl`, day);
      if (day % 5 === 0 && day > 0) write(`day-${String(day - 1).padStart(2, '0')}.jsonl`, day - 1);
      if (day % 7 === 1) write(`again-${day}.jsonl`, day);
      const { failures } = await runOnce(
        place,
        quietHost([], () => today + 3_600_000),
      );
      expect(failures).toEqual([]);
    }
  }, 900_000);

  afterAll(() => {
    hook.server.close();
    place.remove();
  });

  test('make two messages, each once, with a key that a receiver can know it by', () => {
    expect(hook.taken.map(({ body }) => body.incident.at.slice(0, 10))).toEqual(['2026-11-09', '2026-11-22']);
    expect(new Set(hook.taken.map(({ key }) => key)).size).toBe(2);
    expect(hook.asked()).toBe(3);
  });

  test('leave an index that tells both stories, newest first', () => {
    const page = readFileSync(join(place.reports, 'index.html'), 'utf8');
    const days = [...page.matchAll(/<h2>(\d{4}-\d{2}-\d{2})<\/h2>/g)].map((match) => match[1]);
    expect(days).toEqual(['2026-11-22', '2026-11-09']);
    expect(page.match(/notified/g)).toHaveLength(2);
    expect(page).not.toContain('<script');
    for (const { body } of hook.taken) {
      const story = join(place.reports, 'incidents', `${body.incident.id}.html`);
      expect(existsSync(story)).toBe(true);
      expect(readFileSync(story, 'utf8')).toContain('was answered under another');
    }
  });

  test('leave the facts of the first incident, and not its records', async () => {
    const kept = await dumpKept(place.state);
    expect(kept.incidents).toHaveLength(2);
    expect(kept.incidents.every(({ state }) => state === 'resolved')).toBe(true);
    expect(kept.oldestRecord).toBeGreaterThan(START + 23 * DAY);
    expect(kept.findings).toBeGreaterThanOrEqual(2);
  });

  test('leave metrics of the last run', () => {
    const text = readFileSync(join(place.root, 'metrics.prom'), 'utf8');
    expect(text).toMatch(/^mcp_postmortem_last_success_timestamp_seconds \d+$/m);
    expect(text).toMatch(/^mcp_postmortem_bytes_read_total \d+$/m);
    expect(text).toContain('# TYPE mcp_postmortem_findings gauge');
  });

  test('leave no half-written file', () => {
    const names = readdirSync(place.reports, { recursive: true }).map(String);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
