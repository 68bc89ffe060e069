import { expect, test } from 'vitest';
import { runSample, samplesFolder } from '../../src/cli/detectors-test.js';
import { loadRegistry } from '../../src/detect/registry.js';
import { judgeSample, samplesOf } from '../../src/detect/samples.js';

const { detectors } = await loadRegistry();
const samples = (await Promise.all(detectors.map(({ meta }) => samplesOf(samplesFolder(undefined), meta.id)))).flat();

for (const sample of samples) {
  test(`sample ${sample.detector}/${sample.name} is judged as its label says`, async () => {
    expect((await runSample(sample, undefined)).problems).toEqual([]);
  });
}

const finding = {
  detector: 'event-gap',
  sessions: ['S1', 'S2'],
  severity: 'high',
  confidence: 'definite',
  facts: { missing: 2 },
};

test('a label is met by a finding of the same detector and sessions that agrees in all it says', () => {
  const judge = (expectation: object) =>
    judgeSample({ expect: [{ detector: 'event-gap', ...expectation }], forbid: [] }, [finding]);
  expect(judge({})).toEqual([]);
  expect(judge({ sessions: ['S2'], severity: 'high', facts: { missing: 2 } })).toEqual([]);
  expect(judge({ sessions: ['S3'] })).toEqual(['event-gap [S3]: not found']);
  expect(judge({ severity: 'low', facts: { missing: 3 } })).toEqual([
    'event-gap: found, but severity is high, missing is 2',
  ]);
});

test('a label forbids a detector, or with * every serious finding that it does not expect', () => {
  const judge = (forbid: string[], severity = 'high', expected: { detector: string }[] = []) =>
    judgeSample({ expect: expected, forbid }, [{ ...finding, severity }]).length;
  expect(judge(['event-gap'])).toBe(1);
  expect(judge(['epoch-merge'])).toBe(0);
  expect(judge(['*'])).toBe(1);
  expect(judge(['*'], 'low')).toBe(0);
  expect(judge(['*'], 'high', [{ detector: 'event-gap' }])).toBe(0);
});
