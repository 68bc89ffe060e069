import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalise } from '../../src/mcp/canonical.js';
import { digest, MAX_DEPTH, parseJson } from '../../src/mcp/json.js';

describe('parsing', () => {
  test('512 levels are read, 513 are refused, brackets in strings do not count', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(MAX_DEPTH)).ok).toBe(true);
    expect(parseJson(nested(MAX_DEPTH + 1))).toEqual({ ok: false, reason: 'too-deep' });
    expect(parseJson(JSON.stringify({ a: `"\\${'['.repeat(2_000)}` })).ok).toBe(true);
    expect(parseJson('{"a":'.repeat(4_000_000))).toEqual({ ok: false, reason: 'too-deep' });
  });

  test('JSON that was cut is told from what is none', () => {
    expect(parseJson('{"a":[1,"x')).toEqual({ ok: false, reason: 'unterminated' });
    expect(parseJson('{"a":1}}')).toEqual({ ok: false, reason: 'malformed' });
    expect(parseJson('no json')).toEqual({ ok: false, reason: 'malformed' });
    expect(parseJson('')).toEqual({ ok: false, reason: 'malformed' });
  });

  test('keys named like prototypes are plain keys', () => {
    const parsed = parseJson('{"__proto__":{"polluted":1},"constructor":2}');
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the canonical form of RFC 8785', () => {
  test('the example of its section 3.2.2', () => {
    const text =
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}';
    expect(canonicalise(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('keys are sorted by UTF-16 code units, integers and __proto__ among them', () => {
    expect(canonicalise(JSON.parse('{"b":1,"10":2,"9":3,"__proto__":4,"a":{"d":[{"z":1,"y":2}],"c":0}}'))).toBe(
      '{"10":2,"9":3,"__proto__":4,"a":{"c":0,"d":[{"y":2,"z":1}]},"b":1}',
    );
    expect(canonicalise(JSON.parse('{"\\u20ac":1,"\\r":2,"\\ud83d\\ude00":3,"\\ufb33":4,"ö":5}'))).toBe(
      '{"\\r":2,"ö":5,"€":1,"😀":3,"\ufb33":4}',
    );
  });

  test('does not depend on the order of keys, changes nothing in what it is given, and parses to the same', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      const out = Object.create(null) as Record<string, unknown>;
      for (const [key, item] of Object.entries(value).reverse()) out[key] = shuffled(item);
      return out;
    };
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        const before = JSON.stringify(value);
        const canonical = canonicalise(value);
        expect(canonicalise(shuffled(value))).toBe(canonical);
        expect(JSON.stringify(value)).toBe(before);
        expect(JSON.parse(canonical)).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a digest is the first 32 hex digits of SHA-256', () => {
  expect(digest('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
});
