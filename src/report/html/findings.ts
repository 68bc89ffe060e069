import type { Finding, FindingEvidence, Severity } from '../../incident/finding.js';
import { SEVERITIES } from '../../incident/finding.js';
import { clip, escapeHtml } from '../escape.js';
import { groupBy } from '../group.js';
import { rankFindings, worstSeverity } from '../summary.js';
import { formatClock, formatCount, formatRange, plural } from '../text.js';
import { keepWithin } from './budget.js';
import { detectorPage } from './detector-page.js';
import type { Page } from './page.js';

// The most severe findings are shown in full, the next ones in a line each, and what is left is counted.
const FULL_BYTES = 1_400_000;
const LINE_BYTES = 1_400_000;
const CHUNK = 100;
const MAX_EVIDENCE = 12;
const MAX_FACTS = 30;

/** Every finding, by detector, with its evidence and the detector's page; filtered by severity without a script. */
export function findingsSection(page: Page): string {
  const ranked = rankFindings(page.document.findings);
  const heading = `<h2 id="findings-h">Findings <span class="count">${formatCount(ranked.length)}</span></h2>`;
  if (ranked.length === 0) {
    return `<section id="findings" aria-labelledby="findings-h">${heading}<p>0 findings. ${escapeHtml(EMPTY_NOTE)}</p></section>`;
  }
  const rendered = renderWithinBudget(ranked);
  const groups = groupBy(ranked, (finding) => finding.detector);
  const sections = [...groups].map(([detector, findings], index) => group(page, detector, findings, rendered, index));
  return `<section id="findings" aria-labelledby="findings-h">${heading}
${filter(ranked)}
${sections.join('\n')}</section>`;
}

const EMPTY_NOTE = 'Look below at what could not be judged before taking that for good news.';

type Rendered = ReadonlyMap<Finding, string>;

function renderWithinBudget(ranked: readonly Finding[]): Rendered {
  const full = keepWithin(ranked, FULL_BYTES, (finding, index) => fullFinding(finding, `f${index + 1}`)).parts;
  const others = ranked.slice(full.length);
  const lines = keepWithin(others, LINE_BYTES, (finding, index) =>
    lineFinding(finding, `f${full.length + index + 1}`),
  ).parts;
  return new Map(
    [...full, ...lines].flatMap((html, index) => {
      const finding = ranked[index];
      return finding === undefined ? [] : [[finding, html] as const];
    }),
  );
}

function filter(ranked: readonly Finding[]): string {
  const counts = groupBy(ranked, (finding) => finding.severity);
  if (counts.size < 2) return '';
  const boxes = SEVERITIES.toReversed()
    .filter((severity) => counts.has(severity))
    .map(
      (severity) =>
        `<label class="sev-${severity}"><input type="checkbox" id="show-${severity}" checked> <span class="sev">${severity}</span> ${formatCount(counts.get(severity)?.length ?? 0)}</label>`,
    );
  return `<fieldset class="filter"><legend>Show</legend>${boxes.join('')}</fieldset>`;
}

function group(page: Page, detector: string, findings: readonly Finding[], rendered: Rendered, index: number): string {
  const title = page.document.detectors.find(({ id }) => id === detector)?.title ?? findings[0]?.title ?? detector;
  const shown = findings.flatMap((finding) => {
    const html = rendered.get(finding);
    return html === undefined ? [] : [html];
  });
  const left = findings.length - shown.length;
  const worst = worstSeverity(findings) ?? 'info';
  const rest = left > 0 ? `<p class="muted">… ${plural(left, 'more finding')} in the JSON report.</p>` : '';
  return `<details class="group sev-${worst}"${index < 3 && findings.length <= CHUNK ? ' open' : ''}><summary><h3>${escapeHtml(clip(title, 200))}</h3> <code>${escapeHtml(clip(detector, 80))}</code> ${badges(findings)}</summary>
${detectorPage(page, detector)}
${chunks(shown)}${rest}</details>`;
}

function badges(findings: readonly Finding[]): string {
  const counts = groupBy(findings, (finding) => finding.severity);
  return SEVERITIES.toReversed()
    .filter((severity) => counts.has(severity))
    .map((severity) => badge(severity, counts.get(severity)?.length ?? 0))
    .join(' ');
}

function badge(severity: Severity, count: number): string {
  return `<span class="badge sev-${severity}"><span class="sev">${severity}</span> ${formatCount(count)}</span>`;
}

/** Hundreds of findings fold into steps of a hundred, so that opening a group costs a hundred elements. */
function chunks(shown: readonly string[]): string {
  if (shown.length <= CHUNK) return shown.join('\n');
  const parts: string[] = [];
  for (let start = 0; start < shown.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, shown.length);
    parts.push(
      `<details class="chunk"><summary>${formatCount(start + 1)} to ${formatCount(end)} of ${formatCount(shown.length)}</summary>\n${shown.slice(start, end).join('\n')}</details>`,
    );
  }
  return parts.join('\n');
}

function fullFinding(finding: Finding, anchor: string): string {
  const known = finding.state === 'known' ? ' <span class="state">known</span>' : '';
  const sessions = finding.sessions.slice(0, 20).map((session) => `<code>${escapeHtml(clip(session, 80))}</code>`);
  const pieces = finding.evidence.slice(0, MAX_EVIDENCE).map(evidenceItem);
  const left = finding.evidence.length - pieces.length;
  const rest = left > 0 ? `<li class="muted">… ${plural(left, 'more piece')} in the JSON report</li>` : '';
  return `<details class="f sev-${finding.severity}" id="${anchor}"><summary><span class="sev">${finding.severity}</span>${known} ${escapeHtml(clip(finding.explanation || finding.title, 800))}</summary>
<p class="facts">${escapeHtml(formatRange(finding.at, finding.until))} · ${finding.confidence}${sessions.length === 0 ? '' : ` · ${sessions.join(' ')}`} · <code>${escapeHtml(clip(finding.id, 40))}</code></p>
${pieces.length === 0 ? '' : `<ol class="ev">${pieces.join('')}${rest}</ol>`}${factList(finding)}</details>`;
}

function evidenceItem(piece: FindingEvidence): string {
  const at = piece.at === null ? '' : ` <time>${escapeHtml(formatClock(piece.at))}</time>`;
  return `<li><b>${escapeHtml(clip(`${piece.source} ${piece.locator}`, 240))}</b>${at} <code>${escapeHtml(clip(piece.what, 600))}</code></li>`;
}

function factList(finding: Finding): string {
  const facts = Object.entries(finding.facts).slice(0, MAX_FACTS);
  if (facts.length === 0) return '';
  const items = facts.map(
    ([name, value]) => `<dt>${escapeHtml(clip(name, 80))}</dt><dd>${escapeHtml(clip(factText(value), 300))}</dd>`,
  );
  return `<dl class="fl">${items.join('')}</dl>`;
}

function factText(value: Finding['facts'][string]): string {
  if (value === null || value === undefined) return 'not known';
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

function lineFinding(finding: Finding, anchor: string): string {
  const first = finding.evidence[0];
  const place = first === undefined ? '' : ` <b>${escapeHtml(clip(`${first.source} ${first.locator}`, 120))}</b>`;
  return `<p class="l sev-${finding.severity}" id="${anchor}"><span class="sev">${finding.severity}</span> ${escapeHtml(clip(finding.explanation || finding.title, 200))}${place}</p>`;
}
