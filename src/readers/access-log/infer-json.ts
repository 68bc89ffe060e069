import { type AliasFamily, slotOfKey } from './aliases.js';
import type { Dialect } from './dialect.js';
import { buildPattern, type Pattern, type PatternToken } from './pattern.js';
import type { Blank, SlotName } from './slot.js';

interface JsonToken {
  readonly key: string;
  readonly isString: boolean;
  readonly from: number;
  readonly to: number;
}

const MAX_KEYS = 200;
const KEY = /\s*"([^"\\]{1,64})"\s*:\s*/y;
/** What may follow a value: the next key, or the end of the object, which hand-made formats forget. */
const NEXT = /\s*(?:,(?=\s*"[^"\\]{1,64}"\s*:)|\}?\s*$)/y;

/**
 * The layout of a flat JSON object in one line, so that the next line like it need not be parsed as JSON.
 * `isValid`: the line is JSON without a backslash. Otherwise it was written by hand or with `escape=none`: numbers can be
 * lists, `-` or nothing, strings can hold quotation marks, the closing brace can be missing; a value then reaches to what can only be
 * the next key. null: not flat, or a key stands there twice, as a forged value would have it.
 */
export function inferJson(
  line: string,
  isValid: boolean,
  dialect: Dialect,
  family: AliasFamily,
  blank: Blank,
): Pattern | null {
  const tokens = isValid ? strictTokens(line) : looseTokens(line);
  if (tokens === null || new Set(tokens.map((token) => token.key)).size !== tokens.length) return null;
  const texts: string[] = [];
  let at = 0;
  for (const token of tokens) {
    texts.push(line.slice(at, token.from));
    at = token.to;
  }
  texts.push(line.slice(at));
  const parts = tokens.map((token): PatternToken => {
    const slot = jsonSlot(family, token.key, line.slice(token.from, token.to));
    return { slot, kind: token.isString ? (isValid ? 'plain' : 'bare') : 'unquoted' };
  });
  return buildPattern(dialect, 'json', blank, texts, parts);
}

/** What a key means; `ua` is the user agent unless it holds an upstream's address, HAProxy's `ts` a time unless it holds a state. */
export function jsonSlot(family: AliasFamily, key: string, value: string): SlotName | null {
  if (key === 'ua') return /^(?:unix:|\[?[\d.:a-fA-F]+\]?:\d+(?:,|$| ))/.test(value) ? 'upstream' : 'userAgent';
  if (key === 'ts' && family === 'haproxy' && /^[-A-Za-z]{2,4}$/.test(value)) return 'termination';
  return slotOfKey(family, key);
}

function strictTokens(line: string): JsonToken[] | null {
  return cut(line, (start, isString) => {
    if (isString) {
      const quote = line.indexOf('"', start);
      return quote < 0 ? -1 : quote;
    }
    if (line[start] === '{' || line[start] === '[') return -1;
    let at = start;
    while (at < line.length && line[at] !== ',' && line[at] !== '}' && line[at] !== ' ') at += 1;
    return at;
  });
}

function looseTokens(line: string): JsonToken[] | null {
  return cut(line, (start, isString) => {
    for (let at = start; at <= line.length; at += 1) {
      if (isString && line[at] !== '"') {
        const quote = line.indexOf('"', at);
        if (quote < 0) return -1;
        at = quote;
      } else if (!isString && at < line.length && line[at] !== ',' && line[at] !== '}') continue;
      NEXT.lastIndex = isString ? at + 1 : at;
      if (NEXT.test(line)) return at;
    }
    return -1;
  });
}

/** Walks over `"key": value` pairs; `endOf` says where a value ends (-1: nowhere). */
function cut(line: string, endOf: (start: number, isString: boolean) => number): JsonToken[] | null {
  const tokens: JsonToken[] = [];
  let at = line.indexOf('{') + 1;
  if (at === 0) return null;
  while (at < line.length) {
    KEY.lastIndex = at;
    const key = KEY.exec(line);
    if (key === null || tokens.length === MAX_KEYS) return null;
    const isString = line[KEY.lastIndex] === '"';
    const from = KEY.lastIndex + (isString ? 1 : 0);
    const to = endOf(from, isString);
    if (to < 0) return null;
    tokens.push({ key: key[1]!, isString, from, to });
    NEXT.lastIndex = isString ? to + 1 : to;
    const next = NEXT.exec(line);
    if (next === null) return null;
    if (!next[0].includes(',')) return tokens;
    at = NEXT.lastIndex;
  }
  return null;
}
