/** A piece of SQL. Comments and white space are left out. */
export interface SqlToken {
  /** `word`: keyword or identifier as written; `quoted`: "identifier", without its quotes; `string`: any literal text. */
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol';
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const SPACE = /\s+/y;
const LINE_COMMENT = /--[^\n]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PARAMETER = /\$[\p{L}\p{N}_]+/uy;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const ESCAPE_STRING = /[eE]'/y;

/** Takes SQL apart as DuckDB's scanner does: enough to know which words are words and which are text. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0] ?? null;
  };
  while (at < sql.length) {
    const start = at;
    let kind: SqlToken['kind'] | null = null;
    let text = '';
    const skipped = take(SPACE) ?? take(LINE_COMMENT);
    if (skipped !== null) {
      at += skipped.length;
    } else if (sql.startsWith('/*', at)) {
      at = blockCommentEnd(sql, at);
    } else if (take(ESCAPE_STRING) !== null) {
      at = escapeStringEnd(sql, at + 2);
      kind = 'string';
      text = sql.slice(start + 2, at - 1);
    } else if (sql[at] === "'" || sql[at] === '"') {
      const quote = sql[at]!;
      at = quotedEnd(sql, at + 1, quote);
      kind = quote === '"' ? 'quoted' : 'string';
      text = sql.slice(start + 1, at - 1).replaceAll(quote + quote, quote);
    } else {
      const dollar = take(DOLLAR_QUOTE);
      if (dollar !== null) {
        const end = sql.indexOf(dollar, at + dollar.length);
        at = end < 0 ? sql.length : end + dollar.length;
        kind = 'string';
        text = sql.slice(start + dollar.length, end < 0 ? sql.length : end);
      } else {
        [kind, text] = plainToken(take, sql[at]!);
        at += text.length;
      }
    }
    if (kind !== null) tokens.push({ kind, text, line });
    for (let index = start; index < at; index++) if (sql[index] === '\n') line += 1;
  }
  return tokens;
}

function plainToken(take: (pattern: RegExp) => string | null, symbol: string): [SqlToken['kind'], string] {
  const parameter = take(PARAMETER);
  if (parameter !== null) return ['parameter', parameter];
  const word = take(WORD);
  if (word !== null) return ['word', word];
  const number = take(NUMBER);
  if (number !== null) return ['number', number];
  return ['symbol', symbol];
}

/** Block comments nest. */
function blockCommentEnd(sql: string, start: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(sql); mark !== null; mark = marks.exec(sql)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return sql.length;
}

function quotedEnd(sql: string, start: number, quote: string): number {
  let at = start;
  for (;;) {
    const end = sql.indexOf(quote, at);
    if (end < 0) return sql.length;
    if (sql[end + 1] !== quote) return end + 1;
    at = end + 2;
  }
}

function escapeStringEnd(sql: string, start: number): number {
  for (let at = start; at < sql.length; at++) {
    if (sql[at] === '\\') at += 1;
    else if (sql[at] === "'" && sql[at + 1] === "'") at += 1;
    else if (sql[at] === "'") return at + 1;
  }
  return sql.length;
}
