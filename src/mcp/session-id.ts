import { hash } from 'node:crypto';
import { digest } from './json.js';

/** Ids up to this length are their own tag: too short to be a credential, and people recognise them. */
const SHORT = 12;
const SHOWN = 8;
const TAG_DIGITS = 16;

/**
 * Tag of a session id: what is stored, joined and shown in its place, for the id is a live credential. Up to 12
 * characters an id is its own tag; longer ones are their first 8 characters, `…#` and 16 hex digits of their SHA-256.
 */
export function sessionTag(raw: string): string {
  if (raw.length <= SHORT) return raw;
  return `${visibleStart(raw)}…#${digest(raw).slice(0, TAG_DIGITS)}`;
}

/** A tag as it is printed: with 4 hex digits, `3f2a91c0…#7d1e`. */
export function showTag(tag: string): string {
  const mark = tag.lastIndexOf('…#');
  return mark >= 0 && tag.length - mark === TAG_DIGITS + 2 ? tag.slice(0, mark + 6) : tag;
}

/** What is kept of a session id beside its tag, in the columns of `queries/schema/session.sql`. */
export interface SessionFacts {
  readonly session: string;
  readonly length: number;
  readonly visible_ascii: boolean;
  readonly number: bigint | null;
  readonly stem: string | null;
}

/** Facts of a session id that tell weak ones: its length, its alphabet, and the number it may end in. */
export function sessionFacts(raw: string): SessionFacts {
  const digits = trailingDigits(raw);
  const numbered = digits > 0 && digits <= 18;
  return {
    session: sessionTag(raw),
    length: raw.length,
    visible_ascii: /^[\x21-\x7e]*$/.test(raw),
    number: numbered ? BigInt(raw.slice(raw.length - digits)) : null,
    stem: numbered ? digest(raw.slice(0, raw.length - digits)) : null,
  };
}

/** Full SHA-256 of a session id in lower-case hex: some exporters write a prefix of it in the id's place. */
export function sessionHash(raw: string): string {
  return hash('sha256', raw, 'hex');
}

function trailingDigits(text: string): number {
  let count = 0;
  while (count < text.length) {
    const code = text.charCodeAt(text.length - 1 - count);
    if (code < 48 || code > 57) break;
    count += 1;
  }
  return count;
}

/** First characters with control characters, spaces and half surrogate pairs made visible. */
function visibleStart(raw: string): string {
  const start = raw.slice(0, SHOWN);
  if (/^[\x21-\x7e]*$/.test(start)) return start;
  let out = '';
  for (const character of start) {
    const code = character.codePointAt(0)!;
    const hidden = code < 0x21 || (code >= 0x7f && code < 0xa1) || (code >= 0xd800 && code <= 0xdfff);
    out += hidden ? `\\x${code.toString(16).padStart(2, '0')}` : character;
  }
  return out;
}
