import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { fromClickhouseText } from '../../../src/readers/otlp/clickhouse-text.js';
import { CsvRows } from '../../../src/readers/otlp/csv.js';
import { unlz4 } from '../../../src/readers/otlp/lz4.js';
import type { Collected } from '../../support/collect.js';
import { readBytes, traceReaderFor } from './read.js';

const TRACE = '6a58924a361655e5484cc37d215a1504';
const SPAN = '3ee87d97328af615';
const TAGS = {
  'mcp.method.name': 'tools/call',
  'gen_ai.tool.name': "it's",
  'mcp.session.id': 's-1',
  'http.response.status_code': '200',
};

const ROW = {
  Timestamp: '2026-11-19 10:20:00.123456789',
  TraceId: TRACE,
  SpanId: SPAN,
  ParentSpanId: '',
  SpanName: "tools/call it's",
  SpanKind: 'Server',
  ServiceName: 'ticket-server',
  ResourceAttributes: { 'service.name': 'ticket-server', 'k8s.pod.name': 'mcp-2' },
  ScopeName: 'mcp',
  SpanAttributes: TAGS,
  Duration: '612000000',
  StatusCode: 'Unset',
  StatusMessage: '',
};

function expectTheCall({ captures, rejects }: Collected): void {
  expect(rejects).toEqual([]);
  expect(captures.map(({ exchange }) => exchange)).toEqual([
    expect.objectContaining({
      traceId: TRACE,
      spanId: SPAN,
      parentSpanId: null,
      startedNs: 1795083600123456789n,
      endedNs: 1795083600735456789n,
      requestSession: 's-1',
      tool: "it's",
      status: 200,
      vantage: 'server',
      backends: ['mcp-2'],
      endpoint: 'ticket-server',
    }),
  ]);
}

describe('rows of ClickHouse', () => {
  it('as JSONEachRow', async () => {
    expectTheCall(
      await readBytes(`${JSON.stringify(ROW)}\n${JSON.stringify({ ...ROW, SpanAttributes: {}, ScopeName: '' })}\n`),
    );
  });

  it('as JSON with meta and data', async () => {
    expectTheCall(
      await readBytes(
        JSON.stringify({ meta: [{ name: 'Timestamp', type: 'DateTime64(9)' }], data: [ROW], rows: 1 }, null, 2),
      ),
    );
  });

  it('as an array of rows', async () => {
    expectTheCall(await readBytes(`[\n${JSON.stringify(ROW)}\n]\n`));
  });

  it('with attributes in columns of type JSON, which nest at the dots', async () => {
    const SpanAttributes = {
      mcp: { method: { name: 'tools/call' }, session: { id: 's-1' } },
      gen_ai: { tool: { name: "it's" } },
      http: { response: { status_code: 200 } },
    };
    expectTheCall(await readBytes(`${JSON.stringify({ ...ROW, SpanAttributes })}\n`));
  });

  it('as CSV with names, maps in single quotes', async () => {
    const map = (values: object): string =>
      `{${Object.entries(values)
        .map(([key, value]) => `'${key}':'${String(value).replace("'", "\\'")}'`)
        .join(',')}}`;
    const columns = Object.keys(ROW)
      .map((name) => `"${name}"`)
      .join(',');
    const cells = Object.values(ROW).map(
      (value) => `"${(typeof value === 'object' ? map(value) : value).replaceAll('"', '""')}"`,
    );
    expectTheCall(await readBytes(`${columns}\n${cells.join(',')}\n`, 7));
  });

  it.each(['uncompressed', 'snappy', 'zstd', 'gzip', 'lz4_raw'])('as Parquet, %s', async (codec) => {
    const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
    try {
      const file = join(folder, 'traces.parquet');
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const map = (values: object): string =>
        `MAP {${Object.entries(values)
          .map(([key, value]) => `'${key}': '${String(value).replace("'", "''")}'`)
          .join(', ')}}`;
      const cells = Object.entries(ROW).map(([name, value]) => {
        if (name === 'Timestamp') return `TIMESTAMP_NS '${value}' AS "${name}"`;
        if (name === 'Duration') return `${value}::UBIGINT AS "${name}"`;
        return `${typeof value === 'object' ? map(value) : `'${value.replace("'", "''")}'`} AS "${name}"`;
      });
      await connection.run(`COPY (SELECT ${cells.join(', ')}) TO '${file}' (FORMAT parquet, COMPRESSION ${codec})`);
      connection.closeSync();
      expectTheCall(await readBytes(readFileSync(file)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('a Parquet file of something else says which columns it has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
    try {
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      await connection.run(`COPY (SELECT 1 AS price) TO '${join(folder, 'x.parquet')}' (FORMAT parquet)`);
      connection.closeSync();
      const bytes = readFileSync(join(folder, 'x.parquet'));
      await expect(readBytes(bytes)).rejects.toMatchObject({
        code: 'input-unknown-format',
        message: expect.stringContaining('price'),
      });
      await expect(readBytes(bytes.subarray(0, 40))).rejects.toMatchObject({ code: 'input-unreadable' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('broken in one line or row lose that one', async () => {
    const sink = await readBytes(`${JSON.stringify(ROW)}\n{"Timestamp":"2026\n`);
    expect([sink.captures.length, sink.rejects.length]).toEqual([1, 1]);
    const csv = await readBytes('Timestamp,TraceId,SpanName\n2026-11-19 10:20:00,a,b,c\n"cut');
    expect(csv.rejects.map(({ locator }) => locator)).toEqual(['row 2', 'row 3']);
  });
});

describe('Jaeger', () => {
  const trace = {
    traceID: TRACE.slice(1),
    spans: [
      {
        traceID: TRACE.slice(1),
        spanID: SPAN,
        operationName: 'tools/call x',
        references: [{ refType: 'CHILD_OF', traceID: TRACE, spanID: '1' }],
        startTime: 1795082400000001,
        duration: 40000,
        tags: [
          { key: 'span.kind', type: 'string', value: 'server' },
          ...Object.entries(TAGS).map(([key, value]) => ({ key, type: 'string', value })),
        ],
        logs: [],
        processID: 'p1',
      },
    ],
    processes: { p1: { serviceName: 'ticket-server', tags: [{ key: 'host.name', type: 'string', value: 'node-3' }] } },
  };
  const expected = {
    traceId: `0${TRACE.slice(1)}`,
    spanId: SPAN,
    parentSpanId: '0000000000000001',
    startedNs: 1795082400000001000n,
    endedNs: 1795082400040001000n,
    precisionNs: 1000n,
    backends: ['node-3'],
    requestSession: 's-1',
  };

  it.each<[string, string]>([
    ['its API', JSON.stringify({ data: [trace], total: 0 })],
    ['its API, pretty-printed', JSON.stringify({ data: [trace] }, null, 2)],
    ['a single trace', JSON.stringify(trace)],
    ['traces in an array', JSON.stringify([trace])],
    ['a trace a line', `${JSON.stringify(trace)}\n${JSON.stringify({ traceID: 'a', spans: [], processes: {} })}\n`],
    ['spans as storages keep them', `${JSON.stringify({ ...trace.spans[0], process: trace.processes.p1 })}\n`],
  ])('as %s', async (_how, text) => {
    const { captures } = await readBytes(text, 100);
    expect(captures.map(({ exchange }) => exchange)).toEqual([expect.objectContaining(expected)]);
  });

  it('cut in its second trace keeps the first', async () => {
    const text = JSON.stringify({ data: [trace, trace] });
    const sink = await readBytes(text.slice(0, -300));
    expect([sink.captures.length, sink.rejects.length]).toEqual([1, 1]);
  });
});

describe('Zipkin', () => {
  const span = {
    traceId: TRACE,
    id: SPAN,
    kind: 'SERVER',
    name: 'x',
    timestamp: 1795083000000000,
    duration: 90000,
    localEndpoint: { serviceName: 'ticket-server', ipv4: '10.0.4.2', port: 8080 },
    tags: TAGS,
  };

  it.each<[string, string]>([
    ['an array of spans', JSON.stringify([span])],
    ['an array of traces', JSON.stringify([[span]])],
    ['a span a line', `${JSON.stringify(span)}\n${JSON.stringify({ ...span, id: '1', tags: {} })}\n`],
  ])('as %s', async (_how, text) => {
    const { captures } = await readBytes(text);
    expect(captures.map(({ exchange }) => exchange)).toEqual([
      expect.objectContaining({
        endedNs: 1795083000090000000n,
        requestSession: 's-1',
        backends: ['10.0.4.2:8080'],
        vantage: 'server',
      }),
    ]);
  });
});

describe('small parts', () => {
  it('CSV keeps quotes, commas and line breaks inside quotes, however it is cut into pieces', () => {
    const text = 'a,"b ""c"", d\ne",f\r\n"",g,\n';
    for (let at = 0; at <= text.length; at += 1) {
      const csv = new CsvRows();
      const rows = [...csv.push(text.slice(0, at)), ...csv.push(text.slice(at)), ...csv.end().rows];
      expect(rows).toEqual([
        ['a', 'b "c", d\ne', 'f'],
        ['', 'g', ''],
      ]);
    }
  });

  it("ClickHouse's text keeps escapes, nesting and what it does not know", () => {
    expect(fromClickhouseText("{'a':'it\\'s','b':'x\\ny'}")).toEqual(
      Object.assign(Object.create(null), { a: "it's", b: 'x\ny' }),
    );
    expect(fromClickhouseText("['a',['b'],1]")).toEqual(['a', ['b'], '1']);
    expect(fromClickhouseText('{"a":{"b":1}}')).toEqual({ a: { b: 1 } });
    for (const text of ['[unclosed', '{', "{'a'}", 'plain']) expect(fromClickhouseText(text)).toBe(text);
  });

  it('LZ4 refuses references that lead outside', () => {
    expect(Buffer.from(unlz4(Buffer.from([0x44, 0x61, 0x62, 0x63, 0x64, 4, 0]), 12)).toString()).toBe('abcdabcdabcd');
    expect(() => unlz4(Buffer.from([0x14, 0x61, 9, 0]), 9)).toThrow(RangeError);
    expect(() => unlz4(Buffer.from([0xf0]), 9)).toThrow(RangeError);
  });

  it('an access log in CSV is not a table of spans', () => {
    expect(traceReaderFor(Buffer.from('Timestamp,status,path\n2026,200,/mcp\n'))).toBeNull();
  });
});
