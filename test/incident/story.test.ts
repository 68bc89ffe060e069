import { beforeAll, describe, expect, test } from 'vitest';
import { analyzeFiles } from '../../src/cli/analyze-files.js';
import type { ResultDocument } from '../../src/incident/result-document.js';

const SAMPLE = ['capture.har', 'nginx-access.jsonl', 'traces.jsonl'].map((name) => `samples/rolling-deploy/${name}`);

describe('the sample of a rolling deploy', () => {
  let document: ResultDocument;
  beforeAll(async () => {
    document = await analyzeFiles(SAMPLE);
  });

  test('is one incident: a session merged into another, and the tool that ran twice', () => {
    expect(document.incidents).toHaveLength(1);
    expect(document.incidents[0]).toMatchObject({
      severity: 'critical',
      cause: 'epoch-merge',
      impact: { sessions: 2, duplicateCalls: 1, unknownOutcomes: 0 },
    });
    expect(document.incidents[0]?.title).toContain('create_issue ran twice');
  });

  test('counts each exchange once although three files show it', () => {
    expect(document.totals).toMatchObject({ exchanges: 9, sessions: 2, toolCalls: 4, resumes: 1 });
    expect(document.verdicts).toEqual({ 'epoch-merge': 1 });
  });

  test('cites every file that saw the merge', () => {
    const merge = document.findings.find(({ detector }) => detector === 'epoch-merge');
    expect(new Set(merge?.evidence.map(({ source }) => source.split('/').at(-1)))).toEqual(
      new Set(['capture.har', 'nginx-access.jsonl', 'traces.jsonl']),
    );
  });

  test('tells the exchanges in order of time, each once, with the seam marked', () => {
    const timeline = document.incidents[0]?.timeline ?? [];
    expect(timeline.filter(({ role }) => role === 'seam')).toHaveLength(1);
    expect(timeline.map(({ at }) => at)).toEqual([...timeline.map(({ at }) => at)].sort());
    expect(new Set(timeline.map(({ locator }) => locator)).size).toBe(timeline.length);
  });

  test('says what to look up and who has to change what', () => {
    expect(document.incidents[0]?.reconcile).toEqual([
      expect.objectContaining({ tool: 'create_issue', outcome: 'ran-twice' }),
    ]);
    const parties = document.incidents[0]?.remediation.map((line) => line.split(':')[0]);
    expect(new Set(parties)).toEqual(new Set(['Reconcile', 'Server', 'Client', 'Proxy']));
  });

  test('shows no session id whole', () => {
    expect(JSON.stringify(document)).not.toMatch(/8c1f0a52-6d0e|e2b94d37-0f5c/);
  });

  test('is the same document whatever the order of the files', async () => {
    const { command: _, ...again } = await analyzeFiles([...SAMPLE].reverse());
    const { command: __, ...first } = document;
    expect(again).toEqual(first);
  });

  test('is judged by the HAR alone with less certainty, not with less severity', async () => {
    const alone = await analyzeFiles([SAMPLE[0]!]);
    expect(alone.findings.map(({ detector, severity, confidence }) => [detector, severity, confidence])).toEqual([
      ['epoch-merge', 'critical', 'definite'],
      ['lost-response', 'high', 'definite'],
      ['duplicate-tool-call', 'medium', 'possible'],
    ]);
    expect(alone.incidents[0]?.impact.unknownOutcomes).toBe(1);
  });
});
