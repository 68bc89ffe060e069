import type { Registry } from '../detect/registry.js';
import { deriveRelations } from '../detect/runner.js';
import { PostmortemError } from '../error.js';
import { inertJson } from '../report/escape.js';
import type { CellValue, Column, Row, RowOptions } from '../report/rows.js';
import type { Parameters, SqlValue, Store } from '../store/store.js';
import type { Console } from './console.js';
import type { OutputOptions } from './options.js';
import { writeAtomically, writeStdout } from './out.js';
import { screenOptions } from './reports.js';

const FORMATS = ['table', 'json', 'ndjson', 'csv', 'md'] as const;
type RowFormat = (typeof FORMATS)[number];

/** A cell; a list of them stays one in JSON. */
export type ListValue = CellValue | readonly CellValue[];

/** A list of rows as `sessions`, `resumes`, `calls` and `timeline` print it. */
export interface RowList {
  readonly rows: readonly Readonly<Record<string, ListValue>>[];
  readonly columns: readonly Column[];
  readonly noun: string;
}

/** Derives what a report of `queries/reports` reads and runs it. @throws PostmortemError `query-failed` */
export async function reportRows<T extends object>(
  store: Store,
  registry: Registry,
  name: string,
  parameters: Parameters,
  console: Console,
): Promise<T[]> {
  const report = registry.reports.get(name);
  if (report === undefined) throw new Error(`queries/reports/${name}.sql is missing`);
  const broken = await deriveRelations(store, registry, report.reads, (what) => console.progress(what));
  const [failure] = broken.values();
  if (failure !== undefined) throw new PostmortemError('query-failed', failure, 'This is a fault of mcp-postmortem.');
  return store.rows<T>(report.sql, parameters);
}

/** The format of every output, checked before anything is read. @throws PostmortemError `usage` */
export function rowFormats(options: OutputOptions): { stdout: RowFormat | null; files: Map<string, RowFormat> } {
  const named = options.format.map(formatNamed);
  if (named.length > 1) {
    throw new PostmortemError(
      'usage',
      'only one --format fits on standard output',
      'Write the others with --out FILE.',
    );
  }
  const files = new Map(options.out.filter((path) => path !== '-').map((path) => [path, fileFormat(path, named[0])]));
  return { stdout: named[0] ?? (options.quiet === true ? null : 'table'), files };
}

function formatNamed(name: string): RowFormat {
  const format = FORMATS.find((known) => known === name);
  if (format !== undefined) return format;
  throw new PostmortemError('usage', `--format ${name}: no format of this list`, `Formats: ${FORMATS.join(', ')}.`);
}

function fileFormat(path: string, fallback: RowFormat | undefined): RowFormat {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const format = FORMATS.find((known) => known === extension) ?? (extension === 'txt' ? 'table' : fallback);
  if (format !== undefined) return format;
  throw new PostmortemError(
    'usage',
    `--out ${path}: no format of this list has this extension`,
    'Use .json .ndjson .csv .md or .txt.',
  );
}

/** A file holds every row and every letter of it. */
const WHOLE = { color: false, width: Number.POSITIVE_INFINITY, limit: Number.POSITIVE_INFINITY };

/** @throws PostmortemError `output-failed` */
export async function writeRows(list: RowList, options: OutputOptions): Promise<void> {
  const { stdout, files } = rowFormats(options);
  for (const [path, format] of files) await writeAtomically(path, await renderRows(list, format, WHOLE));
  if (stdout === null) return;
  // Who pipes a list on looks for words in it: only a terminal's width shortens cells.
  const screen = {
    width: Number.POSITIVE_INFINITY,
    ...screenOptions(options),
    wide: options.wide ?? false,
    noun: list.noun,
  };
  await writeStdout(await renderRows(list, stdout, screen));
}

async function renderRows({ rows, columns, noun }: RowList, format: RowFormat, options: RowOptions): Promise<string> {
  const { renderRowsCsv, renderRowsMarkdown, renderTable } = await import('../report/rows.js');
  switch (format) {
    case 'json':
      return rows.length === 0 ? '[]\n' : `[\n${rows.map(rowJson).join(',\n')}\n]\n`;
    case 'ndjson':
      return rows.map((row) => `${rowJson(row)}\n`).join('');
    case 'table':
      return renderTable(rows.map(flatRow), columns, { noun, ...options });
    case 'csv':
      return renderRowsCsv(rows.map(flatRow), columns);
    case 'md':
      return renderRowsMarkdown(rows.map(flatRow), columns);
  }
}

function rowJson(row: Readonly<Record<string, ListValue>>): string {
  return inertJson(JSON.stringify(row));
}

function flatRow(row: Readonly<Record<string, ListValue>>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : (value as CellValue)]),
  );
}

/** A SQL value as a cell: whole numbers that a double cannot hold stay text, lists are joined. */
export function cellOf(value: SqlValue | undefined): CellValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'object')
    return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item));
  return value;
}
