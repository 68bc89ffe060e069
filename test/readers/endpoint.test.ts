import { describe, expect, test } from 'vitest';
import { redactQuery, splitTarget } from '../../src/readers/endpoint.js';

describe('the target of a request', () => {
  test.each([
    ['https://u:secret@H.test:443/mcp?x=1#f', 'https://h.test/mcp', '/mcp?x=1'],
    ['http://h.test:8080/mcp', 'http://h.test:8080/mcp', '/mcp'],
    ['https://h.test', 'https://h.test/', '/'],
    ['https://h.test?x=1', 'https://h.test/', '?x=1'],
    ['http://[::1]:80/mcp', 'http://[::1]/mcp', '/mcp'],
    ['h.test/mcp', 'h.test/mcp', '/mcp'],
    ['/mcp?x=1', 'api.test/mcp', '/mcp?x=1'],
    ['//mcp', 'api.test//mcp', '//mcp'],
  ])('%s', (url, endpoint, path) => {
    expect(splitTarget(url, 'api.test')).toEqual({ endpoint, path });
  });

  test('a path without a host is its own endpoint', () => {
    expect(splitTarget('/mcp', null).endpoint).toBe('/mcp');
  });
});

describe('secrets in a query', () => {
  test.each([
    ['/mcp?access_token=abc&x=1', '/mcp?access_token=REDACTED&x=1'],
    ['/mcp?api-key=abc', '/mcp?api-key=REDACTED'],
    ['/messages/?sessionId=abc', '/messages/?sessionId=REDACTED'],
    ['/mcp?Key=abc&KEY=', '/mcp?Key=REDACTED&KEY='],
    ['/mcp?t=eyJhbGciOiJIUzI1NiJ9.e30.abc', '/mcp?t=REDACTED'],
    ['/mcp?auth[token]=a', '/mcp?auth[token]=REDACTED'],
    ['/mcp?x=1&y', '/mcp?x=1&y'],
    ['/mcp?', '/mcp?'],
    ['/mcp', '/mcp'],
  ])('%s', (path, redacted) => {
    expect(redactQuery(path)).toBe(redacted);
  });
});
