import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Collected, collectPath, fieldsOf, NO_OPTIONS } from '../../support/collect.js';

const FORMATS = '../shared/corpus/formats';
const hasCorpus = existsSync(FORMATS);
if (!hasCorpus) console.warn('../shared/corpus is absent: its log files are not read');

interface Expectation {
  readonly title: string;
  readonly inputs: readonly string[];
  readonly options?: readonly string[];
  readonly format: unknown;
  readonly exchanges: unknown;
  readonly rejected?: unknown;
  readonly sources?: Readonly<Record<string, { readonly format?: unknown; readonly records?: unknown }>>;
  readonly fields?: readonly Readonly<Record<string, unknown>>[];
}

/** A value, a list of accepted values, `{any: […]}` or `{min, max}`. */
function meets(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((one) => meets(one, found));
  if (typeof wanted !== 'object' || wanted === null) return wanted === found;
  const { min, max } = wanted as { min?: number; max?: number };
  return Number(found) >= (min ?? Number.NEGATIVE_INFINITY) && Number(found) <= (max ?? Number.POSITIVE_INFINITY);
}

function fieldMeets(key: string, wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'object' && wanted !== null && 'any' in wanted) {
    return (wanted.any as unknown[]).some((one) => fieldMeets(key, one, found));
  }
  if (key.endsWith('Ms') && typeof wanted === 'number' && typeof found === 'number')
    return Math.abs(wanted - found) <= 1;
  return JSON.stringify(wanted) === JSON.stringify(found);
}

describe.skipIf(!hasCorpus)('logs as producers write them', () => {
  const folders = hasCorpus ? readdirSync(FORMATS).filter((name) => /^(?:3\d\d|509|510)-/.test(name)) : [];
  for (const folder of folders) {
    const expected = JSON.parse(readFileSync(`${FORMATS}/${folder}/expect.json`, 'utf8')) as Expectation;
    if (folder.startsWith('325')) continue;
    it(`${folder}: ${expected.title}`, async () => {
      const logFormat = expected.options?.[0] === '--log-format' ? (expected.options[1] ?? null) : null;
      const all = new Collected();
      for (const input of expected.inputs) {
        const one = await collectPath(`${FORMATS}/${folder}/${input}`, { ...NO_OPTIONS, logFormat });
        const source = expected.sources?.[input];
        const wanted = source?.format ?? (expected.sources === undefined ? expected.format : one.summary?.format);
        expect(meets(wanted, one.summary?.format), `${input}: ${one.summary?.format}`).toBe(true);
        if (source?.records !== undefined) expect(one.summary?.records).toBe(source.records);
        all.captures.push(...one.captures);
        all.rejects.push(...one.rejects);
        all.companions.push(...one.companions);
      }
      expect(meets(expected.exchanges, all.captures.length), `${all.captures.length} exchanges`).toBe(true);
      if (expected.rejected !== undefined) {
        expect(meets(expected.rejected, all.rejects.length), JSON.stringify(all.rejects)).toBe(true);
      }
      const isJoined = all.companions.length > 0;
      for (const { exchange, ...fields } of expected.fields ?? []) {
        const found = fieldsOf(all.captures[exchange as number]!);
        for (const [key, wanted] of Object.entries(fields)) {
          if (key === 'endState' && isJoined) continue;
          expect(fieldMeets(key, wanted, found[key]), `${exchange}: ${key} is ${JSON.stringify(found[key])}`).toBe(
            true,
          );
        }
      }
    });
  }

  it('refuses a text whose format nobody can know', async () => {
    await expect(collectPath(`${FORMATS}/325-unknown-text-format/custom.log`)).rejects.toMatchObject({
      code: 'input-unknown-format',
      hint: expect.stringContaining('--log-format'),
    });
  });
});

const REAL = '../shared/corpus/real';

describe.skipIf(!hasCorpus)('logs that real proxies wrote', () => {
  it.each([
    ['mcp.log', 'access-log/nginx', 19, 0],
    ['mcp.jsonl', 'access-log/nginx-json', 19, 0],
    ['combined.log', 'access-log/nginx', 15, 0],
    ['none.log', 'access-log/nginx-json', 18, 0],
    ['haproxy.out', 'access-log/haproxy', 33, 1],
    ['apache_mcp.log', 'access-log/apache', 17, 0],
    ['caddy.log', 'access-log/caddy', 10, 0],
  ])('%s is read to its last line', async (file, format, exchanges, rejects) => {
    const log = await collectPath(`${REAL}/${file}`);
    expect(log.summary?.format).toBe(format);
    expect([log.captures.length, log.rejects.length]).toEqual([exchanges, rejects]);
    expect(log.captures.length + log.rejects.length + log.skipped).toBe(log.summary?.records);
  });

  it('names both upstreams of a request that nginx tried twice', async () => {
    const { captures } = await collectPath(`${REAL}/mcp.log`);
    expect(captures[0]?.exchange.backends).toEqual(['127.0.0.1:19003', '127.0.0.1:19001']);
    expect(captures[0]?.exchange.backendStatuses).toEqual([502, 200]);
  });

  it('tells the columns of HAProxy captures apart', async () => {
    const { captures } = await collectPath(`${REAL}/haproxy.out`);
    const resumed = captures.map(({ exchange }) => exchange).find((exchange) => exchange.lastEventId !== null);
    expect(resumed).toMatchObject({
      requestSession: '1868a90c-aaaa',
      responseSession: '1868a90c-aaaa',
      lastEventId: 'ev-42 "q\\x" | {b}',
      userAgent: 'mcp-client/1.0 (n/a)',
      responseType: 'text/event-stream',
    });
  });
});
