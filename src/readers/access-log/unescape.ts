import { decode } from './intern.js';
import type { Escape } from './slot.js';

const NAMED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', v: '\v' };

/**
 * Takes the escapes of a log's values back: bytes first, then UTF-8, because `\xC3\xA9` is one letter.
 * An escape that is none stays as it stands.
 */
export function unescapeValue(bytes: Buffer, from: number, to: number, escaping: Escape): string {
  switch (escaping) {
    case 'clf':
      return unescapeWith(bytes, from, to, /\\(?:x([0-9A-Fa-f]{2})|(.))/gs, true);
    case 'haproxy':
      return unescapeWith(bytes, from, to, /#([0-9A-Fa-f]{2})/g, false);
    case 'json':
      return unescapeJson(bytes, from, to);
    case 'none':
      return decode(bytes, from, to);
  }
}

function unescapeWith(bytes: Buffer, from: number, to: number, pattern: RegExp, isNamed: boolean): string {
  const raw = bytes.toString('latin1', from, to).replace(pattern, (whole, hex: string | undefined, name?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (!isNamed || name === undefined) return whole;
    if (name === '"' || name === '\\' || name === "'") return name;
    return NAMED[name] ?? whole;
  });
  return Buffer.from(raw, 'latin1').toString('utf8');
}

function unescapeJson(bytes: Buffer, from: number, to: number): string {
  const raw = decode(bytes, from, to);
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    // Written with escape=none, or by hand: what stands there is the value.
    return raw;
  }
}
