import { firstLines, HEAD_BYTES, peekText } from '../readers/input/sniff.js';

/** Formats whose readers take every line for itself. Others pair lines, or have a header line. */
const BY_LINE = /^(?:access-log|error-log|otlp\/json|clickhouse|jaeger|zipkin)/;

/**
 * Whether what is appended to such an input can be read by itself: one record a line, no document around them.
 * @param format of the reader that recognised the input
 */
export function isByLine(head: Uint8Array, format: string): boolean {
  if (!BY_LINE.test(format)) return false;
  const [first] = firstLines(head, 20).filter((line) => line.trim() !== '');
  // A single line fills the whole head: a large batch, and the next one will be the next line.
  if (first === undefined) return head.length >= HEAD_BYTES && peekText(head, 64).trimStart().startsWith('{"');
  const text = first.trim();
  if (text.startsWith('{')) return isJson(text);
  if (text.startsWith('[') && (text === '[' || /^\[\s*[{\]]/.test(text))) return false;
  // CSV of a database has its names in the first line; a log's own header lines begin with '#'.
  return /^(?:access-log|error-log)/.test(format);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
