import type { Dialect } from './dialect.js';
import { type Blank, type Escape, NOT_SENT, type Row, SLOT } from './slot.js';

/**
 * How a value ends.
 * `quoted`: at the next quotation mark that no backslash precedes. `plain`: at the next one at all.
 * `bare`: where the text after it begins. `unquoted`: as `bare`, and it does not begin with a quotation mark. `list`: as `bare`, but tries are separated by `, ` and ` : `.
 */
export type PartKind = 'quoted' | 'plain' | 'bare' | 'unquoted' | 'list';

export interface PatternPart {
  /** Index of the slot; -1: the value is of no interest. */
  readonly slot: number;
  readonly kind: PartKind;
  /** The fixed text behind the value; empty: the value reaches to the end of the line. */
  readonly after: Buffer;
}

/** The layout of a line: fixed text with values between. */
export interface Pattern {
  readonly dialect: Dialect;
  readonly escape: Escape;
  readonly blank: Blank;
  readonly before: Buffer;
  readonly parts: readonly PatternPart[];
}

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const COMMA = 44;
const COLON = 58;

/** Fills the row with the places of the values; false when the line has another layout. */
export function matchPattern(pattern: Pattern, bytes: Buffer, start: number, end: number, row: Row): boolean {
  const { before, parts } = pattern;
  if (!startsWith(bytes, start, end, before)) return false;
  const { from, to } = row;
  let at = start + before.length;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    const stop = endOf(part, bytes, at, end);
    if (stop < 0) return false;
    if (part.slot >= 0) {
      from[part.slot] = part.kind === 'unquoted' && isNull(bytes, at, stop) ? NOT_SENT : at;
      to[part.slot] = stop;
    }
    at = stop + part.after.length;
  }
  return at === end;
}

function endOf(part: PatternPart, bytes: Buffer, at: number, end: number): number {
  const { after } = part;
  if (after.length === 0) return part.kind === 'list' && hasMore(bytes, at, end) ? -1 : end;
  let stop = at;
  switch (part.kind) {
    case 'plain':
      while (stop < end && bytes[stop] !== QUOTE) stop += 1;
      return startsWith(bytes, stop, end, after) ? stop : -1;
    case 'quoted':
      while (stop < end && bytes[stop] !== QUOTE) stop += bytes[stop] === BACKSLASH ? 2 : 1;
      return startsWith(bytes, stop, end, after) ? stop : -1;
    case 'unquoted':
    case 'bare': {
      if (part.kind === 'unquoted' && bytes[at] === QUOTE) return -1;
      const first = after[0]!;
      while (stop < end) {
        if (bytes[stop] === first && startsWith(bytes, stop, end, after)) return stop;
        stop += 1;
      }
      return -1;
    }
    case 'list': {
      const first = after[0]!;
      while (stop < end) {
        if (bytes[stop] === first && !continuesList(bytes, at, stop, end) && startsWith(bytes, stop, end, after)) {
          return stop;
        }
        stop += 1;
      }
      return -1;
    }
  }
}

/** Whether a list that should reach to the end of the line is followed by something: then the layout has grown. */
function hasMore(bytes: Buffer, at: number, end: number): boolean {
  for (let stop = at; stop < end; stop += 1) {
    if (bytes[stop] === SPACE && !continuesList(bytes, at, stop, end)) return true;
  }
  return false;
}

/** Whether the space at `stop` belongs to `a, b` or `a : b`. */
function continuesList(bytes: Buffer, at: number, stop: number, end: number): boolean {
  if (bytes[stop] !== SPACE || stop === at) return false;
  if (bytes[stop - 1] === COMMA) return true;
  if (bytes[stop - 1] === COLON && stop - 2 >= at && bytes[stop - 2] === SPACE) return true;
  return stop + 2 < end && bytes[stop + 1] === COLON && bytes[stop + 2] === SPACE;
}

/** JSON's `null`. */
function isNull(bytes: Buffer, from: number, to: number): boolean {
  return to - from === 4 && bytes[from] === 110 && bytes[from + 1] === 117 && bytes[from + 2] === 108;
}

function startsWith(bytes: Buffer, at: number, end: number, text: Buffer): boolean {
  const length = text.length;
  if (at + length > end) return false;
  for (let index = 0; index < length; index += 1) if (bytes[at + index] !== text[index]) return false;
  return true;
}

/** A value between fixed texts, as the writers of patterns see it. */
export interface PatternToken {
  readonly slot: keyof typeof SLOT | null;
  readonly kind: PartKind;
}

/**
 * Builds a pattern out of fixed texts and values in turn: `texts` has one element more than `tokens`.
 * A slot that is named twice keeps the first value.
 */
export function buildPattern(
  dialect: Dialect,
  escaping: Escape,
  blank: Blank,
  texts: readonly string[],
  tokens: readonly PatternToken[],
): Pattern {
  const seen = new Set<string>();
  const parts = tokens.map((token, index): PatternPart => {
    const isFirst = token.slot !== null && !seen.has(token.slot);
    if (token.slot !== null) seen.add(token.slot);
    return {
      slot: isFirst && token.slot !== null ? SLOT[token.slot]! : -1,
      kind: token.kind,
      after: Buffer.from(texts[index + 1]!, 'latin1'),
    };
  });
  return { dialect, escape: escaping, blank, before: Buffer.from(texts[0]!, 'latin1'), parts };
}
