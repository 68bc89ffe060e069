/** A piece of a log line. */
export interface TextToken {
  readonly kind: 'bare' | 'quoted' | 'bracket' | 'pair-bare' | 'pair-quoted';
  /** Name in front of `=`; empty for the others. */
  readonly key: string;
  /** Range of the value, without quotes and brackets. */
  readonly from: number;
  readonly to: number;
  readonly value: string;
}

const KEY = /[A-Za-z_][\w.-]{0,63}=/y;
const MAX_TOKENS = 200;

/**
 * Cuts a line at spaces, but not within quotes, brackets and lists of tries (`a, b : c`). null: a quote or bracket is left
 * open, or the line has too many pieces.
 */
export function textTokens(line: string): TextToken[] | null {
  const tokens: TextToken[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ') {
      at += 1;
      continue;
    }
    if (tokens.length === MAX_TOKENS) return null;
    KEY.lastIndex = at;
    const key = KEY.exec(line)?.[0] ?? '';
    const start = at + key.length;
    const token = line[start] === '"' ? quoted(line, start) : line[at] === '[' ? bracket(line, at) : bare(line, start);
    if (token === null) return null;
    const isPair = key !== '';
    const kind = isPair ? (token.kind === 'quoted' ? 'pair-quoted' : 'pair-bare') : token.kind;
    const value = line.slice(token.from, token.to);
    tokens.push({ kind, key: isPair ? key.slice(0, -1) : '', from: token.from, to: token.to, value });
    at = token.end;
  }
  return tokens;
}

interface Cut {
  readonly kind: 'bare' | 'quoted' | 'bracket';
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** Ends at the next quotation mark that is not escaped; it must close a word. */
function quoted(line: string, start: number): Cut | null {
  let at = start + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  if (at >= line.length) return null;
  return { kind: 'quoted', from: start + 1, to: at, end: at + 1 };
}

function bracket(line: string, start: number): Cut | null {
  const close = line.indexOf(']', start);
  return close < 0 ? null : { kind: 'bracket', from: start + 1, to: close, end: close + 1 };
}

function bare(line: string, start: number): Cut {
  let at = start;
  while (at < line.length) {
    const space = line.indexOf(' ', at);
    if (space < 0) return { kind: 'bare', from: start, to: line.length, end: line.length };
    if (!continuesList(line, start, space)) return { kind: 'bare', from: start, to: space, end: space };
    at = space + 1;
  }
  return { kind: 'bare', from: start, to: line.length, end: line.length };
}

function continuesList(line: string, start: number, space: number): boolean {
  if (space === start) return false;
  if (line[space - 1] === ',') return true;
  if (line[space - 1] === ':' && line[space - 2] === ' ') return true;
  return line[space + 1] === ':' && line[space + 2] === ' ';
}
