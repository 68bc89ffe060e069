import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a path is meant as a pattern: `*`, `?`, `[…]`, `{a,b}`. */
export function isGlob(path: string): boolean {
  return /[*?[{]/.test(path);
}

/**
 * Paths that match a pattern, sorted. `*`, `?` and `[…]` stay within one folder, `**` spans folders, `{a,b}` are
 * alternatives. Names that begin with a dot match only patterns that spell the dot. Links are not followed by `**`.
 */
export async function expandGlob(pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const root = alternative.startsWith('/') ? '/' : '';
    const segments = alternative.split('/').filter((segment, i) => segment !== '' || i === 0);
    if (root !== '') segments.shift();
    await match(root, segments, 0, found);
  }
  return [...found].sort();
}

async function match(folder: string, segments: readonly string[], index: number, found: Set<string>): Promise<void> {
  const segment = segments[index];
  if (segment === undefined) return;
  const isLast = index === segments.length - 1;
  if (segment !== '**' && !isGlob(segment)) {
    if (!isLast) await match(join(folder, segment), segments, index + 1, found);
    else if ((await names(folder || '.')).some((entry) => entry.name === segment)) found.add(join(folder, segment));
    return;
  }
  for (const entry of await names(folder || '.')) {
    const path = join(folder, entry.name);
    if (segment === '**') {
      if (entry.isDirectory() && !entry.name.startsWith('.')) await match(path, segments, index, found);
      if (isLast && entry.isFile() && !entry.name.startsWith('.')) found.add(path);
    } else if (matchesName(segment, entry.name)) {
      if (isLast) found.add(path);
      else if (entry.isDirectory() || entry.isSymbolicLink()) await match(path, segments, index + 1, found);
    }
  }
  if (segment === '**' && !isLast) await match(folder, segments, index + 1, found);
}

async function names(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const MAX_ALTERNATIVES = 1000;

function expandBraces(pattern: string): string[] {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0 && open.length + done.length < MAX_ALTERNATIVES) {
    const next: string[] = [];
    for (const candidate of open) {
      const parts = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(candidate);
      if (parts === null) done.push(candidate);
      else for (const choice of parts[2]!.split(',')) next.push(`${parts[1]}${choice}${parts[3]}`);
    }
    open = next;
  }
  return done;
}

/** Matches one name against one segment in time proportional to their product. */
export function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const tokens = tokensOf(pattern);
  let t = 0;
  let n = 0;
  let starToken = -1;
  let starName = 0;
  while (n < name.length) {
    const token = tokens[t];
    if (token === '*') {
      starToken = t;
      starName = n;
      t += 1;
    } else if (token !== undefined && fits(token, name[n]!)) {
      t += 1;
      n += 1;
    } else if (starToken >= 0) {
      starName += 1;
      n = starName;
      t = starToken + 1;
    } else return false;
  }
  while (tokens[t] === '*') t += 1;
  return t === tokens.length;
}

function tokensOf(pattern: string): string[] {
  const tokens: string[] = [];
  for (let i = 0; i < pattern.length; i += 1) {
    const close = pattern[i] === '[' ? pattern.indexOf(']', i + 2) : -1;
    if (close > 0) {
      tokens.push(pattern.slice(i, close + 1));
      i = close;
    } else tokens.push(pattern[i]!);
  }
  return tokens;
}

function fits(token: string, character: string): boolean {
  if (token === '?') return true;
  if (token.length < 3) return token === character;
  const isNegated = token[1] === '!' || token[1] === '^';
  const body = token.slice(isNegated ? 2 : 1, -1);
  let isMember = false;
  for (let i = 0; i < body.length; i += 1) {
    if (body[i + 1] === '-' && i + 2 < body.length) {
      if (character >= body[i]! && character <= body[i + 2]!) isMember = true;
      i += 2;
    } else if (body[i] === character) isMember = true;
  }
  return isMember !== isNegated;
}
