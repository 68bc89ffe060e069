import { escapeHtml } from '../escape.js';

/**
 * A detector's page as HTML: headings (from `level` on), paragraphs, lists, tables, code, emphasis and links to
 * `https:` addresses. Anything else is text: a page can come from a user's own detector.
 */
export function markdownToHtml(markdown: string, level: number): string {
  const lines = markdown.split(/\r?\n/);
  const blocks: string[] = [];
  let index = 0;
  while (index < lines.length) {
    const block = readBlock(lines, index, level);
    if (block.html !== '') blocks.push(block.html);
    index = block.next;
  }
  return blocks.join('\n');
}

interface Block {
  readonly html: string;
  readonly next: number;
}

const HEADING = /^(#{1,6}) +(.+)$/;
const BULLET = /^ {0,3}[-*+] +(.+)$/;
const NUMBER = /^ {0,3}\d{1,9}[.)] +(.+)$/;
const FENCE = /^ {0,3}(```|~~~)/;
const TABLE_ROW = /^\|.*\|\s*$/;
const TABLE_RULE = /^\|[\s:|-]+\|\s*$/;

function readBlock(lines: readonly string[], start: number, level: number): Block {
  const line = lines[start] ?? '';
  if (line.trim() === '') return { html: '', next: start + 1 };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readFence(lines, start, fence);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    const depth = Math.min(6, level + (heading[1]?.length ?? 1) - 1);
    return { html: `<h${depth}>${inline(heading[2] ?? '')}</h${depth}>`, next: start + 1 };
  }
  if (BULLET.test(line)) return readList(lines, start, BULLET, 'ul');
  if (NUMBER.test(line)) return readList(lines, start, NUMBER, 'ol');
  if (TABLE_ROW.test(line) && TABLE_RULE.test(lines[start + 1] ?? '')) return readTable(lines, start);
  return readParagraph(lines, start);
}

function readFence(lines: readonly string[], start: number, fence: string): Block {
  let end = start + 1;
  while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(fence)) end += 1;
  const code = lines
    .slice(start + 1, end)
    .map(escapeHtml)
    .join('\n');
  return { html: `<pre tabindex="0"><code>${code}</code></pre>`, next: end + 1 };
}

function readList(lines: readonly string[], start: number, marker: RegExp, element: 'ul' | 'ol'): Block {
  const items: string[] = [];
  let index = start;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    const item = marker.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else break;
    index += 1;
  }
  return { html: `<${element}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${element}>`, next: index };
}

function readTable(lines: readonly string[], start: number): Block {
  let end = start + 2;
  while (end < lines.length && TABLE_ROW.test(lines[end] ?? '')) end += 1;
  const row = (line: string, cell: string): string =>
    `<tr>${cellsOf(line)
      .map((text) => `<${cell}>${inline(text)}</${cell}>`)
      .join('')}</tr>`;
  const body = lines.slice(start + 2, end).map((line) => row(line, 'td'));
  return {
    html: `<div class="scroll" tabindex="0"><table><thead>${row(lines[start] ?? '', 'th')}</thead><tbody>${body.join('')}</tbody></table></div>`,
    next: end,
  };
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readParagraph(lines: readonly string[], start: number): Block {
  let end = start + 1;
  while (end < lines.length && !startsBlock(lines[end] ?? '')) end += 1;
  return { html: `<p>${inline(lines.slice(start, end).join(' ').trim())}</p>`, next: end };
}

function startsBlock(line: string): boolean {
  return line.trim() === '' || FENCE.test(line) || HEADING.test(line) || BULLET.test(line) || NUMBER.test(line);
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\][]+)\]\((https:\/\/[^\s()<>"]+)\)/g;

function inline(text: string): string {
  let html = '';
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(last, match.index));
    last = match.index + match[0].length;
    const [, code, strong, emphasis, label, url] = match;
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`;
    else if (emphasis !== undefined) html += `<em>${escapeHtml(emphasis)}</em>`;
    else if (label !== undefined && url !== undefined) html += link(url, label);
  }
  return html + escapeHtml(text.slice(last));
}

/** A link that says nothing about the reader to where it leads; only `https:`, else plain text. */
export function link(url: string, label = url): string {
  if (!/^https:\/\/[^\s"'<>]+$/.test(url)) return escapeHtml(label);
  return `<a href="${escapeHtml(url)}" rel="noreferrer noopener">${escapeHtml(label)}</a>`;
}
