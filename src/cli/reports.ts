import type { Registry } from '../detect/registry.js';
import { PostmortemError } from '../error.js';
import type { Severity } from '../incident/finding.js';
import type { DetectorPage, RenderOptions } from '../report/options.js';
import { type OtlpEndpoint, otlpEndpoint } from '../report/otlp/endpoint.js';
import { formatOfPath, REPORT_FORMATS, type ReportFormat, render } from '../report/render.js';
import type { ResultDocument } from '../report/result-document.js';
import { Console } from './console.js';
import { interruptSignal } from './interruption.js';
import type { EndpointOptions, OutputOptions } from './options.js';
import { writeAtomically, writeStdout } from './out.js';

/** Where reports go. Resolved before anything is read, so that a mistyped format fails at once. */
export interface ReportPlan {
  /** null: nothing goes to standard output. */
  readonly stdout: ReportFormat | null;
  readonly files: readonly { readonly path: string; readonly format: ReportFormat }[];
  /** Absent: nothing leaves the machine. */
  readonly endpoint?: OtlpEndpoint;
}

/** @throws PostmortemError `usage` */
export function reportPlan(options: OutputOptions & EndpointOptions): ReportPlan {
  const formats = options.format.map(formatNamed);
  const files = options.out.filter((path) => path !== '-');
  const named = files.map((path) => ({ path, format: fileFormat(path, formats) }));
  if (formats.length > 1) {
    throw new PostmortemError(
      'usage',
      'only one --format fits on standard output',
      'Write the others with --out FILE.',
    );
  }
  const { otlpEndpoint: url } = options;
  return {
    stdout: formats[0] ?? (options.quiet === true ? null : 'table'),
    files: named,
    ...(url === undefined ? {} : { endpoint: otlpEndpoint(url, process.env.OTEL_EXPORTER_OTLP_HEADERS) }),
  };
}

function formatNamed(name: string): ReportFormat {
  const alias = name === 'markdown' ? 'md' : name === 'text' ? 'table' : name === 'xml' ? 'junit' : name;
  const format = REPORT_FORMATS.find((known) => known === alias);
  if (format !== undefined) return format;
  throw new PostmortemError('usage', `--format ${name}: no such format`, `Formats: ${REPORT_FORMATS.join(', ')}.`);
}

/** By extension; a name without a known one takes the format of `--format`. */
function fileFormat(path: string, formats: readonly ReportFormat[]): ReportFormat {
  try {
    return formatOfPath(path);
  } catch (error) {
    if (formats[0] !== undefined) return formats[0];
    throw error;
  }
}

/**
 * Writes the files first: a report on the screen then means that they are there. What fails stops nothing else.
 * @throws PostmortemError `output-failed`, `endpoint-refused`
 */
export async function writeReports(
  document: ResultDocument,
  registry: Registry,
  plan: ReportPlan,
  options: OutputOptions & EndpointOptions,
  failOn: Severity | 'never',
): Promise<void> {
  const base: RenderOptions = { pages: detectorPages(registry), failOn, wide: options.wide ?? false };
  const problems: unknown[] = [];
  for (const { path, format } of plan.files) {
    await writeAtomically(path, await render(document, format, base)).catch((error: unknown) => problems.push(error));
  }
  if (plan.stdout !== null) {
    await writeStdout(await render(document, plan.stdout, { ...base, ...screenOptions(options) }));
  }
  if (plan.endpoint !== undefined) {
    await sendFindings(document, plan.endpoint, options).catch((error: unknown) => problems.push(error));
  }
  for (const problem of problems.slice(1)) new Console(false).error(problem);
  if (problems.length > 0) throw problems[0];
}

async function sendFindings(document: ResultDocument, endpoint: OtlpEndpoint, options: EndpointOptions): Promise<void> {
  const { sendOtlp } = await import('../report/otlp-send.js');
  const signal = interruptSignal();
  const { otlpProtocol: protocol } = options;
  await sendOtlp(document, endpoint, { signal, ...(protocol === undefined ? {} : { protocol }) });
}

/** Colours and width of the terminal. */
export function screenOptions(options: OutputOptions): RenderOptions {
  const color = options.color && process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '';
  const width = process.stdout.columns;
  return width === undefined ? { color } : { color, width };
}

/** Documentation of the detectors, for reports. */
export function detectorPages(registry: Registry): ReadonlyMap<string, DetectorPage> {
  return new Map(
    registry.detectors.map(({ meta, page }) => [
      meta.id,
      {
        id: meta.id,
        title: meta.title,
        severity: meta.severity,
        remedy: meta.remedy,
        needs: meta.needs,
        falsePositives: meta.falsePositives,
        references: meta.references,
        markdown: page ?? '',
      },
    ]),
  );
}
