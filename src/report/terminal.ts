import { paintSeverity, wrap } from './ansi.js';
import { escapeTerminal } from './escape.js';
import type { RenderOptions } from './options.js';
import type { ResultDocument } from './result-document.js';
import { LABEL_WIDTH, type Screen, screenOf } from './screen.js';
import { rankIncidents, type Summary, summarise } from './summary.js';
import { coverageSection, findingsSection, incidentsSection, sourcesSection } from './terminal-sections.js';
import { formatRange, formatTime, plural } from './text.js';

/**
 * The report for people at a terminal. Its first screen says whether it is bad, what happened, since when and what
 * to do; then the incidents, the findings, what was not judged, and the sources. Ends with a line feed.
 */
export function renderTerminal(document: ResultDocument, options: RenderOptions = {}): string {
  const screen = screenOf(options);
  const summary = summarise(document);
  const sections = [
    answer(document, summary, screen),
    incidentsSection(document, screen),
    findingsSection(document, screen),
    coverageSection(document, screen),
    sourcesSection(document, screen),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return `${text}\n`;
}

function answer(document: ResultDocument, summary: Summary, screen: Screen): readonly string[] {
  const { totals, window } = document;
  const counts = [
    `${document.tool.name} ${document.tool.version}`,
    plural(document.sources.length, 'source'),
    plural(totals.exchanges, 'exchange'),
    plural(totals.sessions, 'session'),
    plural(totals.resumes, 'resume'),
    plural(totals.toolCalls, 'tool call'),
  ];
  const header = [counts.join(' · '), ...(window.from === null ? [] : [formatRange(window.from, window.to)])];
  const lines = [
    ...header.flatMap((text) => wrap(escapeTerminal(text), screen.width)).map(screen.palette.dim),
    '',
    verdictLine(summary, screen),
  ];
  const first = rankIncidents(document.incidents)[0];
  if (first !== undefined) lines.push(...screen.labelled('What', first.summary || first.title));
  if (summary.since !== null) lines.push(...screen.labelled('Since', formatTime(summary.since)));
  summary.actions.forEach((action, index) => {
    lines.push(...screen.labelled(index === 0 ? 'Do' : '', `${index + 1}. ${action}`));
  });
  lines.push(...contractLines(document, screen));
  const open = document.notJudged.length;
  const gaps = [...summary.gaps, ...(open > 0 ? [`${plural(open, 'open question')}, below.`] : [])];
  if (gaps.length > 0) lines.push(...screen.labelled('Not judged', gaps.join(' ')));
  return lines;
}

function verdictLine(summary: Summary, screen: Screen): string {
  const { palette } = screen;
  const [first = '', ...others] = wrap(escapeTerminal(summary.headline), screen.width - LABEL_WIDTH);
  const indented = others.map((line) => `\n${' '.repeat(LABEL_WIDTH)}${line}`).join('');
  if (summary.level === 'clean') return `${palette.bold(palette.good('CLEAN'.padEnd(LABEL_WIDTH)))}${first}${indented}`;
  if (summary.level === 'unjudged') {
    return `${palette.bold(palette.warn('UNPROVEN'.padEnd(LABEL_WIDTH)))}${first}${indented}`;
  }
  const label = paintSeverity(palette, summary.level, summary.level.toUpperCase().padEnd(LABEL_WIDTH));
  return `${label}${first}${indented}`;
}

function contractLines(document: ResultDocument, screen: Screen): readonly string[] {
  const { loud, silent } = document.enforcement;
  const verdicts = Object.entries(document.verdicts).filter(([, count]) => count > 0);
  const lines: string[] = [];
  if (verdicts.length > 0) {
    const text = verdicts.map(([verdict, count]) => `${count} ${verdict}`).join(', ');
    lines.push(...screen.labelled('Resumes', text));
  }
  if (loud + silent > 0) {
    const text = `${loud} failed loudly, as the contract wants; ${silent} diverged silently`;
    lines.push(...screen.labelled('Contract', text));
  }
  return lines;
}
