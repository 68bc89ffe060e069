import type { SeenEvent } from './seen.js';

export interface SseText {
  events: SeenEvent[];
  /** Id in a frame that no blank line ended. */
  partialId: string | null;
  /** The text ended inside a frame. */
  cut: boolean;
}

/** Reads a whole event stream from text, line by line as WHATWG HTML section 9.2.6 says. */
export function readSse(text: string): SseText {
  const events: SeenEvent[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const ended = text === '' || /[\r\n]$/.test(text);
  let data: string[] | null = null;
  let id: string | null = null;
  let cursor: string | null = null;
  let retryMs: number | null = null;
  let pending = false;
  for (const [number, line] of lines.entries()) {
    if (number === lines.length - 1 && line === '') break;
    if (line === '') {
      if (id !== null) cursor = id;
      if (data !== null) events.push({ id, cursor, data: data.join('\n'), atMs: null, retryMs });
      else if (id !== null || retryMs !== null) events.push({ id, cursor, data: null, atMs: null, retryMs });
      data = null;
      id = null;
      retryMs = null;
      pending = false;
      continue;
    }
    if (line.startsWith(':')) continue;
    pending = true;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data = [...(data ?? []), value];
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  }
  return { events, partialId: pending ? id : null, cut: pending || !ended };
}
