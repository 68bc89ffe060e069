import { type Command, InvalidArgumentError, Option } from 'commander';
import { PostmortemError } from '../error.js';
import { SEVERITIES, type Severity } from '../incident/finding.js';
import type { ReaderOptions } from '../readers/reader.js';
import { VANTAGES, type Vantage } from '../readers/record.js';
import { OTLP_PROTOCOLS, type OtlpProtocol } from '../report/otlp/protocol.js';
import { REPORT_FORMATS } from '../report/render.js';
import type { WindowOptions } from './window.js';

export interface InputOptions {
  readonly inputFormat?: string;
  readonly logFormat?: string;
  readonly map?: string;
  readonly vantage?: Vantage;
  readonly zone?: string;
  readonly keepBodies?: boolean;
}

export interface StoreOptions {
  readonly db?: string;
  readonly memoryLimit?: string;
  readonly threads?: number;
}

export interface OutputOptions {
  readonly format: readonly string[];
  readonly out: readonly string[];
  readonly quiet?: boolean;
  readonly reveal?: boolean;
  readonly color: boolean;
  readonly wide?: boolean;
}

/** Where findings go beside the reports. */
export interface EndpointOptions {
  readonly otlpEndpoint?: string;
  readonly otlpProtocol?: OtlpProtocol;
}

export interface FindingOptions extends WindowOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly minSeverity?: Severity;
  readonly queries?: string;
  readonly param: readonly string[];
  readonly suppress?: string;
  readonly baseline?: string;
  readonly failOn: Severity | 'never';
  readonly strict?: boolean;
  readonly timing?: boolean;
  readonly timeLimit?: number;
}

/** Options that say how inputs are read. */
export function addInputOptions(command: Command): Command {
  return command
    .optionsGroup('Reading:')
    .option('--input-format <kind>', 'read every input as this kind instead of finding out by its content')
    .option('--log-format <string>', 'log_format of nginx, LogFormat of Apache or log-format of HAProxy')
    .option('--map <fields>', 'where a JSON log keeps what: session=$.headers.sid,method=$.verb')
    .addOption(new Option('--vantage <side>', 'whose view the inputs are').choices(VANTAGES))
    .option('--zone <zone>', 'zone of times without one: +02:00 or Europe/Berlin (UTC otherwise)')
    .option('--keep-bodies', 'keep message bodies in the database');
}

export function addStoreOptions(command: Command): Command {
  return command
    .optionsGroup('Database:')
    .option('--db <file>', 'keep the DuckDB database in this file, or read the one that is there')
    .addOption(new Option('--memory-limit <size>', "DuckDB's share of memory: 400MB").argParser(memorySize))
    .addOption(new Option('--threads <n>', 'threads of DuckDB').argParser(positiveInteger));
}

export function addWindowOptions(command: Command): Command {
  return command
    .optionsGroup('Time:')
    .option('--since <time>', 'only what happened from then on: 2026-11-12T14:00:00Z')
    .option('--until <time>', 'only what happened before')
    .option('--last <duration>', 'only the last 90m, 24h, 7d before the newest record');
}

/** Outputs of a command that prints a report. */
export function addReportOptions(command: Command): Command {
  return addOutputOptions(
    command,
    `what goes to standard output: ${REPORT_FORMATS.join(', ')} (default: table)`,
    'also write a report; .json .ndjson .md .html .csv .sarif .xml (JUnit) .otlp.json .txt (repeatable)',
  );
}

/** Outputs of a command that prints a list. */
export function addListOptions(command: Command): Command {
  return addOutputOptions(
    command,
    'what goes to standard output: table, json, ndjson, csv, md (default: table)',
    'also write the list; .json .ndjson .csv .md .txt (repeatable)',
  );
}

/** Outputs of `timeline`, which draws too. */
export function addTimelineOptions(command: Command): Command {
  return addOutputOptions(
    command,
    'what goes to standard output: table, json, ndjson, csv, md, svg (default: table)',
    'also write the list, or a picture of it; .json .ndjson .csv .md .txt .svg (repeatable)',
  );
}

function addOutputOptions(command: Command, formats: string, files: string): Command {
  return command
    .optionsGroup('Output:')
    .option('--format <format>', formats, collect, [])
    .option('--out <file>', files, collect, [])
    .option('--reveal', 'show session ids whole: they are live credentials')
    .option('--wide', 'show everything in tables')
    .option('--quiet', 'no progress, no warnings, no table')
    .option('--no-color', 'no colours');
}

export function addEndpointOptions(command: Command): Command {
  return command
    .optionsGroup('OpenTelemetry:')
    .option(
      '--otlp-endpoint <url>',
      'also send findings as log records and incidents as spans: http://localhost:4318 (headers from OTEL_EXPORTER_OTLP_HEADERS)',
    )
    .addOption(
      new Option('--otlp-protocol <protocol>', 'how to send them').choices(OTLP_PROTOCOLS).default(OTLP_PROTOCOLS[0]),
    );
}

export function addFindingOptions(command: Command): Command {
  return command
    .optionsGroup('Judging:')
    .option('--only <detectors>', 'run these detectors alone (comma-separated)', list)
    .option('--skip <detectors>', 'leave these out', list)
    .addOption(new Option('--min-severity <severity>', 'report nothing below').choices(SEVERITIES))
    .option('--queries <dir>', 'detectors of your own')
    .option('--param <detector.name=value>', 'another value for a parameter of a detector (repeatable)', collect, [])
    .option('--suppress <file>', 'findings that were looked at and accepted')
    .option('--baseline <file>', 'an earlier result document: its findings are known')
    .addOption(
      new Option('--fail-on <severity>', 'exit with 1 from here on').choices([...SEVERITIES, 'never']).default('high'),
    )
    .option('--strict', 'a rejected record is an error')
    .option('--timing', 'say how long each detector took')
    .addOption(new Option('--time-limit <seconds>', 'for each detector of your own').argParser(positiveInteger));
}

/** What readers are told. */
export function readerOptions(options: InputOptions): ReaderOptions {
  return {
    vantage: options.vantage ?? null,
    logFormat: options.logFormat ?? null,
    map: options.map ?? null,
    zone: options.zone ?? null,
    keepBodies: options.keepBodies ?? false,
  };
}

/** `--param detector.name=value` as the runner takes them. @throws PostmortemError `usage` */
export function detectorParams(given: readonly string[]): Record<string, number | string | boolean> {
  const params: Record<string, number | string | boolean> = {};
  for (const text of given) {
    const parts = /^([a-z0-9-]+\.[a-z0-9_]+)=(.*)$/s.exec(text);
    if (parts === null) {
      throw new PostmortemError(
        'usage',
        `--param ${text}: is no detector.name=value`,
        '`detectors explain` lists them.',
      );
    }
    const value = parts[2]!;
    const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
    params[parts[1]!] = isNumber ? Number(value) : value === 'true' ? true : value === 'false' ? false : value;
  }
  return params;
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(value);
}

function memorySize(value: string): string {
  if (!/^\d+(\.\d+)?\s*[kmgt]i?b$/i.test(value)) throw new InvalidArgumentError('Write 400MB or 2GB.');
  return value;
}
