import { SEVERITIES } from '../../incident/finding.js';
import { clip, escapeHtml } from '../escape.js';
import { rankIncidents, type Summary, summarise } from '../summary.js';
import { formatCount, formatRange, formatTime, plural } from '../text.js';
import type { Page } from './page.js';

const LEVEL_WORDS: Readonly<Record<Summary['level'], string>> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Information only',
  clean: 'Clean',
  unjudged: 'Unproven',
};

/** Is it bad, what happened, since when, what to do: for someone who has never heard of event ids. */
export function summarySection(page: Page): string {
  const { document } = page;
  const summary = summarise(document);
  const first = rankIncidents(document.incidents)[0];
  const { totals, window } = document;
  return `<section id="summary" aria-labelledby="summary-h">
<div class="verdict level-${summary.level}">
<p class="level">${LEVEL_WORDS[summary.level]}</p>
<h1 id="summary-h">${escapeHtml(clip(first?.title ?? summary.headline, 300))}</h1>
${first === undefined ? '' : `<p class="lead">${escapeHtml(clip(first.summary, 1500))}</p>`}
<p>${first === undefined ? '' : escapeHtml(summary.headline)}${summary.since === null ? '' : ` Since <strong>${escapeHtml(formatTime(summary.since))}</strong>.`}</p>
</div>
${tiles(page, summary)}
${meaning(page)}
${actions(summary)}
${gaps(page, summary)}
<p class="muted">Read: ${plural(totals.exchanges, 'exchange')}, ${plural(totals.sessions, 'session')} in ${plural(totals.epochs, 'epoch')}, ${plural(totals.streams, 'stream')}, ${plural(totals.events, 'event')}, ${plural(totals.toolCalls, 'tool call')}, ${plural(totals.resumes, 'resume')} from ${plural(document.sources.length, 'source')}${window.from === null ? '' : `; ${escapeHtml(formatRange(window.from, window.to))}`}.</p>
</section>`;
}

function tiles(page: Page, summary: Summary): string {
  const open = page.document.incidents.filter((incident) => incident.state !== 'resolved');
  const sum = (pick: (impact: (typeof open)[number]['impact']) => number): number =>
    open.reduce((total, incident) => total + pick(incident.impact), 0);
  const { loud, silent } = page.document.enforcement;
  const counts = SEVERITIES.toReversed()
    .filter((severity) => summary.findings[severity] > 0)
    .map((severity) => `${formatCount(summary.findings[severity])} ${severity}`)
    .join(', ');
  const all: readonly (readonly [value: string, name: string, note: string, bad: boolean])[] = [
    [formatCount(page.document.findings.length), 'findings', counts || 'none', false],
    [
      formatCount(sum(({ sessions }) => sessions)),
      'sessions hit',
      `of ${formatCount(page.document.totals.sessions)} seen`,
      false,
    ],
    [formatCount(sum(({ duplicateCalls }) => duplicateCalls)), 'calls twice', 'ran, or may have run, twice', true],
    [formatCount(sum(({ unknownOutcomes }) => unknownOutcomes)), 'unknown outcomes', 'to be reconciled by hand', true],
    [formatCount(silent), 'silent divergences', `${formatCount(loud)} failed loudly instead`, true],
  ];
  const items = all.map(
    ([value, name, note, bad]) =>
      `<div class="tile${bad && value !== '0' ? ' bad' : ''}"><dt>${name}</dt><dd class="value">${value}</dd><dd class="note">${note}</dd></div>`,
  );
  return `<dl class="tiles">${items.join('')}</dl>`;
}

/** What loud and silent mean for someone who has to decide. */
function meaning(page: Page): string {
  const { loud, silent } = page.document.enforcement;
  const sentences: string[] = [];
  if (silent > 0) {
    sentences.push(
      `${plural(silent, 'interruption')} diverged silently: nothing crashed and no error was shown, but the client went on with a history that is not its own. What was decided after that moment rests on wrong facts.`,
    );
  }
  if (loud > 0) {
    sentences.push(
      `${plural(loud, 'interruption')} failed loudly, which is how it should be: a lost stream costs a retry, a false resume costs correctness.`,
    );
  }
  if (sentences.length === 0) return '';
  return `<div class="box"><h2>What this means</h2>${sentences.map((text) => `<p>${text}</p>`).join('')}${enforcement(page)}</div>`;
}

function enforcement(page: Page): string {
  const { rows } = page.document.enforcement;
  if (rows.length === 0) return '';
  const body = rows
    .slice(0, 200)
    .map(
      (row) =>
        `<tr><td>${escapeHtml(clip(row.endpoint, 200))}</td><td>${text(row.server)}</td><td>${text(row.client)}</td><td>${text(row.day)}</td><td class="n">${formatCount(row.loud)}</td><td class="n">${formatCount(row.silent)}</td></tr>`,
    );
  const left = rows.length - body.length;
  return `<details><summary>By endpoint, server, client and day</summary><div class="scroll" tabindex="0" role="region" aria-label="Loud and silent failures"><table><thead><tr><th>Endpoint</th><th>Server</th><th>Client</th><th>Day</th><th class="n">Loud</th><th class="n">Silent</th></tr></thead><tbody>${body.join('')}</tbody></table></div>${left > 0 ? `<p class="muted">… ${plural(left, 'more row')} in the JSON report.</p>` : ''}</details>`;
}

function text(value: string | null): string {
  return value === null ? '<span class="muted">not known</span>' : escapeHtml(clip(value, 200));
}

function actions(summary: Summary): string {
  if (summary.actions.length === 0) return '';
  const steps = summary.actions.map((action) => `<li>${escapeHtml(clip(action, 600))}</li>`);
  return `<div class="box act"><h2>What to do</h2><ol>${steps.join('')}</ol></div>`;
}

function gaps(page: Page, summary: Summary): string {
  const all = [...summary.gaps, ...page.document.notJudged];
  if (all.length === 0) return '';
  const sentences = all.slice(0, 8).map((gap) => `<li>${escapeHtml(clip(gap, 400))}</li>`);
  return `<div class="box gap"><h2>What this report does not know</h2><ul>${sentences.join('')}</ul><p><a href="#coverage">All of it, with how to capture what is missing</a></p></div>`;
}
