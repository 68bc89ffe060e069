import { createHash } from 'node:crypto';
import { clip, escapeHtml } from '../report/escape.js';
import { PAGE_CSS } from '../report/html/style.js';
import { PICTURE_CSS } from '../report/picture/colours.js';
import { causeWords, dayOf, formatCount, formatRange, formatTime, plural } from '../report/text.js';
import type { KeptIncident } from './kept.js';

/** What the index says beside the incidents. */
export interface IndexFacts {
  readonly version: string;
  /** Time of the newest record; null: none was read. */
  readonly newest: string | null;
  /** Ids of incidents that a receiver has been told of. */
  readonly told: ReadonlySet<string>;
  /** Ids of incidents that have a page of their own. */
  readonly pages: ReadonlySet<string>;
  /** Names of dated reports, newest first. */
  readonly reports: readonly string[];
}

const MAX_ROWS = 2000;

/**
 * The page that lists incidents over time, newest first, each with its story in a sentence and a link to its page.
 * No script, no request; a Content-Security-Policy that allows its own style sheet and nothing else.
 */
export function indexPage(kept: readonly KeptIncident[], facts: IndexFacts): string {
  const css = PICTURE_CSS + PAGE_CSS;
  const hash = `sha256-${createHash('sha256').update(css, 'utf8').digest('base64')}`;
  const shown = kept.filter(({ state }) => state !== 'merged').sort(newestFirst);
  const open = shown.filter(({ state }) => state === 'new' || state === 'known').length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Incidents · MCP post-mortem</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the incidents</a>
<header class="top"><p class="brand">MCP post-mortem</p><ul>${latestLinks(facts)}</ul></header>
<main id="main">
<h1>${plural(shown.length, 'incident')}, ${formatCount(open)} of them going on</h1>
<p class="muted">Records up to ${escapeHtml(formatTime(facts.newest))}.</p>
${days(shown.slice(0, MAX_ROWS), facts)}
${shown.length > MAX_ROWS ? `<p class="muted">… ${plural(shown.length - MAX_ROWS, 'older incident')}.</p>` : ''}
${dated(facts.reports)}
</main>
<footer><p>Made by mcp-postmortem ${escapeHtml(facts.version)}. Session ids are live credentials: they are shown shortened.</p></footer>
</body>
</html>
`;
}

function latestLinks({ reports }: IndexFacts): string {
  const latest = '<li><a href="latest.html">Latest report</a></li>';
  return reports.length === 0 ? latest : `${latest}<li><a href="#reports">Earlier reports</a></li>`;
}

function days(kept: readonly KeptIncident[], facts: IndexFacts): string {
  if (kept.length === 0) return '<p>Nothing has happened.</p>';
  const byDay = new Map<string, KeptIncident[]>();
  for (const one of kept) {
    const day = dayOf(one.incident.at) ?? 'Time unknown';
    byDay.set(day, [...(byDay.get(day) ?? []), one]);
  }
  return [...byDay]
    .map(([day, ones]) => `<h2>${escapeHtml(day)}</h2>\n${ones.map((one) => row(one, facts)).join('\n')}`)
    .join('\n');
}

function row({ incident, state }: KeptIncident, { told, pages }: IndexFacts): string {
  const { impact } = incident;
  const title = escapeHtml(clip(incident.title, 300));
  const page = `incidents/${encodeURIComponent(incident.id)}.html`;
  const words = [
    escapeHtml(formatRange(incident.at, incident.until)),
    escapeHtml(causeWords(clip(incident.cause, 80))),
    plural(impact.sessions, 'session'),
    plural(impact.duplicateCalls, 'call twice', 'calls twice'),
    plural(impact.unknownOutcomes, 'unknown outcome'),
    plural(incident.findings.length, 'finding'),
    ...(told.has(incident.id) ? ['notified'] : []),
  ].join(' · ');
  const todo = incident.remediation.slice(0, 3).map((text) => `<li>${escapeHtml(clip(text, 400))}</li>`);
  return `<article class="incident sev-${incident.severity}" id="i-${escapeHtml(incident.id)}">
<span class="sev">${incident.severity}</span> <span class="state">${STATE_WORDS[state]}</span>
<h3>${pages.has(incident.id) ? `<a href="${page}">${title}</a>` : title}</h3>
<p class="facts">${words}</p>
<p>${escapeHtml(clip(incident.summary, 1200))}</p>
${todo.length === 0 ? '' : `<ul>${todo.join('')}</ul>`}
</article>`;
}

const STATE_WORDS: Readonly<Record<KeptIncident['state'], string>> = {
  new: 'new',
  known: 'going on',
  resolved: 'over',
  merged: 'part of another',
  withdrawn: 'no longer found',
};

function dated(reports: readonly string[]): string {
  if (reports.length === 0) return '';
  const items = reports.map((name) => `<li><a href="reports/${encodeURIComponent(name)}">${escapeHtml(name)}</a></li>`);
  return `<section id="reports"><h2>Earlier reports</h2><ul>${items.join('')}</ul></section>`;
}

function newestFirst(a: KeptIncident, b: KeptIncident): number {
  const left = a.incident.at ?? '';
  const right = b.incident.at ?? '';
  if (left !== right) return left < right ? 1 : -1;
  return a.incident.id < b.incident.id ? -1 : 1;
}
