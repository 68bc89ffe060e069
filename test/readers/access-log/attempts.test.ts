import { expect, it } from 'vitest';
import { readOne } from './lines.js';

const ENVOY = {
  start_time: '2026-11-18T15:00:00.000Z',
  method: 'POST',
  path: '/mcp',
  response_code: 200,
  response_flags: '-',
  duration: 604,
  upstream_host: '10.0.0.7:8080',
  sid: '1868a90c-aaaa-4bbb-8ccc-0123456789ab',
};

it('counts the tries that Envoy counts, though only the last instance is named', async () => {
  const line = `${JSON.stringify({ ...ENVOY, upstream_request_attempt_count: 2 })}\n`;
  expect(await readOne(line)).toMatchObject({ attempts: 2, backends: ['10.0.0.7:8080'] });
});

it('counts the first try with the retries of Traefik', async () => {
  const line = `${JSON.stringify({
    StartUTC: '2026-11-18T15:00:00Z',
    Duration: 604000000,
    RequestMethod: 'POST',
    RequestPath: '/mcp',
    DownstreamStatus: 200,
    ServiceAddr: '10.0.0.7:8080',
    RetryAttempts: 1,
    'request_Mcp-Session-Id': '1868a90c-aaaa-4bbb-8ccc-0123456789ab',
  })}\n`;
  expect((await readOne(line)).attempts).toBe(2);
});

it('takes no count for no count', async () => {
  expect((await readOne(`${JSON.stringify(ENVOY)}\n`)).attempts).toBeNull();
});
