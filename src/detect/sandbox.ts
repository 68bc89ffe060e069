import { PostmortemError } from '../error.js';
import type { Store } from '../store/store.js';
import { type SqlToken, sqlTokens } from './sql-tokens.js';

/** How long SQL of a user's may run. */
export const DEFAULT_TIME_LIMIT_MS = 30_000;

const OPENERS = new Set(['select', 'with', 'from', 'values', '(']);
/** Functions that read files, settings or secrets, or run SQL from a string. */
const REFUSED_FUNCTION =
  /^(read_.*|scan_.*|.*_scan|sniff_.*|parquet_.*|glob|query|query_table|getenv|getvariable|which_secret|duckdb_secrets|duckdb_settings|current_setting|json_execute_serialized_sql|from_substrait.*|pragma_.*|checkpoint|force_checkpoint|load_.*|storage_info|duckdb_temporary_files|duckdb_memory|duckdb_logs.*)$/i;

/**
 * Refuses SQL that is anything but one SELECT over the tables. The database is locked besides: this says why.
 * @throws PostmortemError `query-refused`, or `query-failed` when it does not parse
 */
export async function assertReadOnlyQuery(store: Store, sql: string): Promise<void> {
  const tokens = sqlTokens(sql);
  const refuse = (why: string) =>
    new PostmortemError('query-refused', why, 'Only one SELECT over the tables and relations is allowed.');
  const first = tokens[0];
  if (first === undefined) throw refuse('the query is empty');
  if (!OPENERS.has(first.text.toLowerCase())) throw refuse(`a query that begins with "${first.text}" is refused`);
  for (let index = 0; index < tokens.length; index++) {
    const problem = refusal(tokens, index);
    if (problem !== null) throw refuse(`line ${tokens[index]!.line}: ${problem}`);
  }
  if (!(await store.isSingleSelect(sql))) throw refuse('more than one statement, or another one than SELECT');
}

function refusal(tokens: readonly SqlToken[], index: number): string | null {
  const token = tokens[index]!;
  const next = tokens[index + 1];
  const isName = token.kind === 'word' || token.kind === 'quoted';
  if (isName && next?.text === '(' && next.kind === 'symbol' && REFUSED_FUNCTION.test(token.text)) {
    return `the function ${token.text} is refused`;
  }
  const readsFrom = token.kind === 'word' && /^(from|join)$/i.test(token.text);
  // `is distinct from 'x'` and `trim(both from 'x')` compare and trim text; nothing is opened there either way.
  if (
    readsFrom &&
    next?.kind === 'string' &&
    !/^(distinct|both|leading|trailing)$/i.test(tokens[index - 1]?.text ?? '')
  ) {
    return 'reading from a file name is refused';
  }
  return null;
}
