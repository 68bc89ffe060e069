import { describe, expect, it } from 'vitest';
import { collectPath } from '../../support/collect.js';

describe('the sample logs', () => {
  it.each([
    ['nginx.jsonl', 'access-log/nginx-json', ['unknown', 'unknown', 'unknown']],
    ['haproxy.log', 'access-log/haproxy', ['complete', 'truncated', 'complete']],
    ['envoy.jsonl', 'access-log/envoy-json', ['truncated', 'complete']],
    ['apache.log', 'access-log/apache', ['unknown', 'client-aborted']],
    ['caddy.log', 'access-log/caddy', ['unknown']],
    ['traefik.jsonl', 'access-log/traefik', ['unknown']],
  ])('%s is read whole, and its exchanges end as it says', async (file, format, ends) => {
    const log = await collectPath(`samples/logs/${file}`);
    expect(log.summary?.format).toBe(format);
    expect(log.captures.map(({ exchange }) => exchange.endState)).toEqual(ends);
    expect(log.captures.every(({ exchange }) => exchange.sawRequestHeaders && exchange.backends.length > 0)).toBe(true);
    expect(log.rejects).toEqual([]);
  });

  it('the error log of nginx names the exchange that was cut', async () => {
    const { companions, summary } = await collectPath('samples/logs/nginx-error.log');
    expect(summary).toMatchObject({ format: 'error-log/nginx', evidence: ['end-state'] });
    expect(companions).toEqual([expect.objectContaining({ connection: '71', endState: 'truncated' })]);
  });

  it('the columns of HAProxy that the sample configuration declares are told apart', async () => {
    const { captures } = await collectPath('samples/logs/haproxy.log');
    expect(captures[2]?.exchange).toMatchObject({
      requestSession: 's-1',
      responseSession: null,
      lastEventId: 'e7',
      protocolVersion: '2025-11-25',
      userAgent: 'mcp-client/2.0',
    });
  });
});
