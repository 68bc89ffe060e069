import { expect, test } from 'vitest';
import { applySuppressions, parseSuppressions } from '../../src/detect/suppressions.js';

const FINDINGS = [
  { id: 'aaaa', detector: 'epoch-merge', sessions: ['S1', 'S2'], at: '2026-11-12T14:00:00.000Z' },
  { id: 'bbbb', detector: 'event-gap', sessions: ['3f2a91c0…#7d1e'], at: '2026-11-13T14:00:00.000Z' },
  { id: 'cccc', detector: 'event-gap', sessions: [], at: null },
];

const apply = (text: string) => {
  const { kept, suppressed, unused } = applySuppressions(FINDINGS, parseSuppressions('s.yaml', text));
  return {
    kept: kept.map(({ id }) => id),
    suppressed: suppressed.map(({ finding }) => finding.id),
    unused: unused.map(({ line }) => line),
  };
};

test('a suppression hides what it names and nothing else', () => {
  expect(apply('- { finding: aaaa, reason: known }').kept).toEqual(['bbbb', 'cccc']);
  expect(apply('- { detector: event-gap, reason: known }').kept).toEqual(['aaaa']);
  expect(apply('- { detector: event-gap, session: S1, reason: known }').kept).toEqual(['aaaa', 'bbbb', 'cccc']);
  expect(apply('- { session: S2, reason: known }').kept).toEqual(['bbbb', 'cccc']);
});

test('a session may be given as it is printed or by its whole tag', () => {
  expect(apply('- { session: "3f2a91c0…#7d1e", reason: known }').suppressed).toEqual(['bbbb']);
  expect(apply(`- { session: "3f2a91c0…#7d1e${'0'.repeat(28)}", reason: known }`).suppressed).toEqual(['bbbb']);
  expect(apply('- { session: "3f2a91c0", reason: known }').suppressed).toEqual([]);
});

test('a suppression expires by the day of the finding, not by the day of the run', () => {
  expect(apply('- { detector: event-gap, reason: known, expires: "2026-11-13" }').suppressed).toEqual(['bbbb', 'cccc']);
  expect(apply('- { finding: bbbb, reason: known, expires: "2026-11-12" }').suppressed).toEqual([]);
});

test('one that hides nothing is told, with its line', () => {
  expect(apply('- { finding: aaaa, reason: known }\n- { finding: zzzz, reason: gone }').unused).toEqual([2]);
});

test('JSON is read as well', () => {
  expect(apply('[{"finding":"aaaa","reason":"known"}]').suppressed).toEqual(['aaaa']);
});

test.each([
  ['{ a: 1 }', 'no list'],
  ['- { finding: aaaa }', 'without a reason'],
  ['- { reason: all of them }', 'names nothing'],
  ['- { finding: aaaa, reason: x, until: y }', 'unknown key "until"'],
  ['- { finding: aaaa, reason: x, expires: "2026-02-30" }', 'no day'],
  ['- { finding: aaaa, reason: x, expires: soon }', 'no day'],
  ['- [', 'Flow sequence'],
])('what is no suppression is refused with file and line: %s', (text, problem) => {
  expect(() => parseSuppressions('s.yaml', text)).toThrow(`s.yaml:1: `);
  expect(() => parseSuppressions('s.yaml', text)).toThrow(problem);
});
