import type { Incident, Reconciliation, TimelineEntry } from '../../incident/finding.js';
import { clip, escapeHtml } from '../escape.js';
import { NARROW, WIDE } from '../picture/layout.js';
import { swimLane } from '../picture/swim-lane.js';
import { inTime } from '../story.js';
import { rankIncidents } from '../summary.js';
import { causeWords, formatClock, formatCount, formatRange, plural } from '../text.js';
import { keepWithin } from './budget.js';
import type { Page } from './page.js';

const OPEN_INCIDENTS = 3;
const INCIDENT_BYTES = 1_100_000;
const MAX_PICTURES = 20;
const MAX_TIMELINE = 300;
const MAX_RECONCILE = 200;
const MAX_LINKS = 12;
const MAX_DRAWN = 36;

/** Every incident with its picture, its timeline in words, its checklist and its remedies. */
export function incidentsSection(page: Page): string {
  const ranked = rankIncidents(page.document.incidents);
  if (ranked.length === 0) return '';
  const { parts, left } = keepWithin(ranked, INCIDENT_BYTES, (incident, index) => article(page, incident, index));
  const rest = left > 0 ? `<p class="muted">… ${plural(left, 'more incident')} in the JSON report.</p>` : '';
  return `<section id="incidents" aria-labelledby="incidents-h"><h2 id="incidents-h">Incidents <span class="count">${formatCount(ranked.length)}</span></h2>
${parts.join('\n')}${rest}</section>`;
}

function article(page: Page, incident: Incident, index: number): string {
  const id = `i${index + 1}`;
  const { impact } = incident;
  const state = incident.state === 'new' ? '' : ` <span class="state">${incident.state}</span>`;
  const facts = [
    escapeHtml(formatRange(incident.at, incident.until)),
    escapeHtml(causeWords(clip(incident.cause, 80))),
    plural(impact.sessions, 'session'),
    plural(impact.duplicateCalls, 'call twice', 'calls twice'),
    plural(impact.unknownOutcomes, 'unknown outcome'),
  ].join(' · ');
  return `<details class="incident sev-${incident.severity}" id="${id}"${index < OPEN_INCIDENTS ? ' open' : ''}>
<summary><span class="sev">${incident.severity}</span>${state} <h3>${escapeHtml(clip(incident.title, 300))}</h3><span class="facts">${facts}</span></summary>
<p class="lead">${escapeHtml(clip(incident.summary, 2000))}</p>
${picture(incident, id, index)}
${checklist(incident.reconcile, id)}
${remedies(incident)}
${findingLinks(page, incident)}
<p class="muted">Incident <code>${escapeHtml(clip(incident.id, 80))}</code></p>
</details>`;
}

function picture(incident: Incident, id: string, index: number): string {
  const entries = inTime(incident.timeline);
  if (entries.length === 0) return '';
  const words = timelineInWords(entries);
  if (index >= MAX_PICTURES) return words;
  const title = `What happened: ${incident.title}`;
  return `<figure class="picture"><figcaption>What happened, from top to bottom</figcaption>
<div class="on-wide">${swimLane(entries, { id: `${id}w`, title, geometry: WIDE, limit: MAX_DRAWN })}</div>
<div class="on-narrow">${swimLane(entries, { id: `${id}n`, title, geometry: NARROW, limit: MAX_DRAWN })}</div>
<p class="facts">${PICTURE_KEY}</p></figure>
${words}`;
}

const PICTURE_KEY =
  'A coloured bar is the history of one session in the client; a solid arrow is a request, a dashed one its answer, a dashed line that breaks off an answer that did not arrive whole, a red one with a cross the end of a session, a ring with a question mark an outcome that nobody knows, a jagged line the seam between two histories.';

function timelineInWords(entries: readonly TimelineEntry[]): string {
  const items = entries.slice(0, MAX_TIMELINE).map((entry) => {
    const session = entry.session === null ? '' : ` <code>${escapeHtml(clip(entry.session, 80))}</code>`;
    const role =
      entry.role === 'request' ? '' : ` <span class="role role-${entry.role}">${ROLE_WORDS[entry.role]}</span>`;
    return `<li><time>${escapeHtml(formatClock(entry.at))}</time>${session}${role} ${escapeHtml(clip(entry.what, 600))} <span class="muted">${escapeHtml(clip(`${entry.source} ${entry.locator}`, 200))}</span></li>`;
  });
  const left = entries.length - items.length;
  const rest =
    left > 0 ? `<p class="muted">… ${plural(left, 'more entry', 'more entries')} in the JSON report.</p>` : '';
  return `<details class="words"><summary>The same in words: ${plural(entries.length, 'entry', 'entries')}</summary><ol class="timeline">${items.join('')}</ol>${rest}</details>`;
}

const ROLE_WORDS: Readonly<Record<TimelineEntry['role'], string>> = {
  request: '',
  fault: 'fault',
  loss: 'session lost',
  seam: 'seam',
  duplicate: 'twice',
  lost: 'outcome unknown',
};

const OUTCOME_WORDS: Readonly<Record<Reconciliation['outcome'], string>> = {
  unknown: 'outcome unknown',
  'ran-twice': 'ran twice',
  'may-have-run-twice': 'may have run twice',
  'answer-lost': 'ran, answer lost',
};

/** What a person has to settle, with a box to tick on paper. */
function checklist(items: readonly Reconciliation[], id: string): string {
  if (items.length === 0) return '';
  const rows = items
    .slice(0, MAX_RECONCILE)
    .map(
      (item, index) =>
        `<li><label><input type="checkbox" id="${id}-r${index + 1}"> <span><strong>${escapeHtml(clip(item.tool ?? 'call', 120))}</strong>${item.requestId === null ? '' : ` <code>#${escapeHtml(clip(item.requestId, 60))}</code>`} in <code>${escapeHtml(clip(item.session, 80))}</code>, <em>${OUTCOME_WORDS[item.outcome]}</em>${item.at === null ? '' : ` at ${escapeHtml(formatClock(item.at))}`}: ${escapeHtml(clip(item.do, 400))} <span class="muted">${escapeHtml(clip(`${item.source} ${item.locator}`, 200))}</span></span></label></li>`,
    );
  const left = items.length - rows.length;
  const rest = left > 0 ? `<p class="muted">… ${plural(left, 'more call')} in the JSON report.</p>` : '';
  return `<h4>Reconcile by hand, before anything is repeated</h4><ul class="check">${rows.join('')}</ul>${rest}`;
}

function remedies(incident: Incident): string {
  if (incident.remediation.length === 0) return '';
  const steps = incident.remediation.slice(0, 20).map((step) => `<li>${escapeHtml(clip(step, 600))}</li>`);
  return `<h4>Remedy</h4><ul>${steps.join('')}</ul>`;
}

function findingLinks(page: Page, incident: Incident): string {
  const links = incident.findings.slice(0, MAX_LINKS).flatMap((id) => {
    const anchor = page.anchors.get(id);
    return anchor === undefined ? [] : [`<a href="#${anchor}"><code>${escapeHtml(clip(id, 40))}</code></a>`];
  });
  if (links.length === 0) return '';
  const left = incident.findings.length - links.length;
  return `<p>${plural(incident.findings.length, 'finding')}: ${links.join(' ')}${left > 0 ? ` and ${formatCount(left)} more` : ''}</p>`;
}
