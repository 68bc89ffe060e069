import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clip,
  escapeCsv,
  escapeHtml,
  escapeMarkdown,
  escapeMarkdownCell,
  escapeMermaid,
  escapeTerminal,
  inertJson,
  jsonForScript,
  markdownCode,
} from '../../src/report/escape.js';
import { PAYLOADS } from '../support/result-hostile.js';

const hostileText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...PAYLOADS), fc.string());

describe('escapeTerminal', () => {
  it('writes control sequences, bidi overrides and zero-width characters out', () => {
    expect(escapeTerminal('\u001b[2J\u0007\r\n\t')).toBe('\\x1b[2J\\x07\\r\\n\\t');
    expect(escapeTerminal('\u009b31m')).toBe('\\x9b31m');
    expect(escapeTerminal('\u202egnp.exe\u200b')).toBe('\\u202egnp.exe\\u200b');
    expect(escapeTerminal('\u{e0041}\ud800')).toBe('\\u{e0041}\\ud800');
  });

  it('leaves letters of every script, emoji and combining marks alone', () => {
    for (const text of ['Zürich', '東京', 'עברית', 'नमस्ते', '✓ → …', '🚀', 'e\u0301'])
      expect(escapeTerminal(text)).toBe(text);
  });

  it('never prints a character that acts on the screen', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeTerminal(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });
});

describe('escapeHtml', () => {
  it('leaves nothing that starts a tag, an entity or ends an attribute', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"'`]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
      }),
    );
  });
});

describe('escapeCsv', () => {
  it('prefixes what a spreadsheet takes for a formula', () => {
    for (const start of ['=', '+', '-', '@', ' =', '\t=', '\r']) {
      expect(escapeCsv(`${start}1+1`)).toMatch(/^"?'/);
    }
  });

  it('leaves numbers alone, negative ones too', () => {
    expect(escapeCsv(-3)).toBe('-3');
    expect(escapeCsv(null)).toBe('');
    expect(escapeCsv(true)).toBe('true');
  });

  it('quotes commas, quotes and edges of spaces', () => {
    expect(escapeCsv('a,"b"')).toBe('"a,""b"""');
    expect(escapeCsv(' a')).toBe('" a"');
  });
});

describe('escapeMarkdown', () => {
  it('puts words that would act into code spans and leaves the others', () => {
    expect(escapeMarkdown('create_issue ran in S1 (#3), twice.')).toBe('`create_issue` ran in S1 (`#3`), twice.');
    expect(escapeMarkdown('see https://evil.test and @octocat')).toBe('see `https://evil.test` and `@octocat`');
    expect(escapeMarkdown('[x](y) <b> a|b')).toBe('`[x](y)` `<b>` `a|b`');
  });

  it('cannot start a list, a heading or a rule', () => {
    for (const text of ['- a', '1. a', '# a', '--- a', '+ a', '=== a'])
      expect(escapeMarkdown(text)).toMatch(/^(?:\\|\d\\|`)/);
  });

  it('keeps every active character inside a code span', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const outside = escapeMarkdown(text).replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
        expect(outside).not.toMatch(/[*_{}[\]<>|~$&@#\n`]|:\/\/|www\./);
      }),
    );
  });

  it('leaves no pipe in a table cell that ends it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeMarkdownCell(text)).not.toMatch(/(?<!\\)\||\n/);
      }),
    );
  });

  it('fences a code span with more backticks than it holds', () => {
    expect(markdownCode('a`b')).toBe('`` a`b ``');
    expect(markdownCode('plain')).toBe('`plain`');
    expect(markdownCode('')).toBe('(empty)');
  });
});

describe('escapeMermaid', () => {
  it('keeps only letters, digits and harmless punctuation, the rest as entity codes', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(escapeMermaid(text)).toMatch(/^(?:[\p{L}\p{N} .,/_=()…→·×–-]|#\d+;)*$/u);
      }),
    );
  });

  it('does not let the keyword end through', () => {
    expect(escapeMermaid('end')).toBe('#101;nd');
    expect(escapeMermaid('The End.')).toBe('The #69;nd.');
    expect(escapeMermaid('legend')).toBe('legend');
  });
});

describe('JSON', () => {
  it('reads back as the same value after it was made inert', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostileText, (value, text) => {
        const all = { value, text };
        expect(JSON.parse(inertJson(JSON.stringify(all, null, 2)))).toEqual(JSON.parse(JSON.stringify(all)));
        expect(JSON.parse(jsonForScript(all))).toEqual(JSON.parse(JSON.stringify(all)));
      }),
    );
  });

  it('cannot end or open a script element', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(jsonForScript({ [text]: text })).not.toMatch(/[<>&\u2028\u2029]/);
      }),
    );
  });
});

describe('clip', () => {
  it('says how much is missing and does not cut a pair of surrogates', () => {
    expect(clip('abcdef', 3)).toBe('abc… (+3 characters)');
    expect(clip('a🚀b', 2)).toBe('a… (+3 characters)');
    expect(clip('abc', 3)).toBe('abc');
  });
});

describe('every escape', () => {
  it('takes long runs of the worst characters in linear time', () => {
    const worst = ['`', '[', '*', '\\', '|', '&', '\u001b', '- ', '](', '@'].map((part) =>
      part.repeat(200_000 / part.length),
    );
    const started = performance.now();
    for (const text of worst) {
      escapeMarkdown(text);
      escapeMermaid(text);
      escapeHtml(text);
      escapeCsv(text);
    }
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
