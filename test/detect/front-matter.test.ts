import { describe, expect, test } from 'vitest';
import { parseFrontMatter } from '../../src/detect/front-matter.js';

const LINES = [
  'id: slow-start',
  'title: A session began slowly',
  'explanation: "{session} took {seconds} s: too long."',
  'severity: medium',
  'needs: [request-headers, status]',
  'params: { many: { type: integer, default: 10, min: 2, max: 100 } }',
  'key: [session]',
  'remedy: Ask why.',
  'false-positives: [A cold start]',
];

const sqlOf = (lines: readonly string[]) =>
  ['-- ---', ...lines.map((line) => `-- ${line}`), '-- ---', 'select 1'].join('\n');
const withLine = (key: string, line: string) => sqlOf(LINES.map((old) => (old.startsWith(`${key}:`) ? line : old)));

test('metadata is read as it stands on top of the SQL', () => {
  expect(parseFrontMatter('slow-start.sql', sqlOf(LINES))).toEqual({
    id: 'slow-start',
    title: 'A session began slowly',
    explanation: '{session} took {seconds} s: too long.',
    severity: 'medium',
    needs: ['request-headers', 'status'],
    params: { many: { type: 'integer', default: 10, min: 2, max: 100 } },
    key: ['session'],
    remedy: 'Ask why.',
    falsePositives: ['A cold start'],
    references: [],
    wants: [],
    era: null,
  });
});

describe('metadata is refused with file and line:', () => {
  test.each([
    ['an unknown key', withLine('title', 'titel: A session'), 3, 'unknown key "titel"'],
    [
      'an unknown key of a parameter',
      withLine('params', 'params: { many: { typ: integer, default: 1 } }'),
      7,
      'unknown key "typ"',
    ],
    ['a missing key', sqlOf(LINES.slice(0, -2)), 2, '"remedy" is missing'],
    ['an unknown kind of evidence', withLine('needs', 'needs: [headers]'), 6, '"headers" is none'],
    ['an unknown severity', withLine('severity', 'severity: severe'), 5, 'one of info, low'],
    ['a list where a text belongs', withLine('title', 'title: [a, b]'), 3, '"title" must be a text'],
    [
      'a default of another type',
      withLine('params', 'params: { many: { type: integer, default: "10" } }'),
      7,
      '"many"',
    ],
    [
      'a default outside its bounds',
      withLine('params', 'params: { many: { type: integer, default: 1, min: 2 } }'),
      7,
      'bounds',
    ],
    ['the same key twice', sqlOf([...LINES, 'title: Again']), 11, 'unique'],
    ['YAML that is none', withLine('needs', 'needs: [a'), 7, ''],
    ['a line without a comment sign', sqlOf(LINES).replace('-- title', 'title'), 3, 'does not start with'],
    ['no block at all', 'select 1', 1, 'no metadata'],
  ])('%s', (_, sql, line, problem) => {
    expect(() => parseFrontMatter('folder/slow-start.sql', sql)).toThrow(
      expect.objectContaining({ code: 'detector-invalid', message: expect.stringContaining(problem) }),
    );
    expect(() => parseFrontMatter('folder/slow-start.sql', sql)).toThrow(`folder/slow-start.sql:${line}: `);
  });
});
