import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** In the order in which data goes; a layer imports itself and those before it. */
const LAYERS = ['contract', 'mcp', 'readers', 'store', 'detect', 'incident', 'report', 'schedule', 'cli'];
const SOURCE = resolve(import.meta.dirname, '../src');

interface Import {
  readonly file: string;
  readonly from: string;
  readonly target: string;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1]!);
  return found.map((target) => ({ file, from: file.split('/')[0]!, target }));
});
const inner = imports
  .filter(({ target }) => target.startsWith('.'))
  .map((item) => ({ ...item, to: relative(SOURCE, resolve(SOURCE, dirname(item.file), item.target)).split('/')[0]! }));

function told(items: readonly Import[]): string[] {
  return items.map(({ file, target }) => `${file} imports ${target}`);
}

describe('the layers', () => {
  test('are all there is, beside the entry point and the error', () => {
    const known = new Set([...LAYERS, 'index.ts', 'error.ts']);
    expect([...new Set(files.map((file) => file.split('/')[0]!))].filter((name) => !known.has(name))).toEqual([]);
  });

  test('import only what comes before them', () => {
    const backwards = inner.filter(({ from, to }) => {
      if (!LAYERS.includes(from) || !LAYERS.includes(to)) return false;
      return LAYERS.indexOf(to) > LAYERS.indexOf(from);
    });
    expect(told(backwards)).toEqual([]);
  });

  test('contract and mcp are pure', () => {
    const pure = imports.filter(({ from }) => from === 'contract' || from === 'mcp');
    const impure = pure.filter(({ target }) => !target.startsWith('.') && !/^node:(crypto|buffer)$/.test(target));
    const outside = inner.filter(({ from, to }) => (from === 'contract' || from === 'mcp') && to === 'error.js');
    expect(told([...impure, ...outside])).toEqual([]);
    expect(told(inner.filter(({ from, to }) => from === 'contract' && to !== 'contract'))).toEqual([]);
  });

  test('only the store knows DuckDB', () => {
    const users = imports.filter(({ target, from }) => target.startsWith('@duckdb/') && from !== 'store');
    expect(told(users)).toEqual([]);
  });

  test('readers and reports do not know the store', () => {
    const users = inner.filter(({ from, to }) => (from === 'readers' || from === 'report') && to === 'store');
    expect(told(users)).toEqual([]);
  });

  test('nothing but the command line imports the command line', () => {
    expect(told(inner.filter(({ from, to }) => to === 'cli' && from !== 'cli'))).toEqual([]);
  });
});
