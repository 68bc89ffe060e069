import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { parseSuppressions, readSuppressions, type Suppression } from '../detect/suppressions.js';
import { PostmortemError } from '../error.js';
import type { Severity } from '../incident/finding.js';
import type { ReaderOptions } from '../readers/reader.js';
import type { Vantage } from '../readers/record.js';
import type { ReportFormat } from '../report/render.js';
import { checkedYaml } from './config-check.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { durationNs, sizeBytes } from './units.js';

export interface JobInput {
  /** Absolute. */
  readonly path: string;
  readonly format: string | null;
  readonly options: ReaderOptions;
}

export interface Receiver {
  readonly name: string;
  readonly kind: 'json' | 'slack';
  /** null: the environment variable is not set. */
  readonly url: string | null;
  readonly minSeverity: Severity;
  readonly tries: number;
}

/** What a run is told. Paths are absolute, defaults filled in. */
export interface JobConfig {
  readonly path: string;
  readonly inputs: readonly JobInput[];
  readonly state: string;
  readonly latenessNs: bigint;
  readonly settleMs: number;
  readonly patienceMs: number;
  readonly keepRecordsNs: bigint;
  readonly keepFindingsNs: bigint;
  readonly maxBytes: number;
  readonly only: readonly string[] | null;
  readonly skip: readonly string[];
  readonly params: Readonly<Record<string, number | string | boolean>>;
  readonly queries: string | null;
  readonly timeLimitMs: number;
  readonly minSeverity: Severity;
  readonly suppressions: readonly Suppression[];
  /** Where suppressions stand, for messages. */
  readonly suppressionsPath: string;
  readonly baseline: string | null;
  readonly folder: string;
  readonly formats: readonly ReportFormat[];
  readonly keepReports: number;
  readonly prometheus: string | null;
  readonly otlp: string | null;
  readonly otlpEndpoint: string | null;
  readonly receivers: readonly Receiver[];
  readonly failOn: Severity | 'never';
  readonly strict: boolean;
  readonly memoryLimit: string | null;
  readonly threads: number | null;
}

/** The file as it is written, once it has been checked. */
interface Written {
  readonly inputs: readonly {
    readonly path: string;
    readonly format?: string;
    readonly 'log-format'?: string;
    readonly map?: string;
    readonly vantage?: Vantage;
    readonly zone?: string;
  }[];
  readonly state?: string;
  readonly lateness?: string;
  readonly settle?: string;
  readonly patience?: string;
  readonly retention?: { readonly records?: string; readonly findings?: string; readonly 'max-size'?: string };
  readonly detectors?: {
    readonly only?: readonly string[];
    readonly skip?: readonly string[];
    readonly params?: Readonly<Record<string, number | string | boolean>>;
    readonly queries?: string;
    readonly 'time-limit'?: number;
    readonly 'min-severity'?: Severity;
  };
  readonly suppressions?: string | readonly object[];
  readonly baseline?: string;
  readonly outputs?: {
    readonly folder?: string;
    readonly formats?: readonly ReportFormat[];
    readonly keep?: number;
    readonly prometheus?: string;
    readonly otlp?: string;
    readonly 'otlp-endpoint'?: string;
  };
  readonly notifications?: readonly {
    readonly name: string;
    readonly kind?: 'json' | 'slack';
    readonly url?: string;
    readonly 'url-from'?: string;
    readonly 'min-severity'?: Severity;
    readonly tries?: number;
  }[];
  readonly 'fail-on'?: Severity | 'never';
  readonly strict?: boolean;
  readonly 'memory-limit'?: string;
  readonly threads?: number;
}

/**
 * Reads the configuration of `run`.
 * @throws PostmortemError `config-invalid`, naming file and line
 */
export async function loadConfig(path: string, env: NodeJS.ProcessEnv = process.env): Promise<JobConfig> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const hint = '`mcp-postmortem init` writes one.';
    throw new PostmortemError('config-invalid', `${path}: cannot be read`, hint, { cause });
  });
  const written = checkedYaml(path, text, CONFIG_SCHEMA) as Written;
  const at = (name: string) => (isAbsolute(name) ? name : join(dirname(resolve(path)), name));
  const { retention = {}, detectors = {}, outputs = {} } = written;
  return {
    path: resolve(path),
    inputs: written.inputs.map((input) => ({
      path: at(input.path),
      format: input.format ?? null,
      options: {
        vantage: input.vantage ?? null,
        logFormat: input['log-format'] ?? null,
        map: input.map ?? null,
        zone: input.zone ?? null,
        keepBodies: false,
      },
    })),
    state: at(written.state ?? byDefault('state')),
    latenessNs: durationNs(written.lateness ?? byDefault('lateness')),
    settleMs: milliseconds(written.settle ?? byDefault('settle')),
    patienceMs: milliseconds(written.patience ?? byDefault('patience')),
    keepRecordsNs: durationNs(retention.records ?? byDefault('retention', 'records')),
    keepFindingsNs: durationNs(retention.findings ?? byDefault('retention', 'findings')),
    maxBytes: sizeBytes(retention['max-size'] ?? byDefault('retention', 'max-size')),
    only: detectors.only ?? null,
    skip: detectors.skip ?? [],
    params: detectors.params ?? {},
    queries: detectors.queries === undefined ? null : at(detectors.queries),
    timeLimitMs: (detectors['time-limit'] ?? 30) * 1000,
    minSeverity: detectors['min-severity'] ?? 'info',
    ...(await suppressionsOf(path, written.suppressions, at)),
    baseline: written.baseline === undefined ? null : at(written.baseline),
    folder: at(outputs.folder ?? byDefault('outputs', 'folder')),
    formats: outputs.formats ?? ['html', 'json', 'md'],
    keepReports: outputs.keep ?? 30,
    prometheus: outputs.prometheus === undefined ? null : at(outputs.prometheus),
    otlp: outputs.otlp === undefined ? null : at(outputs.otlp),
    otlpEndpoint: checkedEndpoint(path, outputs['otlp-endpoint'] ?? null),
    receivers: receiversOf(path, written.notifications ?? [], env),
    failOn: written['fail-on'] ?? 'high',
    strict: written.strict ?? false,
    memoryLimit: written['memory-limit'] ?? null,
    threads: written.threads ?? null,
  };
}

function byDefault(...path: readonly string[]): string {
  let schema = CONFIG_SCHEMA;
  for (const name of path) schema = schema.properties?.[name] ?? schema;
  return String(schema.default);
}

function milliseconds(text: string): number {
  return Number(durationNs(text) / 1_000_000n);
}

async function suppressionsOf(path: string, written: Written['suppressions'], at: (name: string) => string) {
  if (typeof written === 'string') {
    return { suppressions: await readSuppressions(at(written)), suppressionsPath: at(written) };
  }
  const suppressionsPath = `${path} (suppressions)`;
  if (written === undefined) return { suppressions: [], suppressionsPath };
  return { suppressions: parseSuppressions(suppressionsPath, JSON.stringify(written, null, 1)), suppressionsPath };
}

function receiversOf(path: string, written: NonNullable<Written['notifications']>, env: NodeJS.ProcessEnv): Receiver[] {
  const fail = (name: string, problem: string) =>
    new PostmortemError('config-invalid', `${path}: notification "${name}" ${problem}`, 'Give url or url-from.');
  const names = new Set<string>();
  return written.map((receiver) => {
    const { name } = receiver;
    const variable = receiver['url-from'];
    if (names.has(name)) throw fail(name, 'is there twice');
    names.add(name);
    if ((receiver.url === undefined) === (variable === undefined)) throw fail(name, 'needs either url or url-from');
    const url = receiver.url ?? env[variable ?? ''] ?? null;
    if (url !== null && !isHttpUrl(url)) throw fail(name, 'has no http or https URL');
    return {
      name,
      kind: receiver.kind ?? 'json',
      url,
      minSeverity: receiver['min-severity'] ?? 'high',
      tries: receiver.tries ?? 4,
    };
  });
}

function checkedEndpoint(path: string, url: string | null): string | null {
  if (url === null || isHttpUrl(url)) return url;
  throw new PostmortemError('config-invalid', `${path}: "outputs.otlp-endpoint" is no http or https URL`, '');
}

function isHttpUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
