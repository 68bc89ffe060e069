import { clip, escapeHtml } from '../escape.js';
import type { SourceReport } from '../result-document.js';
import { formatBytes, formatCount, plural } from '../text.js';
import { keepWithin } from './budget.js';
import type { Page } from './page.js';

const SOURCE_BYTES = 400_000;
const MAX_REJECTS = 10;

/** What was read: hashes, counts, what could not be read and where, what each source can prove. */
export function sourcesSection(page: Page): string {
  const { sources } = page.document;
  const troubled = sources.filter((source) => source.error !== null || source.rejected > 0);
  const ordered = [...troubled, ...sources.filter((source) => source.error === null && source.rejected === 0)];
  const { parts, left } = keepWithin(ordered, SOURCE_BYTES, row);
  return `<section id="sources" aria-labelledby="sources-h"><h2 id="sources-h">Sources <span class="count">${formatCount(sources.length)}</span></h2>
${parts.join('\n')}${left > 0 ? `<p class="muted">… ${plural(left, 'more source')} in the JSON report.</p>` : ''}
<div class="box"><h3>Made by</h3><p>${escapeHtml(`${page.document.tool.name} ${page.document.tool.version}`)}</p><pre tabindex="0"><code>${escapeHtml(clip(page.document.command, 4000))}</code></pre></div></section>`;
}

function row(source: SourceReport): string {
  const trouble =
    source.error !== null
      ? `<p class="bad"><strong>Could not be read:</strong> ${escapeHtml(clip(source.error, 600))}</p>`
      : rejects(source);
  const warnings = source.warnings
    .slice(0, 20)
    .map((warning) => `<p class="warn">${escapeHtml(clip(warning, 400))}</p>`);
  const evidence = source.evidence.map((word) => `<code>${escapeHtml(word)}</code>`).join(' ');
  return `<div class="source"><h3>${escapeHtml(clip(source.path, 300))}</h3>
<p class="facts">${escapeHtml(clip(source.format, 60))}${source.producer === null ? '' : ` by ${escapeHtml(clip(source.producer, 120))}`} · seen from ${source.vantage} · ${formatBytes(source.bytes)} · ${plural(source.records, 'record')}, ${formatCount(source.skipped)} skipped, ${formatCount(source.rejected)} rejected, ${formatCount(source.duplicates)} doubled</p>
${trouble}${warnings.join('')}<p class="facts">Can prove: ${evidence || 'nothing'}</p><p class="facts">SHA-256 <code class="hash">${escapeHtml(clip(source.sha256, 80))}</code></p></div>`;
}

function rejects(source: SourceReport): string {
  if (source.rejected === 0) return '';
  const items = source.rejects
    .slice(0, MAX_REJECTS)
    .map(({ locator, reason }) => `<li><b>${escapeHtml(clip(locator, 120))}</b> ${escapeHtml(clip(reason, 300))}</li>`);
  return `<div class="warn"><p><strong>${plural(source.rejected, 'record')} could not be read</strong></p><ul>${items.join('')}</ul></div>`;
}
