/**
 * Everything a report prints came from a capture, and whoever sends a request decides what a capture holds.
 * One function per place where text is printed; each makes the text inert there and keeps it readable.
 */

// Characters that act on the reader's screen, or hide.
const UNSEEN_RANGES = [
  String.raw`\u0000-\u001f\u007f-\u009f`, // C0, DEL, C1
  String.raw`\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufeff`, // zero-width, bidi marks and isolates
  String.raw`\u115f\u1160\u17b4\u17b5\u3164\uffa0`, // fillers
  String.raw`\u2028-\u202e`, // line separators, bidi embeddings and overrides
  String.raw`\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}`, // annotations, non-characters, tags, variation selectors
  String.raw`\p{Cs}`, // lone surrogates
];
const UNSEEN = new RegExp(`[${UNSEEN_RANGES.join('')}]`, 'gu');

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visibleEscape(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\u{${code.toString(16)}}`;
}

/** Text in which every character that acts or hides is written out: ESC becomes `\x1b`, U+202E `\u202e`. One line. */
export function visible(text: string): string {
  return text.replace(UNSEEN, visibleEscape);
}

/**
 * Shortens to `limit` UTF-16 units and says how much is missing.
 * Cuts before the text is escaped, so that a string of megabytes costs nothing.
 */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… (+${text.length - end} characters)`;
}

/** For a terminal cell, a progress line or an error message: ECMA-48 sequences, OSC 8/52 and bidi become visible. */
export function escapeTerminal(text: string): string {
  return visible(text);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** For HTML and SVG text and quoted attribute values (HTML 13.1, XML 1.0 2.4). */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => HTML_ENTITIES[character] ?? '');
}

/** For XML 1.0 text and attribute values; characters that XML cannot hold are visible escapes already. */
export function escapeXml(text: string): string {
  return escapeHtml(text);
}

// A word with any of these may become emphasis, a link, HTML, a table cell, a mention, a reference or a formula, and
// GitHub makes mentions and references even of escaped text: only a code span keeps it as it is.
const MARKDOWN_ACTIVE = /[\\`*_{}[\]<>|~$&@#]|:\/\/|www\.|^[A-Z]+-\d+$/i;
// A word that starts a list, a heading or a rule where it begins a line.
const MARKDOWN_BLOCK = /^(?:[-+=]+|\d{1,9}[.)])$/;
const OPENING = '("\'';
const CLOSING = '.,;:!?)"\'';

function markdownWord(word: string): string {
  if (MARKDOWN_BLOCK.test(word)) return word.replace(/[-+=.)]/, '\\$&');
  if (!MARKDOWN_ACTIVE.test(word)) return word;
  let start = 0;
  let end = word.length;
  while (start < end && OPENING.includes(word.charAt(start))) start += 1;
  // A bracket that the word itself opens belongs to it.
  const closing = word.indexOf('(', start) < 0 ? CLOSING : CLOSING.replace(')', '');
  while (end > start && closing.includes(word.charAt(end - 1))) end -= 1;
  if (start === end) return markdownCode(word);
  return `${word.slice(0, start)}${markdownCode(word.slice(start, end))}${word.slice(end)}`;
}

/** For prose in Markdown (CommonMark 0.31, GFM): one line, no link, mention, image, HTML, table cell or heading. */
export function escapeMarkdown(text: string): string {
  return visible(text)
    .split(/( +)/)
    .map((part) => (part.startsWith(' ') ? ' ' : markdownWord(part)))
    .join('')
    .trim();
}

/** A Markdown code span around data: ids, header values, places (CommonMark 6.1). Not for table cells. */
export function markdownCode(text: string): string {
  const content = visible(text);
  if (content.trim() === '') return '(empty)';
  const longest = (content.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || content.startsWith(' ') ? ' ' : '';
  return `${fence}${pad}${content}${pad}${fence}`;
}

/** A code span inside a GFM table cell, where a pipe ends the cell even in code (GFM 4.10). */
export function markdownCellCode(text: string): string {
  return markdownCode(text).replace(/\|/g, '\\|');
}

/** Prose inside a GFM table cell. */
export function escapeMarkdownCell(text: string): string {
  return escapeMarkdown(text).replace(/(?<!\\)\|/g, '\\|');
}

const MERMAID_PLAIN = /[^\p{L}\p{N} .,/_=()…→·×–-]/gu;

/**
 * For a message, note or participant alias of a Mermaid diagram: entity codes for all that its grammar knows
 * (`;`, `#`, `%%`, quotes, `<br>`, KaTeX), and for the keyword `end`, which ends a block wherever it stands.
 */
export function escapeMermaid(text: string): string {
  return visible(text)
    .replace(MERMAID_PLAIN, (character) => `#${character.codePointAt(0) ?? 0};`)
    .replace(/\bend\b/gi, (word) => `#${word.codePointAt(0) ?? 0};${word.slice(1)}`);
}

/** One CSV field (RFC 4180): no cell that a spreadsheet takes for a formula (OWASP, CSV injection). */
export function escapeCsv(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const shown = visible(value);
  const safe = /^\s*[=+\-@|%]/.test(shown) || /^[\t\r\n]/.test(value) ? `'${shown}` : shown;
  return /[",;]|^\s|\s$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/**
 * JSON text that is inert on a terminal and inside a `<script>` element too: what acts or hides is a `\u` escape,
 * `<` as well. The values are the same ones: any JSON parser reads them back (RFC 8259 section 7).
 */
export function inertJson(json: string): string {
  // Outside strings JSON holds none of these but line feeds, which separate its lines.
  return json.replace(UNSEEN, (character) => (character === '\n' ? '\n' : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** JSON for a `<script type="application/json">` element: `</script>`, `<!--`, U+2028 cannot end or break it. */
export function jsonForScript(value: unknown): string {
  return inertJson(JSON.stringify(value) ?? 'null')
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/&/g, '\\u0026');
}
