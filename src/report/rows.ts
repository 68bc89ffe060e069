import Table from 'cli-table3';
import { colouredPalette, displayWidth, plainPalette, truncate } from './ansi.js';
import {
  clip,
  escapeCsv,
  escapeMarkdown,
  escapeMarkdownCell,
  escapeTerminal,
  inertJson,
  markdownCellCode,
} from './escape.js';
import type { RenderOptions } from './options.js';
import { formatCount, plural } from './text.js';

export type CellValue = string | number | boolean | null;
export type Row = Readonly<Record<string, CellValue>>;

/** A column of the lists that `sessions`, `resumes`, `calls`, `timeline` and `query` print. */
export interface Column {
  /** Field of the row, and its name in CSV and JSON. */
  readonly key: string;
  /** Heading of the table. */
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Columns that the table may not shrink below; default 8. */
  readonly minWidth?: number;
  /** Only shown with `wide`; CSV and JSON always have it. */
  readonly wideOnly?: boolean;
}

export interface RowOptions extends RenderOptions {
  /** Rows of the table before it refers to the other formats; default 200. CSV and JSON hold all rows. */
  readonly limit?: number;
  /** What a row is, for "0 sessions" and "300 more sessions". Default: `row`. */
  readonly noun?: string;
}

/** Rows as a table for people, fitted to the terminal's width. Ends with a line feed. */
export function renderTable(rows: readonly Row[], columns: readonly Column[], options: RowOptions = {}): string {
  const noun = options.noun ?? 'row';
  if (rows.length === 0) return `0 ${noun}s\n`;
  const limit = options.wide ? Number.POSITIVE_INFINITY : (options.limit ?? 200);
  const shownColumns = columns.filter((column) => options.wide || !column.wideOnly);
  const shownRows = rows.slice(0, limit).map((row) => shownColumns.map((column) => cellText(row[column.key])));
  const widths = fitWidths(
    shownColumns.map((column, index) => naturalWidth(column.title, shownRows, index)),
    shownColumns.map((column) => column.minWidth ?? 8),
    (options.width ?? 100) - (2 * shownColumns.length - 2),
  );
  const palette = options.color ? colouredPalette() : plainPalette();
  const aligns = shownColumns.map((column) => column.align ?? 'left');
  const head = layOut([shownColumns.map(({ title }) => title)], widths, aligns);
  const body = [palette.bold(head), layOut(shownRows, widths, aligns)].join('\n');
  const left = rows.length - shownRows.length;
  const rest =
    left === 0
      ? ''
      : `… ${plural(left, `more ${noun}`)}: --wide, --format csv or --format json shows all ${formatCount(rows.length)}\n`;
  return `${body}\n${rest}`;
}

/** cli-table3 takes the square of the rows in time: a table is laid out in pieces. */
const ROWS_AT_ONCE = 50;

function layOut(
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  aligns: readonly ('left' | 'right')[],
): string {
  const lines: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const table = new Table({ chars: NO_BORDERS, style: NO_STYLE, colWidths: [...widths], colAligns: [...aligns] });
    for (const row of rows.slice(from, from + ROWS_AT_ONCE)) {
      table.push(row.map((cell, index) => truncate(cell, widths[index] ?? 8)));
    }
    lines.push(...table.toString().split('\n'));
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

const NO_STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true };
const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Rows as CSV (RFC 4180, CRLF) with a heading row of keys. */
export function renderRowsCsv(rows: readonly Row[], columns: readonly Column[]): string {
  const lines = [
    columns.map(({ key }) => escapeCsv(key)),
    ...rows.map((row) => columns.map(({ key }) => escapeCsv(row[key] ?? null))),
  ];
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/** Rows as a JSON array, one object a line, with exactly the columns' keys in their order. */
export function renderRowsJson(rows: readonly Row[], columns: readonly Column[]): string {
  if (rows.length === 0) return '[]\n';
  return `[\n${rows.map((row) => rowJson(row, columns)).join(',\n')}\n]\n`;
}

/** Rows as NDJSON. */
export function renderRowsNdjson(rows: readonly Row[], columns: readonly Column[]): string {
  return rows.map((row) => `${rowJson(row, columns)}\n`).join('');
}

/** Rows as a GFM table; data in code spans. */
export function renderRowsMarkdown(rows: readonly Row[], columns: readonly Column[]): string {
  const lines = [
    `| ${columns.map(({ title }) => escapeMarkdownCell(title)).join(' | ')} |`,
    `|${columns.map(({ align }) => (align === 'right' ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => `| ${columns.map(({ key }) => markdownCell(row[key] ?? null)).join(' | ')} |`),
  ];
  return `${lines.join('\n')}\n`;
}

function markdownCell(value: CellValue): string {
  if (value === null || value === '') return ' ';
  return typeof value === 'string' ? markdownCellCode(clip(value, 500)) : escapeMarkdown(String(value));
}

function rowJson(row: Row, columns: readonly Column[]): string {
  return inertJson(JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null]))));
}

function cellText(value: CellValue | undefined): string {
  if (value === undefined || value === null) return '–';
  return escapeTerminal(clip(String(value), 400));
}

function naturalWidth(title: string, rows: readonly (readonly string[])[], index: number): number {
  return rows.reduce((width, row) => Math.max(width, displayWidth(row[index] ?? '')), displayWidth(title));
}

/** Takes columns from the widest ones until the sum fits, never below the minimum of a column. */
export function fitWidths(natural: readonly number[], minimum: readonly number[], total: number): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - total;
  while (excess > 0) {
    const shrinkable = widths
      .map((width, index) => ({ width, index, spare: width - (minimum[index] ?? 8) }))
      .filter(({ spare }) => spare > 0)
      .sort((a, b) => b.width - a.width || a.index - b.index);
    const widest = shrinkable[0];
    if (widest === undefined) break;
    const next = shrinkable.find(({ width }) => width < widest.width)?.width ?? 0;
    const step = Math.max(1, Math.min(excess, widest.spare, widest.width - next));
    widths[widest.index] = widest.width - step;
    excess -= step;
  }
  return widths;
}
