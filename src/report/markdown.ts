import type { Finding, Incident } from '../incident/finding.js';
import { clip, escapeMarkdown, escapeMarkdownCell, markdownCellCode, markdownCode } from './escape.js';
import { groupBy } from './group.js';
import { renderMermaid } from './mermaid.js';
import type { RenderOptions } from './options.js';
import type { ResultDocument } from './result-document.js';
import { detectorsWithGaps, rankFindings, rankIncidents, summarise } from './summary.js';
import { causeWords, formatBytes, formatCount, formatRange, formatTime, plural } from './text.js';

// GitHub cuts a comment or job summary off at 65,536 characters and GitLab slows down: each part has its share.
const INCIDENT_BYTES = 30_000;
const FINDING_BYTES = 16_000;
const COVERAGE_BYTES = 7_000;
const SOURCE_BYTES = 5_000;
const MAX_DIAGRAMS = 3;
const MAX_TEXT = 600;

/**
 * The report for an issue, a merge request or a chat: GFM with task lists and a Mermaid diagram per incident, under
 * 64 KB whatever the document holds; what is left out is counted and referred to the other formats.
 */
export function renderMarkdown(document: ResultDocument, _options: RenderOptions = {}): string {
  const parts = [
    opening(document),
    section('Incidents', incidentBlocks(document), INCIDENT_BYTES, 'incident'),
    section('Findings', findingBlocks(document), FINDING_BYTES, 'group of findings', 'groups of findings'),
    section('Not judged', coverageBlocks(document), COVERAGE_BYTES, 'entry', 'entries'),
    section('Sources', sourceBlocks(document), SOURCE_BYTES, 'source'),
    closing(document),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function opening(document: ResultDocument): string {
  const summary = summarise(document);
  const { totals, window, enforcement } = document;
  const label = { clean: 'Clean', unjudged: 'Unproven' };
  const level = summary.level === 'clean' || summary.level === 'unjudged' ? label[summary.level] : summary.level;
  const verdicts = Object.entries(document.verdicts).map(([verdict, count]) => `${count} ${verdict}`);
  const lines = [
    '# MCP post-mortem',
    '',
    `**${level.toUpperCase()}** — ${escapeMarkdown(summary.headline)}`,
    '',
    ...(summary.since === null ? [] : [`- Since: ${escapeMarkdown(formatTime(summary.since))}`]),
    ...(window.from === null ? [] : [`- Captured: ${escapeMarkdown(formatRange(window.from, window.to))}`]),
    `- Read: ${plural(totals.exchanges, 'exchange')}, ${plural(totals.sessions, 'session')}, ${plural(totals.resumes, 'resume')}, ${plural(totals.toolCalls, 'tool call')} from ${plural(document.sources.length, 'source')}`,
    ...(verdicts.length === 0 ? [] : [`- Resumes: ${escapeMarkdown(clip(verdicts.join(', '), MAX_TEXT))}`]),
    `- Contract: ${enforcement.loud} failed loudly, as it should be; ${enforcement.silent} diverged silently`,
    ...summary.gaps.map((gap) => `- Not judged: ${escapeMarkdown(clip(gap, MAX_TEXT))}`),
  ];
  if (summary.actions.length > 0) {
    lines.push('', '## What to do', '');
    lines.push(...summary.actions.map((action, index) => `${index + 1}. ${escapeMarkdown(clip(action, MAX_TEXT))}`));
  }
  return lines.join('\n');
}

/** A heading with as many blocks as the bytes allow, and how many are left out. */
function section(title: string, blocks: readonly string[], limit: number, one: string, many = `${one}s`): string {
  if (blocks.length === 0) return '';
  const kept: string[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += Buffer.byteLength(block) + 2;
    if (bytes > limit) break;
    kept.push(block);
  }
  const left = blocks.length - kept.length;
  if (left > 0) kept.push(`… ${plural(left, `more ${one}`, `more ${many}`)}: see the HTML or JSON report.`);
  return `## ${title}\n\n${kept.join('\n\n')}`;
}

function incidentBlocks(document: ResultDocument): readonly string[] {
  return rankIncidents(document.incidents).map((incident, index) => incidentBlock(incident, index < MAX_DIAGRAMS));
}

function incidentBlock(incident: Incident, withDiagram: boolean): string {
  const { impact } = incident;
  const state = incident.state === 'new' ? '' : ` (${incident.state})`;
  const lines = [
    `### ${incident.severity.toUpperCase()}${state}: ${escapeMarkdown(clip(incident.title, 200))}`,
    '',
    `${escapeMarkdown(formatRange(incident.at, incident.until))} · ${escapeMarkdown(causeWords(clip(incident.cause, 80)))} · ${plural(impact.sessions, 'session')} · ${plural(impact.duplicateCalls, 'duplicate call')} · ${plural(impact.unknownOutcomes, 'unknown outcome')} · ${plural(incident.findings.length, 'finding')} · ${markdownCode(clip(incident.id, 80))}`,
    '',
    escapeMarkdown(clip(incident.summary, 1500)),
  ];
  const diagram = withDiagram ? renderMermaid(incident.timeline) : null;
  if (diagram !== null) lines.push('', '```mermaid', diagram, '```');
  if (incident.reconcile.length > 0) {
    lines.push('', '**Reconcile by hand**', '');
    for (const item of incident.reconcile.slice(0, 20)) {
      const call = markdownCode(
        clip(`${item.tool ?? 'call'}${item.requestId === null ? '' : ` #${item.requestId}`}`, 120),
      );
      const place = markdownCode(clip(`${item.source} ${item.locator}`, 160));
      lines.push(
        `- [ ] ${call} in ${markdownCode(clip(item.session, 80))}, ${item.outcome.replaceAll('-', ' ')} (${place}): ${escapeMarkdown(clip(item.do, 300))}`,
      );
    }
    const left = incident.reconcile.length - 20;
    if (left > 0) lines.push(`- [ ] … ${plural(left, 'more call')}: see the HTML or JSON report`);
  }
  if (incident.remediation.length > 0) {
    lines.push('', '**Remedy**', '');
    lines.push(...incident.remediation.slice(0, 10).map((step) => `- ${escapeMarkdown(clip(step, MAX_TEXT))}`));
  }
  return lines.join('\n');
}

/** Findings by detector, each group with its first ones: a list of thousands is for another format. */
function findingBlocks(document: ResultDocument): readonly string[] {
  if (document.findings.length === 0) return ['0 findings.'];
  const groups = groupBy(rankFindings(document.findings), (finding) => finding.detector);
  return [...groups].map(([detector, findings]) => {
    const shown = findings.slice(0, 8);
    const left = findings.length - shown.length;
    const lines = [
      `**${markdownCode(clip(detector, 80))}** — ${plural(findings.length, 'finding')}`,
      '',
      ...shown.map(findingLine),
      ...(left > 0 ? [`- … ${formatCount(left)} more`] : []),
    ];
    return lines.join('\n');
  });
}

function findingLine(finding: Finding): string {
  const first = finding.evidence[0];
  const place =
    first === undefined ? '' : `\n  ${markdownCode(clip(`${first.source} ${first.locator}: ${first.what}`, 300))}`;
  const known = finding.state === 'known' ? ', known' : '';
  return `- **${finding.severity}** (${finding.confidence}${known}) ${escapeMarkdown(clip(finding.explanation || finding.title, MAX_TEXT))}${place}`;
}

function coverageBlocks(document: ResultDocument): readonly string[] {
  const gaps = groupBy(detectorsWithGaps(document.detectors), ({ status, reason }) => `${status}\u0000${reason}`);
  const blocks = [...gaps.values()].map((group) => {
    const ids = group.map(({ id }) => markdownCode(clip(id, 80))).join(', ');
    const reason = escapeMarkdown(clip(group[0]?.reason ?? 'no reason given', MAX_TEXT));
    return `- **${group[0]?.status}** ${ids}: ${reason}`;
  });
  const sentences = document.notJudged.map((sentence) => `- ${escapeMarkdown(clip(sentence, MAX_TEXT))}`);
  return [...blocks, ...sentences];
}

function sourceBlocks(document: ResultDocument): readonly string[] {
  if (document.sources.length === 0) return [];
  const troubles = document.sources.flatMap((source) => {
    const path = markdownCode(clip(source.path, 160));
    if (source.error !== null) return [`- ${path} could not be read: ${escapeMarkdown(clip(source.error, 300))}`];
    if (source.rejected === 0) return [];
    const first = source.rejects[0];
    const why =
      first === undefined
        ? ''
        : `; ${markdownCode(clip(first.locator, 80))}: ${escapeMarkdown(clip(first.reason, 200))}`;
    return [`- ${path}: ${plural(source.rejected, 'record')} rejected${why}`];
  });
  const rows = document.sources
    .slice(0, 15)
    .map(
      (source) =>
        `| ${markdownCellCode(clip(source.path, 100))} | ${source.error === null ? escapeMarkdownCell(source.format) : 'unreadable'} | ${source.vantage} | ${formatBytes(source.bytes)} | ${formatCount(source.records)} | ${formatCount(source.skipped)} | ${formatCount(source.rejected)} | ${markdownCellCode(source.sha256.slice(0, 12))} |`,
    );
  const left = document.sources.length - rows.length;
  const table = [
    '| Path | Format | Seen from | Size | Records | Skipped | Rejected | SHA-256 |',
    '| --- | --- | --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
    ...(left > 0 ? ['', `… ${plural(left, 'more source')}`] : []),
  ].join('\n');
  return [table, ...(troubles.length > 0 ? [troubles.slice(0, 10).join('\n')] : [])];
}

function closing(document: ResultDocument): string {
  const tool = `${document.tool.name} ${document.tool.version}`;
  return `Made by ${escapeMarkdown(tool)}: ${markdownCode(clip(document.command, 500))}`;
}
