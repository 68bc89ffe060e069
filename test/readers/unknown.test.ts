import { expect, it, describe as suite } from 'vitest';
import { describe } from '../../src/readers/unknown.js';

const what = (head: string | Uint8Array) => describe(Buffer.from(head as string)).what;

suite('an input that no reader knows', () => {
  it.each([
    ['', 'empty'],
    ['  \n\0\0', 'blank'],
    ['null', 'the JSON value null'],
    ['42\n', 'the JSON value 42'],
    ['"text"', 'the JSON value "text"'],
    ['<!DOCTYPE html><p>', 'an HTML page'],
    ['<?xml version="1.0"?>', 'an XML document'],
    ['%PDF-1.7', 'a PDF document'],
    ['SQLite format 3\0', 'an SQLite database'],
    ['PAR1\x15\x04', 'a Parquet file'],
    ['hello there', 'text in a form'],
    ['[[['.repeat(400), 'nested too deep'],
    ['{"a":'.repeat(600), 'nested too deep'],
    ['{"resourceMetrics":[]}', 'OTLP metrics'],
    ['{"name":"x","context":{"trace_id":"0x1"},"parent_id":null,"start_time":"2026"}', 'Python console exporter'],
    ['{"schema":{"fields":[]},"data":{"values":[]}}', 'Grafana data frame'],
    ['{"traceEvents":[]}', 'Chrome performance trace'],
    ['[{"direction":"request","message":{"jsonrpc":"2.0"}}]', 'without HTTP'],
    ['{"x":1}', 'JSON of an unknown kind'],
    ['1234:9:websocket;0:~4:type;4:http;7:version;2:21#mitmproxy', 'mitmproxy flow file'],
  ])('%j is described', (head, expected) => {
    expect(what(head)).toContain(expected);
  });

  it('is described by its magic bytes when it is binary', () => {
    expect(what(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10))).toBe('a PNG image');
    expect(what(Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1, 2, 0))).toContain('pcap');
    expect(what(Uint8Array.of(1, 2, 3, 4, 5, 6))).toContain('binary');
  });

  it('gets a hint that says what to do', () => {
    expect(describe(Buffer.from('100:7:version;2:21#9:mitmproxy')).hint).toContain('hardump');
    expect(describe(Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)).hint).toContain('unxz');
    for (const head of ['', '{}', 'x', '\x01\x02']) expect(describe(Buffer.from(head)).hint).not.toBe('');
  });

  it('is not quoted beyond a JSON scalar', () => {
    expect(what('Authorization: Bearer secret-token')).not.toContain('secret');
  });
});
