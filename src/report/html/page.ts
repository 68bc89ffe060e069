import { createHash } from 'node:crypto';
import { clip, escapeHtml } from '../escape.js';
import type { RenderOptions } from '../options.js';
import { PICTURE_CSS } from '../picture/colours.js';
import type { ResultDocument } from '../result-document.js';
import { rankFindings } from '../summary.js';
import { formatRange } from '../text.js';
import { coverageSection } from './coverage.js';
import { findingsSection } from './findings.js';
import { incidentsSection } from './incidents.js';
import { loadSection } from './load.js';
import { sourcesSection } from './sources.js';
import { PAGE_CSS } from './style.js';
import { summarySection } from './summary.js';

/** What the parts of the page share. */
export interface Page {
  readonly document: ResultDocument;
  readonly options: RenderOptions;
  /** Anchor of a finding by its id: ids come from outside, anchors do not. */
  readonly anchors: ReadonlyMap<string, string>;
}

/**
 * The report as one HTML file: no script, no request, pictures as inline SVG, a Content-Security-Policy that allows its
 * own style sheet and nothing else. Reads without colour, on a phone, on paper, by keyboard and screen reader.
 */
export async function renderHtml(document: ResultDocument, options: RenderOptions = {}): Promise<string> {
  const ranked = rankFindings(document.findings);
  const page: Page = {
    document,
    options,
    anchors: new Map(ranked.map((finding, index) => [finding.id, `f${index + 1}`])),
  };
  const load = await loadSection(document);
  const body = [
    summarySection(page),
    incidentsSection(page),
    load,
    findingsSection(page),
    coverageSection(page),
    sourcesSection(page),
  ].filter((part) => part !== '');
  const css = PICTURE_CSS + PAGE_CSS;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(css)}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escapeHtml(`${document.tool.name} ${document.tool.version}`)}">
<link rel="icon" href="data:,">
<title>${escapeHtml(titleOf(document))}</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the summary</a>
<header class="top"><p class="brand">MCP post-mortem</p>${navigation(body)}</header>
<main id="main">
${body.join('\n')}
</main>
<footer><p>Made by ${escapeHtml(`${document.tool.name} ${document.tool.version}`)} with <code>${escapeHtml(clip(document.command, 2000))}</code></p>
<p>Session ids are live credentials: unless revealed on purpose they are shown shortened, with a tag that is the same wherever the same session is meant.</p></footer>
</body>
</html>
`;
}

function titleOf(document: ResultDocument): string {
  const { from, to } = document.window;
  return from === null ? 'MCP post-mortem' : `MCP post-mortem · ${formatRange(from, to)}`;
}

/** `sha256-…` of a style sheet (CSP Level 3, section 6.7.2). */
function hashOf(css: string): string {
  return `sha256-${createHash('sha256').update(css, 'utf8').digest('base64')}`;
}

const NAMES: readonly (readonly [id: string, name: string])[] = [
  ['summary', 'Summary'],
  ['incidents', 'Incidents'],
  ['load', 'Load'],
  ['findings', 'Findings'],
  ['coverage', 'Not judged'],
  ['sources', 'Sources'],
];

function navigation(body: readonly string[]): string {
  const present = NAMES.filter(([id]) => body.some((part) => part.startsWith(`<section id="${id}"`)));
  const links = present.map(([id, name]) => `<li><a href="#${id}">${name}</a></li>`);
  return `<nav aria-label="Contents"><ul>${links.join('')}</ul></nav>`;
}
