import { readFile } from 'node:fs/promises';
import { PostmortemError } from '../error.js';

/**
 * Ids of findings that are known: `--baseline FILE`, an earlier result document (`--out report.json`).
 * @throws PostmortemError `config-invalid` when the file is none
 */
export async function readBaseline(path: string): Promise<ReadonlySet<string>> {
  const fail = (problem: string, cause?: unknown) =>
    new PostmortemError(
      'config-invalid',
      `${path}: ${problem}`,
      'Give a result document that an earlier run wrote with --out FILE.json.',
      { cause },
    );
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw fail('cannot be read as JSON', cause);
  }
  const findings =
    typeof document === 'object' && document !== null && 'findings' in document ? document.findings : null;
  if (!Array.isArray(findings)) throw fail('has no list of findings');
  const ids = findings.map((finding: unknown) =>
    typeof finding === 'object' && finding !== null && 'id' in finding ? finding.id : null,
  );
  if (!ids.every((id): id is string => typeof id === 'string')) throw fail('has a finding without an id');
  return new Set(ids);
}
