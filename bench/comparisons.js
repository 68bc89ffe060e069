import { fileURLToPath } from 'node:url';
import { har } from './inputs/har.js';
import { nginxJson, nginxText } from './inputs/nginx-log.js';
import { otlpJsonLines } from './inputs/otlp-json.js';
import { otlpFrames } from './inputs/otlp-proto.js';
import { isInstalled, measureNode, measureProgram } from './measure.js';

const GOACCESS_FORMAT = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u" "%^"';
const LNAV_SQL = ';SELECT cs_uri_stem, sc_status, count(*) FROM access_log GROUP BY cs_uri_stem, sc_status';
const MEGABYTE = 2 ** 20;

/**
 * What is compared with what. `size` scales the input (1: as in the table of figures to hold); `target`: product's time over the peer's.
 * @param {number} size
 */
export function comparisons(size) {
  const lines = Math.round(1_000_000 * size);
  const spans = Math.round(400_000 * size);
  const even = { exchanges: lines, perSession: 10, atOnce: 1000, seed: 1 };
  const fifth = Math.round(lines / 5);
  const mixed = { spans, mcpShare: 0.1, seed: 2 };
  return [
    log('nginx-text', () => nginxText(even), [goaccess(0.4), lnav(1)]),
    log('nginx-json', () => nginxJson(even), []),
    log('nginx-json-tenth', () => nginxJson({ ...even, exchanges: Math.round(lines / 10) }), []),
    log('one-session', () => nginxJson({ ...even, exchanges: fifth, perSession: fifth, atOnce: 1 }), []),
    log('sessions-of-one', () => nginxJson({ ...even, perSession: 1, atOnce: 1 }), []),
    { name: 'otlp-json', extension: 'jsonl', make: () => otlpJsonLines(mixed), peers: [jq(1 / 1.5), duckdb(1)] },
    { name: 'otlp-proto', extension: 'binpb', make: () => otlpFrames(mixed), peers: [protobufjs(1 / 1.3)] },
    {
      name: 'one-call-repeated',
      extension: 'jsonl',
      make: () => otlpJsonLines({ spans: spans / 4, mcpShare: 1, seed: 3, repeated: true }),
      peers: [],
    },
    {
      name: 'har',
      extension: 'har',
      make: () => har({ bytes: 490 * MEGABYTE * size, seed: 4 }),
      peers: [jsonParse(1.3)],
    },
    { name: 'har-double', extension: 'har', make: () => har({ bytes: 1000 * MEGABYTE * size, seed: 4 }), peers: [] },
  ];
}

function log(name, make, peers) {
  return { name, extension: name.includes('json') || !name.includes('text') ? 'jsonl' : 'log', make, peers };
}

function goaccess(target) {
  const args = (path) => [
    path,
    '-o',
    'json',
    '--no-global-config',
    `--log-format=${GOACCESS_FORMAT}`,
    '--date-format=%d/%b/%Y',
    '--time-format=%T',
  ];
  return program('goaccess', args, target);
}

function lnav(target) {
  return program('lnav', (path) => ['-n', '-c', LNAV_SQL, path], target);
}

function jq(target) {
  return program('jq', (path) => ['-r', '.resourceSpans[].scopeSpans[].spans[].spanId', path], target);
}

function program(name, args, target) {
  return { name, target, isThere: async () => isInstalled(name), run: (path) => measureProgram(name, args(path)) };
}

function jsonParse(target) {
  return script('JSON.parse', './peers/json-parse.js', target, null);
}

function duckdb(target) {
  return script('DuckDB read_json', './peers/duckdb-read-json.js', target, '@duckdb/node-api');
}

function protobufjs(target) {
  return script('protobufjs', './peers/protobufjs.js', target, 'protobufjs');
}

function script(name, file, target, needs) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return { name, target, isThere: () => canImport(needs), run: (input) => measureNode(path, [input]) };
}

async function canImport(name) {
  if (name === null) return true;
  return import(name).then(
    () => true,
    () => false,
  );
}
