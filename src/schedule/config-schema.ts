import { SEVERITIES } from '../incident/finding.js';
import { VANTAGES } from '../readers/record.js';
import { REPORT_FORMATS } from '../report/render.js';
import { DURATION_PATTERN, SIZE_PATTERN } from './units.js';

/** As much of JSON Schema as the configuration needs. */
export interface ConfigSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly anyOf?: readonly ConfigSchema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
  /** `false`: no other keys. */
  readonly additionalProperties?: false | ConfigSchema;
}

const text = (description: string): ConfigSchema => ({ type: 'string', description });
const choice = (description: string, words: readonly string[], byDefault?: string): ConfigSchema => ({
  type: 'string',
  description,
  enum: words,
  ...(byDefault === undefined ? {} : { default: byDefault }),
});
const duration = (description: string, byDefault?: string): ConfigSchema => ({
  type: 'string',
  description: `${description} Written 90s, 15m, 6h, 14d or 2w.`,
  pattern: DURATION_PATTERN,
  ...(byDefault === undefined ? {} : { default: byDefault }),
});
const integer = (description: string, byDefault: number, minimum: number, maximum: number): ConfigSchema => ({
  type: 'integer',
  description,
  default: byDefault,
  minimum,
  maximum,
});
const flag = (description: string): ConfigSchema => ({ type: 'boolean', description, default: false });
const list = (description: string, items: ConfigSchema, minItems = 0): ConfigSchema => ({
  type: 'array',
  description,
  items,
  ...(minItems > 0 ? { minItems } : {}),
});
const group = (
  description: string,
  properties: Readonly<Record<string, ConfigSchema>>,
  required: readonly string[] = [],
): ConfigSchema => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
});

const input = group(
  'Captures to read.',
  {
    path: text(
      'A file, a folder (with everything in it), or a pattern with * ? [] {} **. %Y %m %d %H stand for the time that a folder is about: older ones are not looked into.',
    ),
    format: text('Read as this kind instead of finding out by content: har, access-log, otlp …'),
    'log-format': text('log_format of nginx, LogFormat of Apache or log-format of HAProxy.'),
    map: text('Where a JSON log keeps what: session=$.headers.sid,method=$.verb'),
    vantage: choice('Whose view the captures are.', VANTAGES),
    zone: text('Zone of times without one: +02:00 or Europe/Berlin. UTC otherwise.'),
  },
  ['path'],
);

const suppression = group(
  'Hides findings that someone has looked at and accepted.',
  {
    detector: text('Id of a detector.'),
    session: text('A session as printed.'),
    finding: text('Id of a finding.'),
    reason: text('Why it is accepted.'),
    expires: { type: 'string', description: 'Last day (UTC), YYYY-MM-DD.', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  },
  ['reason'],
);

const receiver = group(
  'Who is told of new incidents. Give url or url-from.',
  {
    name: { type: 'string', description: 'Told apart by it.', pattern: '^[A-Za-z0-9_.-]{1,60}$' },
    kind: choice('What is sent.', ['json', 'slack'], 'json'),
    url: text('http or https.'),
    'url-from': text('Environment variable that holds the URL: Slack URLs are secrets.'),
    'min-severity': choice('Nothing below.', SEVERITIES, 'high'),
    tries: integer('Attempts in one run; the next run goes on.', 4, 1, 10),
  },
  ['name'],
);

/** The one description of the configuration: checked against, published as JSON Schema, and the source of defaults. */
export const CONFIG_SCHEMA: ConfigSchema = group(
  'Configuration of mcp-postmortem run. Paths are relative to this file.',
  {
    inputs: list('What is read.', input, 1),
    state: { ...text('The database that a run leaves for the next.'), default: 'state/mcp-postmortem.duckdb' },
    lateness: duration(
      'How late records may come: what is at most this much older than the newest record is judged again.',
      '6h',
    ),
    settle: duration('A document that was written to within this time is left for the next run.', '5s'),
    patience: duration(
      'A broken-off file or last line that nobody has written to for this time is read as it is.',
      '1h',
    ),
    retention: group('How long what is kept. Sessions that go on are kept whole.', {
      records: duration('Exchanges, events and messages.', '14d'),
      findings: duration('Findings and incidents.', '400d'),
      'max-size': {
        type: 'string',
        description: 'Records go, the oldest first, when the database grows beyond it.',
        pattern: SIZE_PATTERN,
        default: '4GB',
      },
    }),
    detectors: group('What is looked for.', {
      only: list('Run these alone.', text('Id.')),
      skip: list('Leave these out.', text('Id.')),
      params: {
        type: 'object',
        description: 'Other values of parameters: duplicate-tool-call.within_s: 60',
        additionalProperties: { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }] },
      },
      queries: text('Folder of your own detectors.'),
      'time-limit': integer('Seconds for each detector of your own.', 30, 1, 3600),
      'min-severity': choice('Report nothing below.', SEVERITIES, 'info'),
    }),
    suppressions: {
      description: 'A file, or the list itself.',
      anyOf: [text('File.'), list('List.', suppression)],
    },
    baseline: text('An earlier result document: its findings are known.'),
    outputs: group('What a run writes.', {
      folder: { ...text('Folder of reports, with index.html.'), default: 'reports' },
      formats: list(
        'Formats of latest.* and of dated reports.',
        choice(
          'Format.',
          REPORT_FORMATS.filter((format) => format !== 'table'),
        ),
      ),
      keep: integer('Dated reports to keep.', 30, 1, 10_000),
      prometheus: text('Text file for the textfile collector of node_exporter: metrics.prom'),
      otlp: text('File for findings as OTLP/JSON log records.'),
      'otlp-endpoint': text('OTLP/HTTP endpoint for the same: http://collector:4318/v1/logs'),
    }),
    notifications: list('Who is told of new incidents.', receiver),
    'fail-on': choice('Exit with 1 for new findings from here on.', [...SEVERITIES, 'never'], 'high'),
    strict: flag('A rejected record makes the run end with 2.'),
    'memory-limit': { type: 'string', description: "DuckDB's share of memory.", pattern: SIZE_PATTERN },
    threads: { type: 'integer', description: 'Threads of DuckDB.', minimum: 1, maximum: 256 },
  },
  ['inputs'],
);

/** JSON Schema (draft 2020-12) of the configuration file, published as `config.schema.json`. */
export function configSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'mcp-postmortem/config@1',
    title: 'Configuration of mcp-postmortem run',
    ...CONFIG_SCHEMA,
  };
}
