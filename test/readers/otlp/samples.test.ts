import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPath } from './read.js';

const SAMPLES = join(import.meta.dirname, '../../../samples/traces');

describe('the samples of trace exports', () => {
  it.each([
    ['http-spans-with-headers.jsonl', 'otlp/json', 5, 0],
    ['mcp-server-spans.jsonl', 'otlp/json', 4, 1],
    ['jaeger.json', 'jaeger', 1, 0],
    ['otel_traces.jsonl', 'clickhouse-rows', 1, 0],
  ])('%s is %s with %i exchanges', async (file, format, exchanges, skipped) => {
    const { into, formats } = await readPath(join(SAMPLES, file));
    expect(formats).toEqual([format]);
    expect([into.captures.length, into.skipped, into.rejects.length]).toEqual([exchanges, skipped, 0]);
  });

  it('show a resume that was answered under another session', async () => {
    const { into } = await readPath(join(SAMPLES, 'http-spans-with-headers.jsonl'));
    expect(into.captures[3]?.exchange).toMatchObject({
      requestSession: 'S1',
      lastEventId: 'e140',
      responseSession: 'S2',
      backends: ['10.20.0.12:8080'],
      sawRequestHeaders: true,
      sawResponseHeaders: true,
    });
  });
});
