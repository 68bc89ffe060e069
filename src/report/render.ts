import { PostmortemError } from '../error.js';
import type { RenderOptions } from './options.js';
import type { ResultDocument } from './result-document.js';

export const REPORT_FORMATS = ['table', 'json', 'ndjson', 'md', 'html', 'csv', 'sarif', 'junit', 'otlp'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const FORMAT_OF_EXTENSION: Readonly<Record<string, ReportFormat>> = {
  txt: 'table',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  csv: 'csv',
  sarif: 'sarif',
  xml: 'junit',
};

/**
 * The format of `--out FILE`, by extension; `report.sarif.json` is SARIF, `findings.otlp.json` OTLP.
 * @throws PostmortemError `usage` when the extension names no format.
 */
export function formatOfPath(path: string): ReportFormat {
  const name = path.toLowerCase();
  if (name.endsWith('.sarif.json')) return 'sarif';
  if (name.endsWith('.otlp.json')) return 'otlp';
  const extension = /\.([a-z]+)$/.exec(name)?.[1] ?? '';
  const format = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : undefined;
  if (format !== undefined) return format;
  throw new PostmortemError(
    'usage',
    `--out ${path}: no report format has this extension`,
    'Use .json .ndjson .md .html .csv .sarif .xml (JUnit) .otlp.json or .txt.',
  );
}

/**
 * Renders a result document.
 * @returns the whole report, UTF-8 text with a final line feed; the same text for the same document and options.
 */
export async function render(
  document: ResultDocument,
  format: ReportFormat,
  options: RenderOptions = {},
): Promise<string> {
  // Loaded on demand: a run that prints a table does not wait for the charts' library.
  switch (format) {
    case 'table':
      return (await import('./terminal.js')).renderTerminal(document, options);
    case 'json':
      return (await import('./json.js')).renderJson(document);
    case 'ndjson':
      return (await import('./ndjson.js')).renderNdjson(document);
    case 'md':
      return (await import('./markdown.js')).renderMarkdown(document, options);
    case 'html':
      return (await import('./html/page.js')).renderHtml(document, options);
    case 'csv':
      return (await import('./csv.js')).renderCsv(document);
    case 'sarif':
      return (await import('./sarif.js')).renderSarif(document, options);
    case 'junit':
      return (await import('./junit.js')).renderJunit(document, options);
    case 'otlp':
      return (await import('./otlp.js')).renderOtlp(document);
  }
}
