import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { otlpJsonReader } from '../../../src/readers/otlp/json-reader.js';
import { Collected, NO_OPTIONS } from '../../support/collect.js';
import { type ArbitraryRequest, arbitraryRequest } from './arbitrary.js';
import { inputOf } from './read.js';
import { line, span } from './spans.js';

async function readLines(text: string): Promise<Collected> {
  const sink = new Collected();
  sink.summary = await otlpJsonReader.read(inputOf(text), sink, NO_OPTIONS);
  return sink;
}

/** The same request with a span attribute that nothing reads but that makes every span worth parsing. */
function unskippable(request: ArbitraryRequest): ArbitraryRequest {
  const copy = structuredClone(request);
  for (const { scopeSpans } of copy.resourceSpans) {
    for (const { spans } of scopeSpans) {
      for (const each of spans) each.attributes.unshift({ key: 'test.mcp.mark', value: {} });
    }
  }
  return copy;
}

const essence = (sink: Collected) => ({
  exchanges: sink.captures,
  duplicates: sink.duplicates,
  rejects: sink.rejects,
  evidence: sink.summary?.evidence,
});

describe('passing over spans unparsed', () => {
  it('loses nothing: parsing every span gives the same exchanges', async () => {
    let exchanges = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRequest, { maxLength: 3 }), async (requests) => {
        const skipped = await readLines(requests.map((request) => JSON.stringify(request)).join('\n'));
        const parsed = await readLines(requests.map((request) => JSON.stringify(unskippable(request))).join('\n'));
        exchanges += skipped.captures.length;
        expect(essence(skipped)).toEqual(essence(parsed));
      }),
      { numRuns: 300, seed: 20261204 },
    );
    expect(exchanges).toBeGreaterThan(150);
  });

  it('counts the spans that it passes over', async () => {
    const foreign = span({ name: 'SELECT carts', attributes: { 'db.system.name': 'postgresql' } });
    const sink = await readLines(
      line([foreign, foreign, foreign]) + line([foreign]).replaceAll('UnixNano', 'UnixNano'),
    );
    expect(sink.skipped).toBe(4);
    expect(sink.summary?.records).toBe(4);
  });

  it('is not fooled by letters behind escapes', async () => {
    const text = line([span({ attributes: { 'mcp.method.name': 'tools/call' } })]).replace(
      'mcp.method',
      '\\u006dcp.method',
    );
    expect((await readLines(text)).captures).toHaveLength(1);
  });

  it('still rejects a foreign line that is cut', async () => {
    const sink = await readLines(line([span({})]) + line([span({})]).slice(0, 80));
    expect(sink.rejects.map(({ locator }) => locator)).toEqual(['line 2']);
  });

  it('keeps requests without any mark once their path is known to be an endpoint', async () => {
    const known = span({ attributes: { 'url.path': '/rpc', 'mcp.method.name': 'ping' } });
    const bare = (path: string) => span({ attributes: { 'http.request.method': 'GET', 'url.path': path } });
    const sink = await readLines(line([known]) + line([bare('/rpc')]) + line([bare('/other')]));
    expect(sink.captures.map(({ exchange }) => exchange.path)).toEqual(['/rpc', '/rpc']);
    expect(sink.skipped).toBe(1);
  });
});
