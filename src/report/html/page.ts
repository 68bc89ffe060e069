import type { RenderOptions } from '../options.js';
import type { ResultDocument } from '../result-document.js';
export async function renderHtml(_d: ResultDocument, _o: RenderOptions): Promise<string> {
  return '';
}
