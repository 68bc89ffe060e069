import { clip, escapeHtml } from '../escape.js';
import { groupBy } from '../group.js';
import type { DetectorReport, DetectorStatus } from '../result-document.js';
import { detectorsWithGaps, summarise } from '../summary.js';
import { formatCount } from '../text.js';
import { keepWithin } from './budget.js';
import type { Page } from './page.js';

const STATUS_WORDS: Readonly<Record<DetectorStatus, string>> = {
  findings: 'findings',
  clean: 'clean',
  partial: 'partly judged',
  'not-applicable': 'could not judge',
  error: 'failed',
};

const REASON_BYTES = 80_000;
const DETECTOR_BYTES = 120_000;

/** What was not judged and why, and what every detector said: nothing unjudged may read as clean. */
export function coverageSection(page: Page): string {
  const { document } = page;
  const { statuses } = summarise(document);
  const gaps = detectorsWithGaps(document.detectors);
  const groups = groupBy(gaps, ({ status, reason }) => `${status}\u0000${reason ?? ''}`);
  const reasons = keepWithin([...groups.values()], REASON_BYTES, reasonItem).parts;
  const sentences = keepWithin(document.notJudged, REASON_BYTES, sentenceItem).parts;
  const rows = keepWithin(document.detectors, DETECTOR_BYTES, row).parts;
  const none =
    reasons.length + sentences.length === 0 ? '<p>Every detector could judge everything that was read.</p>' : '';
  return `<section id="coverage" aria-labelledby="coverage-h"><h2 id="coverage-h">What was not judged, and why</h2>
${none}${reasons.length === 0 ? '' : `<ul class="gaps">${reasons.join('')}</ul>`}${sentences.length === 0 ? '' : `<ul>${sentences.join('')}</ul>`}
<details><summary>All ${formatCount(document.detectors.length)} detectors: ${formatCount(statuses.findings)} with findings, ${formatCount(statuses.clean)} clean, ${formatCount(gaps.length)} not judged in full</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Detectors"><table><thead><tr><th>Detector</th><th>Verdict</th><th class="n">Findings</th><th>Reason</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details></section>`;
}

function sentenceItem(sentence: string): string {
  return `<li>${escapeHtml(clip(sentence, 600))}</li>`;
}

function reasonItem(group: readonly DetectorReport[]): string {
  const first = group[0];
  if (first === undefined) return '';
  const ids = group.map(({ id }) => `<code>${escapeHtml(clip(id, 80))}</code>`).join(' ');
  return `<li class="status-${first.status}"><strong>${STATUS_WORDS[first.status]}</strong> ${ids}<br>${escapeHtml(clip(first.reason ?? 'no reason given', 800))}</li>`;
}

function row(detector: DetectorReport): string {
  const ms = detector.ms === null ? '' : ` (${detector.ms} ms)`;
  return `<tr><td>${escapeHtml(clip(detector.title, 200))}<br><code>${escapeHtml(clip(detector.id, 80))}</code></td><td class="status-${detector.status}">${STATUS_WORDS[detector.status]}${ms}</td><td class="n">${formatCount(detector.findings)}</td><td>${escapeHtml(clip(detector.reason ?? '', 300))}</td></tr>`;
}
