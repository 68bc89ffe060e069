import type { Finding, Incident } from '../incident/finding.js';
import { paintSeverity, truncate, wrap } from './ansi.js';
import { clip, escapeTerminal } from './escape.js';
import { groupBy } from './group.js';
import type { DetectorReport, ResultDocument, SourceReport } from './result-document.js';
import { renderTable } from './rows.js';
import type { Screen } from './screen.js';
import { detectorsWithGaps, rankFindings, rankIncidents } from './summary.js';
import { causeWords, formatBytes, formatCount, formatRange, plural, shortList } from './text.js';

const FIRST_INCIDENTS = 5;
const FIRST_FINDINGS = 10;
const FIRST_RECONCILED = 5;
const FIRST_SOURCES = 20;
const FIRST_REJECTS = 3;

/** The incidents, the most urgent first, each with what it concerns and what to do about it. */
export function incidentsSection(document: ResultDocument, screen: Screen): readonly string[] {
  if (document.incidents.length === 0) return [];
  const limit = screen.wide ? Number.POSITIVE_INFINITY : FIRST_INCIDENTS;
  const ranked = rankIncidents(document.incidents);
  const lines = [heading(screen, 'Incidents', ranked.length)];
  for (const incident of ranked.slice(0, limit)) lines.push(...incidentLines(incident, screen));
  return [...lines, ...moreLine(screen, ranked.length - limit, 'incident')];
}

/** The findings, the most severe first: every one with `wide`, else the first ones. */
export function findingsSection(document: ResultDocument, screen: Screen): readonly string[] {
  const { findings } = document;
  if (findings.length === 0) return [heading(screen, 'Findings', 0), '  0 findings'];
  const limit = screen.wide ? Number.POSITIVE_INFINITY : FIRST_FINDINGS;
  const lines = [heading(screen, 'Findings', findings.length)];
  for (const finding of rankFindings(findings).slice(0, limit)) lines.push(...findingLines(finding, screen));
  const left = findings.length - limit;
  if (left > 0) {
    const counts = [...groupBy(findings, (finding) => finding.detector)].map(
      ([detector, group]) => `${formatCount(group.length)} ${detector}`,
    );
    lines.push(...indent(screen, `In all: ${shortList(counts, 12)}.`, 2));
  }
  return [...lines, ...moreLine(screen, left, 'finding')];
}

/** Every detector that could not judge everything, with the reason: none of them may read as clean. */
export function coverageSection(document: ResultDocument, screen: Screen): readonly string[] {
  const { detectors } = document;
  const gaps = detectorsWithGaps(detectors);
  const clean = detectors.filter((detector) => detector.status === 'clean').length;
  const found = detectors.filter((detector) => detector.status === 'findings').length;
  const lines = [
    heading(screen, 'Detectors', detectors.length),
    ...indent(
      screen,
      `${formatCount(found)} with findings, ${formatCount(clean)} clean, ${formatCount(gaps.length)} could not judge everything`,
      2,
    ),
  ];
  // Many detectors lack the same evidence: the reason is said once.
  for (const group of groupBy(gaps, (detector) => `${detector.status}\u0000${detector.reason ?? ''}`).values()) {
    lines.push(...gapLines(group, screen));
  }
  for (const sentence of document.notJudged) lines.push(...indent(screen, `Not judged: ${sentence}`, 2));
  return lines;
}

/** The sources with what was read, skipped and rejected; the first rejects with their places. */
export function sourcesSection(document: ResultDocument, screen: Screen): readonly string[] {
  const { sources } = document;
  if (sources.length === 0) return [];
  const limit = screen.wide ? Number.POSITIVE_INFINITY : FIRST_SOURCES;
  // What went wrong is never cut off by the limit.
  const troubled = (source: SourceReport): boolean => source.error !== null || source.rejected > 0;
  const shown = [...sources.filter(troubled), ...sources.filter((source) => !troubled(source))].slice(0, limit);
  const rows = shown.map((source) => ({
    path: source.path,
    format: source.error === null ? source.format : 'unreadable',
    vantage: source.vantage,
    bytes: formatBytes(source.bytes),
    records: source.records,
    skipped: source.skipped,
    rejected: source.rejected,
    duplicates: source.duplicates,
  }));
  const table = renderTable(rows, SOURCE_COLUMNS, {
    width: screen.width - 2,
    color: false,
    noun: 'source',
    wide: true,
  });
  const lines = [
    heading(screen, 'Sources', sources.length),
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
  for (const source of shown) lines.push(...sourceTroubles(source, screen));
  return [...lines, ...moreLine(screen, sources.length - limit, 'source')];
}

const SOURCE_COLUMNS = [
  { key: 'path', title: 'Path', minWidth: 10 },
  { key: 'format', title: 'Format', minWidth: 6 },
  { key: 'vantage', title: 'Seen from', minWidth: 5 },
  { key: 'bytes', title: 'Size', align: 'right', minWidth: 5 },
  { key: 'records', title: 'Records', align: 'right', minWidth: 5 },
  { key: 'skipped', title: 'Skipped', align: 'right', minWidth: 5 },
  { key: 'rejected', title: 'Rejected', align: 'right', minWidth: 5 },
  { key: 'duplicates', title: 'Doubled', align: 'right', minWidth: 5 },
] as const;

function incidentLines(incident: Incident, screen: Screen): readonly string[] {
  const { palette } = screen;
  const { impact } = incident;
  const state = incident.state === 'new' ? '' : ` [${incident.state}]`;
  const title = truncate(escapeTerminal(clip(`${incident.title}${state}`, 400)), screen.width - 12);
  const concerns = [
    escapeTerminal(causeWords(incident.cause)),
    plural(impact.sessions, 'session'),
    plural(impact.duplicateCalls, 'call that ran or may have run twice', 'calls that ran or may have run twice'),
    plural(impact.unknownOutcomes, 'unknown outcome'),
    escapeTerminal(incident.id),
  ].join(' · ');
  const lines = [
    `  ${paintSeverity(palette, incident.severity, incident.severity.toUpperCase().padEnd(9))} ${palette.bold(title)}`,
    ...indent(screen, `${formatRange(incident.at, incident.until)} · ${concerns}`, 12),
  ];
  for (const item of incident.reconcile.slice(0, FIRST_RECONCILED)) {
    const call = `${item.tool ?? 'call'}${item.requestId === null ? '' : ` #${item.requestId}`} in ${item.session}`;
    lines.push(...indent(screen, `[ ] ${item.outcome}: ${call}: ${item.do}`, 12));
  }
  const left = incident.reconcile.length - FIRST_RECONCILED;
  if (left > 0)
    lines.push(...indent(screen, `[ ] and ${plural(left, 'more call')} to reconcile: --out report.html`, 12));
  return lines;
}

function findingLines(finding: Finding, screen: Screen): readonly string[] {
  const { palette } = screen;
  const severity = paintSeverity(palette, finding.severity, finding.severity.toUpperCase().padEnd(9));
  const known = finding.state === 'known' ? ' [known]' : '';
  const lines = [
    `  ${severity} ${palette.bold(escapeTerminal(finding.detector))} ${palette.dim(`${finding.confidence} · ${escapeTerminal(finding.id)}${known}`)}`,
    ...indent(screen, finding.explanation || finding.title, 12),
  ];
  const pieces = screen.wide ? finding.evidence : finding.evidence.slice(0, 1);
  for (const piece of pieces) {
    const place = `${piece.source} ${piece.locator}: ${piece.what}`;
    lines.push(...indent(screen, place, 12).map(palette.dim));
  }
  const left = finding.evidence.length - pieces.length;
  if (left > 0) lines.push(palette.dim(`            and ${plural(left, 'more piece')} of evidence`));
  return lines;
}

function gapLines(group: readonly DetectorReport[], screen: Screen): readonly string[] {
  const { palette } = screen;
  const first = group[0];
  if (first === undefined) return [];
  const status = first.status.toUpperCase().padEnd(15);
  const painted = first.status === 'error' ? palette.bad(status) : palette.warn(status);
  const ids = group.map((detector) => detector.id).join(', ');
  const text = wrap(escapeTerminal(`${ids}: ${first.reason ?? 'no reason given'}`), screen.width - 18);
  return text.map((line, index) => (index === 0 ? `  ${painted} ${line}` : `${' '.repeat(18)}${line}`));
}

function sourceTroubles(source: SourceReport, screen: Screen): readonly string[] {
  const { palette } = screen;
  const lines: string[] = [];
  if (source.error !== null) {
    lines.push(...indent(screen, `${source.path} could not be read: ${source.error}`, 2).map(palette.bad));
  }
  for (const reject of source.rejects.slice(0, FIRST_REJECTS)) {
    lines.push(...indent(screen, `${source.path} ${reject.locator} rejected: ${reject.reason}`, 2).map(palette.warn));
  }
  const left = source.rejected - Math.min(source.rejects.length, FIRST_REJECTS);
  if (left > 0 && source.rejects.length > 0) lines.push(palette.warn(`  and ${plural(left, 'more rejected record')}`));
  for (const warning of source.warnings)
    lines.push(...indent(screen, `${source.path}: ${warning}`, 2).map(palette.warn));
  return lines;
}

function heading(screen: Screen, title: string, count: number): string {
  return screen.palette.bold(`${title} (${formatCount(count)})`);
}

function indent(screen: Screen, text: string, columns: number): readonly string[] {
  const escaped = escapeTerminal(clip(text, 1500));
  return wrap(escaped, screen.width - columns).map((line) => `${' '.repeat(columns)}${line}`);
}

function moreLine(screen: Screen, left: number, noun: string): readonly string[] {
  if (left <= 0) return [];
  return [
    screen.palette.dim(`  … ${plural(left, `more ${noun}`)}: --wide shows them here, --out report.html with pictures`),
  ];
}
