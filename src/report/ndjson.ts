import { inertJson } from './escape.js';
import type { ResultDocument } from './result-document.js';

/**
 * One object a line, for pipes: a `run` line without the long lists, then `source`, `detector`, `incident` and
 * `finding` lines. Every line has a `kind`; the other fields are those of the result document.
 */
export function renderNdjson(document: ResultDocument): string {
  const { sources, detectors, findings, incidents, ...run } = document;
  const lines: object[] = [{ kind: 'run', ...run }];
  for (const source of sources) lines.push({ kind: 'source', ...source });
  for (const detector of detectors) lines.push({ kind: 'detector', ...detector });
  for (const incident of incidents) lines.push({ kind: 'incident', ...incident });
  for (const finding of findings) lines.push({ kind: 'finding', ...finding });
  return `${lines.map((line) => inertJson(JSON.stringify(line))).join('\n')}\n`;
}
