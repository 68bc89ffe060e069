import { firstByte, peekText } from './input/sniff.js';

/** What an input is that no reader knows, and what its owner can do about it. */
export interface Description {
  /** Completes "the file is …". */
  readonly what: string;
  readonly hint: string;
}

const EXPECTED =
  'Expected a HAR, an access log, an OTLP or other trace export, an MCP Inspector or mcpsnoop export. `--input-format` and `--log-format` override what is found.';

const MAGICS: readonly (readonly [readonly number[], string, string])[] = [
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image', EXPECTED],
  [[0xff, 0xd8, 0xff], 'a JPEG image', EXPECTED],
  [[0x47, 0x49, 0x46, 0x38], 'a GIF image', EXPECTED],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document', EXPECTED],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program', EXPECTED],
  [[0x42, 0x5a, 0x68], 'compressed with bzip2', 'Unpack it with `bunzip2` first.'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'compressed with xz', 'Unpack it with `unxz` first.'],
  [[0x04, 0x22, 0x4d, 0x18], 'compressed with lz4', 'Unpack it with `lz4 -d` first.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7-Zip archive', 'Unpack it first.'],
  [[0x50, 0x4b], 'a zip archive without a capture in it', EXPECTED],
  [[0xd4, 0xc3, 0xb2, 0xa1], 'a packet capture (pcap)', 'Packets are not read; capture a HAR or a proxy log.'],
  [[0xa1, 0xb2, 0xc3, 0xd4], 'a packet capture (pcap)', 'Packets are not read; capture a HAR or a proxy log.'],
  [[0x4d, 0x3c, 0xb2, 0xa1], 'a packet capture (pcap)', 'Packets are not read; capture a HAR or a proxy log.'],
  [[0x0a, 0x0d, 0x0d, 0x0a], 'a packet capture (pcapng)', 'Packets are not read; capture a HAR or a proxy log.'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file', 'Only Parquet files of OpenTelemetry traces are read.'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'an SQLite database', 'Export its rows as JSON lines.'],
  [[0x1f, 0x8b], 'compressed more often than this tool unpacks', 'Unpack it by hand.'],
];

const FLOW_HINT = 'Convert it: `mitmdump -nr FILE --set hardump=capture.har`, then analyse `capture.har`.';

/**
 * Describes an input that no reader knows, for the error message.
 * @param head first bytes, decompressed
 */
export function describe(head: Uint8Array): Description {
  if (head.length === 0) return { what: 'empty', hint: 'Check that the capture was saved.' };
  for (const [magic, what, hint] of MAGICS) if (magic.every((byte, i) => head[i] === byte)) return { what, hint };
  const text = peekText(head, 64 * 1024);
  if (/^\d+:(\d+:|.{0,200}?\d+:version;)/s.test(text) && text.includes('mitmproxy')) {
    return { what: 'a mitmproxy flow file', hint: FLOW_HINT };
  }
  if (/^\d{1,12}:/.test(text) && /;\d+:(version|request|response|type|client_conn)[;,]/.test(text)) {
    return { what: 'a mitmproxy flow file', hint: FLOW_HINT };
  }
  if (head[257] === 0x75 && peekText(head.subarray(257, 262)) === 'ustar') {
    return { what: 'a tar archive', hint: 'Unpack it first: `tar -xf FILE`.' };
  }
  return firstByte(head) === -1
    ? { what: 'blank: it holds white space or NUL bytes only', hint: 'Check that the capture was saved.' }
    : describeText(text.trimStart(), head);
}

function describeText(text: string, head: Uint8Array): Description {
  if (text.startsWith('{') || text.startsWith('[')) return describeJson(text);
  if (/^(null|true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?|"[^"\n]*"?)\s*$/.test(text)) {
    return { what: `the JSON value ${text.trim().slice(0, 20)} and no capture`, hint: EXPECTED };
  }
  if (/^<(!doctype html|html)/i.test(text))
    return { what: 'an HTML page', hint: 'Save the export itself, not the page.' };
  if (text.startsWith('<')) return { what: 'an XML document', hint: EXPECTED };
  const binary = head.subarray(0, 4096).filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  if (binary > Math.min(head.length, 4096) / 20) return { what: 'binary data of an unknown kind', hint: EXPECTED };
  return { what: 'text in a form no reader knows', hint: EXPECTED };
}

function describeJson(text: string): Description {
  const has = (name: string) => text.includes(`"${name}"`);
  if (/^[[{]{200}/.test(text.replace(/\s/g, '').slice(0, 200)) || depthOf(text) > 512) {
    return { what: 'JSON that is nested too deep (more than 512 levels)', hint: EXPECTED };
  }
  if (has('context') && has('parent_id') && has('start_time') && has('trace_id')) {
    return {
      what: 'spans as the Python console exporter prints them',
      hint: 'Export with the OTLP file or HTTP exporter instead of `ConsoleSpanExporter`.',
    };
  }
  if (has('schema') && has('fields') && has('data') && has('values')) {
    return {
      what: 'a Grafana data frame',
      hint: "Use the download button of the trace view, or Tempo's `/api/traces/<id>`, instead of the panel's data.",
    };
  }
  if (has('sampleType') || has('stringTable'))
    return { what: 'a profile (pprof)', hint: 'Profiles carry no requests; export traces.' };
  if (has('resourceMetrics') || has('resource_metrics'))
    return { what: 'OTLP metrics', hint: 'Metrics carry no requests; export traces or logs.' };
  if (has('direction') && has('message') && has('jsonrpc')) {
    return {
      what: 'a log of JSON-RPC messages without HTTP, as the MCP Inspector exports its protocol history',
      hint: 'Sessions and resumes are in HTTP headers: export the network log instead.',
    };
  }
  if (has('traceEvents'))
    return { what: 'a Chrome performance trace', hint: 'Export a HAR from the Network panel instead.' };
  if (has('info') && has('item') && text.includes('schema.getpostman.com'))
    return { what: 'a Postman collection', hint: EXPECTED };
  if (has('openapi') || has('swagger')) return { what: 'an API description', hint: EXPECTED };
  return { what: 'JSON of an unknown kind', hint: EXPECTED };
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}
