import { type SqlToken, sqlTokens } from './sql-tokens.js';

/** What may follow a table in a FROM list without being its alias. */
const AFTER_TABLE = new Set(
  `where group having order limit qualify window union intersect except join inner left right full cross natural
   asof positional semi anti on using select tablesample`.split(/\s+/),
);

/**
 * The tables and relations that a SELECT reads: the names after FROM and JOIN, without those of its own CTEs.
 * In order of first mention. A name in a comment or a literal is none.
 */
export function relationsRead(sql: string): string[] {
  const tokens = sqlTokens(sql);
  const own = cteNames(tokens);
  const found = new Set<string>();
  for (let index = 0; index < tokens.length; index++) {
    if (!isWord(tokens[index], 'from') && !isWord(tokens[index], 'join')) continue;
    if (isWord(tokens[index - 1], 'distinct')) continue;
    for (const name of fromList(tokens, index + 1)) if (!own.has(name)) found.add(name);
  }
  return [...found];
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

function isSymbol(token: SqlToken | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol;
}

function isName(token: SqlToken | undefined): token is SqlToken {
  return token?.kind === 'quoted' || token?.kind === 'word';
}

/** `a`, `a x, b as y`: the names up to whatever is no further item of the list. */
function fromList(tokens: readonly SqlToken[], start: number): string[] {
  const names: string[] = [];
  let at = start;
  for (;;) {
    const name = tokens[at];
    if (!isName(name) || isSymbol(tokens[at + 1], '(')) return names;
    names.push(name.text);
    at += 1;
    if (isWord(tokens[at], 'as')) at += 1;
    const alias = tokens[at];
    if (isName(alias) && !AFTER_TABLE.has(alias.text.toLowerCase())) at += 1;
    if (!isSymbol(tokens[at], ',')) return names;
    at += 1;
  }
}

/** Names that stand before `as (` or `(columns) as (`. */
function cteNames(tokens: readonly SqlToken[]): Set<string> {
  const names = new Set<string>();
  for (let index = 1; index < tokens.length; index++) {
    if (!isWord(tokens[index], 'as') || !opensCte(tokens, index + 1)) continue;
    const name = tokens[nameBefore(tokens, index)];
    if (isName(name)) names.add(name.text);
  }
  return names;
}

function opensCte(tokens: readonly SqlToken[], at: number): boolean {
  if (isSymbol(tokens[at], '(')) return true;
  const afterNot = isWord(tokens[at], 'not') ? at + 1 : at;
  return isWord(tokens[afterNot], 'materialized') && isSymbol(tokens[afterNot + 1], '(');
}

function nameBefore(tokens: readonly SqlToken[], as: number): number {
  if (!isSymbol(tokens[as - 1], ')')) return as - 1;
  let at = as - 2;
  while (at > 0 && !isSymbol(tokens[at], '(')) at -= 1;
  return at - 1;
}
