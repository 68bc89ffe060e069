import { clip, escapeHtml } from '../escape.js';
import { link, markdownToHtml } from './markdown.js';
import type { Page } from './page.js';

const MAX_PAGE = 20_000;

/** How a detector judges, what to do about what it finds, and when it errs; folded away. */
export function detectorPage(page: Page, id: string): string {
  const found = page.options.pages?.get(id);
  if (found === undefined) return '';
  const parts: string[] = [];
  if (found.remedy !== null) parts.push(`<p><strong>Remedy.</strong> ${escapeHtml(clip(found.remedy, 1000))}</p>`);
  if (found.markdown !== '') parts.push(`<div class="md">${markdownToHtml(clip(found.markdown, MAX_PAGE), 4)}</div>`);
  if (found.needs.length > 0)
    parts.push(`<p>Needs: ${found.needs.map((need) => `<code>${escapeHtml(need)}</code>`).join(' ')}</p>`);
  parts.push(
    list(
      'Known false positives',
      found.falsePositives.map((text) => escapeHtml(clip(text, 500))),
    ),
  );
  parts.push(
    list(
      'References',
      found.references.map((url) => link(clip(url, 500))),
    ),
  );
  const body = parts.filter((part) => part !== '');
  if (body.length === 0) return '';
  return `<details class="about"><summary>How this detector judges, and what to do</summary>${body.join('\n')}</details>`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h4>${title}</h4><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}
