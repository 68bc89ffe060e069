import { createHash } from 'node:crypto';
import { readBaseline } from '../detect/baseline.js';
import { readSqlFolder } from '../store/package-files.js';
import type { JobConfig } from './config.js';

/** Everything but records that decides what is found: when it changes, there is something to judge. */
export async function rulesOf(config: JobConfig, version: string): Promise<string> {
  const { only, skip, params, suppressions, minSeverity, baseline, latenessNs, queries } = config;
  const texts = queries === null ? [] : (await readSqlFolder(queries)).map(({ text }) => text);
  const known = baseline === null ? [] : [...(await readBaseline(baseline))];
  const rules = { only, skip, params, suppressions, minSeverity, known, lateness: String(latenessNs), texts, version };
  return createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16);
}
