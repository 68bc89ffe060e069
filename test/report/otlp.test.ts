import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DescMessage, fromBinary, toJson } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import { batches } from '../../src/report/otlp/batches.js';
import { otlpEndpoint } from '../../src/report/otlp/endpoint.js';
import { renderOtlp } from '../../src/report/otlp.js';
import { sendOtlp } from '../../src/report/otlp-send.js';
import type { ResultDocument } from '../../src/report/result-document.js';
import { REQUEST } from '../readers/otlp/descriptor.js';
import { cleanDocument, spliceDocument } from '../support/result.js';
import { hostileDocument, PAYLOADS } from '../support/result-hostile.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

/** The splice, its first finding read from a span. */
function tracedDocument(): ResultDocument {
  const document = spliceDocument();
  const [first, ...others] = document.findings;
  const evidence = first!.evidence.map((piece, index) =>
    index === 1 ? { ...piece, traceId: TRACE, spanId: SPAN } : piece,
  );
  return { ...document, findings: [{ ...first!, evidence }, ...others] };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function attributesOf({ attributes }: { attributes: Attribute[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe('a document as OTLP', () => {
  const read = (document: ResultDocument) => JSON.parse(renderOtlp(document));

  it('has a log record for each finding, on the span that it was found on', () => {
    const records = read(tracedDocument()).resourceLogs[0].scopeLogs[0].logRecords;
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({
      traceId: TRACE,
      spanId: SPAN,
      severityNumber: 21,
      severityText: 'critical',
      eventName: 'mcp_postmortem.finding',
      timeUnixNano: '1794492156280000000',
      body: { stringValue: spliceDocument().findings[0]!.explanation },
    });
    expect(attributesOf(records[0])).toMatchObject({
      'mcp_postmortem.finding.id': '00000000000000a1',
      'mcp_postmortem.finding.detector': 'epoch-merge',
      'mcp_postmortem.incident.id': '7c21f0aa90b3e514',
      'mcp_postmortem.fact.last_event_id': 'e140',
    });
  });

  it('has a span for each incident, linked to the spans that it was found on', () => {
    const { resourceSpans, resourceLogs } = read(tracedDocument());
    const [span] = resourceSpans[0].scopeSpans[0].spans;
    expect(span).toMatchObject({
      name: 'incident epoch-merge',
      startTimeUnixNano: '1794492133830000000',
      endTimeUnixNano: '1794492167000000000',
      status: { code: 2 },
    });
    expect(span.links.map(({ traceId, spanId }: Record<string, string>) => [traceId, spanId])).toEqual([[TRACE, SPAN]]);
    expect(span.events).toHaveLength(9);
    const second = resourceLogs[0].scopeLogs[0].logRecords[1];
    expect([second.traceId, second.spanId], 'a finding without a span of its own').toEqual([span.traceId, span.spanId]);
  });

  it('has the same ids whatever else is told, so that sending it again doubles nothing', () => {
    const once = read(tracedDocument());
    const [span] = once.resourceSpans[0].scopeSpans[0].spans;
    const [again] = read({ ...tracedDocument(), command: 'another' }).resourceSpans[0].scopeSpans[0].spans;
    expect([again.traceId, again.spanId]).toEqual([span.traceId, span.spanId]);
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  it('takes ids that are no trace ids for none', () => {
    const document = tracedDocument();
    const [first, ...others] = document.findings;
    const evidence = [{ ...first!.evidence[0]!, traceId: 'x'.repeat(32), spanId: '0'.repeat(16) }];
    const records = read({ ...document, findings: [{ ...first!, evidence, incident: null }, ...others] });
    expect(records.resourceLogs[0].scopeLogs[0].logRecords[0].traceId).toBeUndefined();
  });

  it('keeps facts that are no int64 as text', () => {
    const document = spliceDocument();
    const facts = { far: 2 ** 70, part: 0.5, none: null, list: [1, null], nan: Number.NaN };
    const read1 = read({ ...document, findings: [{ ...document.findings[0]!, facts }] });
    const attributes = attributesOf(read1.resourceLogs[0].scopeLogs[0].logRecords[0]);
    expect(attributes).toMatchObject({
      'mcp_postmortem.fact.far': String(2 ** 70),
      'mcp_postmortem.fact.part': 0.5,
      'mcp_postmortem.fact.nan': 'NaN',
    });
    expect(Object.keys(attributes)).not.toContain('mcp_postmortem.fact.none');
  });

  it('of a clean run is readable and empty', () => {
    expect(read(cleanDocument())).toEqual({ resourceLogs: [], resourceSpans: [] });
  });
});

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** An OTLP receiver that answers as told, request after request; then 200. */
async function receiver(
  ...answers: ((response: ServerResponse) => void)[]
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      const answer = answers.shift();
      if (answer === undefined) response.writeHead(200).end();
      else answer(response);
    });
  });
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const patience = { tries: 3, firstWaitMs: 1, longestWaitMs: 500, timeoutMs: 300 };
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end();

describe('an OTLP endpoint', () => {
  it('is sent spans and log records as protobuf', async () => {
    const { url, received } = await receiver();
    await sendOtlp(tracedDocument(), otlpEndpoint(url), { patience });
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/logs']);
    expect(received.map(({ headers }) => headers['content-type'])).toEqual(Array(2).fill('application/x-protobuf'));
    const traces = toJson(REQUEST as DescMessage, fromBinary(REQUEST, received[0]!.body)) as unknown as {
      resourceSpans: { scopeSpans: { spans: { name: string; spanId: string }[] }[] }[];
    };
    const [span] = traces.resourceSpans[0]!.scopeSpans[0]!.spans;
    const written = JSON.parse(renderOtlp(tracedDocument())).resourceSpans[0].scopeSpans[0].spans[0];
    expect(span?.name).toBe(written.name);
    expect(Buffer.from(span!.spanId, 'base64').toString('hex')).toBe(written.spanId);
    expect(received[1]!.body.includes(Buffer.from(TRACE, 'hex'))).toBe(true);
  });

  it('is sent JSON when asked for it', async () => {
    const { url, received } = await receiver();
    await sendOtlp(tracedDocument(), otlpEndpoint(`${url}/otlp/v1/logs`), { patience, protocol: 'http/json' });
    expect(received.map(({ path }) => path)).toEqual(['/otlp/v1/traces', '/otlp/v1/logs']);
    const sent = Object.assign({}, ...received.map(({ body }) => JSON.parse(body.toString('utf8'))));
    expect(sent).toEqual(JSON.parse(renderOtlp(tracedDocument())));
  });

  it('is sent nothing by a run that found nothing', async () => {
    const { url, received } = await receiver();
    await sendOtlp(cleanDocument(), otlpEndpoint(url), { patience });
    expect(received).toEqual([]);
  });

  it('that is busy is asked again, with the same bytes', async () => {
    const { url, received } = await receiver(status(503, { 'retry-after': '0' }), status(429));
    await sendOtlp(tracedDocument(), otlpEndpoint(url), { patience });
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces', '/v1/traces', '/v1/logs']);
    expect(received[1]!.body.equals(received[0]!.body)).toBe(true);
  });

  it.each([
    ['refuses', [status(400)], 1, 'it answered 400'],
    ['sends elsewhere', [status(307, { location: 'http://127.0.0.1:9/' })], 1, 'it answered 307'],
    ['stays busy', Array(3).fill(status(503)), 3, 'it answered 503 (3 attempts)'],
    ['asks for an hour', [status(429, { 'retry-after': '3600' })], 1, 'it answered 429'],
    ['does not answer', Array(3).fill(() => undefined), 3, 'it did not answer in time (3 attempts)'],
    ['hangs up', Array(3).fill((response: ServerResponse) => response.destroy()), 3, '(3 attempts)'],
  ] as const)('that %s is an error which names it', async (_, answers, requests, message) => {
    const { url, received } = await receiver(...answers);
    const sent = sendOtlp(tracedDocument(), otlpEndpoint(url), { patience });
    await expect(sent).rejects.toMatchObject({ code: 'endpoint-refused', message: expect.stringContaining(message) });
    await expect(sent).rejects.toThrow(url);
    expect(received).toHaveLength(requests);
  });

  it('that took only a part says how much is missing', async () => {
    const partial = JSON.stringify({ partialSuccess: { rejectedLogRecords: '2', errorMessage: 'too old' } });
    const { url } = await receiver(status(200), (response) => void response.writeHead(200).end(partial));
    const sent = sendOtlp(tracedDocument(), otlpEndpoint(url), { patience, protocol: 'http/json' });
    await expect(sent).rejects.toThrow(/2 of the findings .* not taken: too old/);
  });

  it('gets credentials in headers, and no message shows them', async () => {
    const { url, received } = await receiver(status(200), status(401));
    const endpoint = otlpEndpoint(url.replace('//', '//user:s3cret@'), 'x-scope-orgid=team%20a');
    const sent = sendOtlp(tracedDocument(), endpoint, { patience });
    await expect(sent).rejects.not.toThrow(/s3cret/);
    expect(received[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('user:s3cret').toString('base64')}`,
      'x-scope-orgid': 'team a',
    });
  });

  it.each(['ftp://host', 'localhost:4318', 'secret'])('%s is refused before anything is read', (url) => {
    expect(() => otlpEndpoint(url)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('takes no header that would break out of its line', () => {
    expect(() => otlpEndpoint('http://h', 'a=b%0d%0ac: d')).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

it('requests are split to what receivers take, and hold every item in its order', () => {
  const items = Array.from({ length: 1200 }, (_, index) => `${index}`.padEnd(index % 7 === 0 ? 40_000 : 10, '.'));
  const encode = (part: string[]) => Buffer.from(part.join('\n'));
  const requests = [...batches(items, encode)];
  expect(requests.map((request) => Buffer.from(request).toString()).join('\n')).toBe(items.join('\n'));
  expect(Math.max(...requests.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(2_000_000);
  expect(requests.length).toBeGreaterThan(3);
});

it('hostile text is inert in OTLP and encodes as protobuf too', async () => {
  const { url, received } = await receiver();
  for (const payload of PAYLOADS) {
    await sendOtlp(hostileDocument(spliceDocument(), payload), otlpEndpoint(url), { patience });
  }
  expect(received.length).toBeGreaterThanOrEqual(PAYLOADS.length);
});

describe('findings of real captures', () => {
  it('carry the spans that they were read from, and are no traffic to the readers', async () => {
    const document = await analyzeFiles(['samples/rolling-deploy']);
    const { resourceLogs, resourceSpans } = JSON.parse(renderOtlp(document));
    const traces = new Set(
      readFileSync('samples/rolling-deploy/traces.jsonl', 'utf8').match(/(?<="traceId":")[0-9a-f]{32}/g),
    );
    const duplicate = resourceLogs[0].scopeLogs[0].logRecords.find(
      (record: { attributes: Attribute[] }) =>
        attributesOf(record)['mcp_postmortem.finding.detector'] === 'duplicate-tool-call',
    );
    expect(traces).toContain(duplicate.traceId);
    expect(resourceSpans[0].scopeSpans[0].spans[0].links.length).toBeGreaterThan(0);

    const folder = mkdtempSync(join(tmpdir(), 'otlp-back-'));
    try {
      writeFileSync(join(folder, 'findings.otlp.json'), renderOtlp(document));
      const again = await analyzeFiles([folder]);
      expect(again.sources.map(({ error }) => error)).toEqual([null]);
      expect(again.totals.exchanges).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
