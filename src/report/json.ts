import { inertJson } from './escape.js';
import type { ResultDocument } from './result-document.js';

/** The result document itself, indented by two, with a final line feed; inert on a terminal (RFC 8259). */
export function renderJson(document: ResultDocument): string {
  return `${inertJson(JSON.stringify(document, null, 2))}\n`;
}
