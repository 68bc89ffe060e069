import { hash } from 'node:crypto';

/** Nesting that is still parsed; what is deeper is refused, not recursed into. */
export const MAX_DEPTH = 512;

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'too-deep' | 'unterminated' | 'malformed' };

/**
 * Parses JSON that may be hostile. `unterminated` is JSON that stops before it is complete, `malformed` anything else
 * that is none. Keys such as `__proto__` become plain properties (RFC 8259; ECMA-262, JSON.parse).
 */
export function parseJson(text: string): JsonResult {
  if (text.length > MAX_DEPTH && isTooDeep(text)) return { ok: false, reason: 'too-deep' };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, reason: isUnterminated(text) ? 'unterminated' : 'malformed' };
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = stringEnd(text, i);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

/** Index of the quote that closes the string which opens at `open`; the text's length when none does. */
function stringEnd(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}

/** Whether text opens an object or array and ends before it is closed. */
function isUnterminated(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = stringEnd(text, i);
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return depth > 0;
}

/** SHA-256 of text (UTF-8), the first 32 hex digits. */
export function digest(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
