import { escapeCsv } from './escape.js';
import type { ResultDocument } from './result-document.js';

const COLUMNS = [
  'id',
  'detector',
  'severity',
  'confidence',
  'state',
  'incident',
  'at',
  'until',
  'sessions',
  'title',
  'explanation',
  'source',
  'locator',
  'evidence',
  'facts',
] as const;

/**
 * One row per finding, the first piece of evidence in columns of its own, for spreadsheets (RFC 4180, CRLF).
 * What was not judged is no finding: take another format where that matters.
 */
export function renderCsv(document: ResultDocument): string {
  const rows = document.findings.map((finding) => {
    const first = finding.evidence[0];
    return [
      finding.id,
      finding.detector,
      finding.severity,
      finding.confidence,
      finding.state,
      finding.incident,
      finding.at,
      finding.until,
      finding.sessions.join(' '),
      finding.title,
      finding.explanation,
      first?.source ?? null,
      first?.locator ?? null,
      finding.evidence.map((piece) => `${piece.source} ${piece.locator}: ${piece.what}`).join(' | '),
      JSON.stringify(finding.facts),
    ];
  });
  return [COLUMNS, ...rows].map((row) => `${row.map(escapeCsv).join(',')}\r\n`).join('');
}
