import { describe, expect, test } from 'vitest';
import type { Finding, Incident } from '../../src/incident/finding.js';
import { carryOver, type KnownIncident } from '../../src/schedule/carry-over.js';
import { predecessors } from '../../src/schedule/predecessors.js';

const at = (minute: number) => `2026-11-12T14:${String(minute).padStart(2, '0')}:00.000Z`;

function fresh(id: string, findings: string[], from = 0, until = 5, cause = 'epoch-merge'): Incident {
  return {
    id,
    title: '',
    severity: 'high',
    cause,
    at: at(from),
    until: at(until),
    summary: '',
    impact: { sessions: 1, duplicateCalls: 0, unknownOutcomes: 0 },
    findings,
    timeline: [],
    reconcile: [],
    remediation: [],
    state: 'new',
  };
}

function known(id: string, findings: string[], from = 0, until = 5, cause = 'epoch-merge'): KnownIncident {
  return { id, cause, at: at(from), until: at(until), findings: new Set(findings), endpoints: new Set(['/mcp']) };
}

const carry = (incidents: Incident[], before: KnownIncident[], earlier: [string, string][] = []) =>
  carryOver(incidents, before, () => new Set(['/mcp']), new Map(earlier));

describe('an incident', () => {
  test('that shares a finding with a known one is that one', () => {
    const { idOf, news } = carry([fresh('x', ['f1', 'f2'])], [known('k', ['f2'])]);
    expect(idOf.get('x')).toBe('k');
    expect(news.size).toBe(0);
  });

  test('that shares nothing is news', () => {
    const { idOf, news } = carry([fresh('x', ['f1'], 20, 25)], [known('k', ['f2'])]);
    expect(idOf.get('x')).toBe('x');
    expect([...news]).toEqual(['x']);
  });

  test('of two known ones takes the id of that with which it shares most, and the other becomes part of it', () => {
    const { idOf, mergedIn } = carry([fresh('x', ['a', 'b', 'c'])], [known('k1', ['a']), known('k2', ['b', 'c'])]);
    expect(idOf.get('x')).toBe('k2');
    expect([...mergedIn]).toEqual([['k1', 'k2']]);
  });

  test('that splits keeps its id in one part, and the other part is no news', () => {
    const { idOf, news } = carry([fresh('k', ['a']), fresh('y', ['b', 'c'])], [known('k', ['a', 'b', 'c'])]);
    expect(idOf.get('y')).toBe('k');
    expect(idOf.get('k')).not.toBe('k');
    expect(news.size).toBe(0);
  });

  test('with a common cause goes on although the finding that names the cause is another one now', () => {
    const { idOf } = carry(
      [fresh('x', ['new'], 2, 9, 'rolling-deploy')],
      [known('k', ['old'], 0, 5, 'rolling-deploy')],
    );
    expect(idOf.get('x')).toBe('k');
    const later = carry([fresh('x', ['new'], 20, 29, 'rolling-deploy')], [known('k', ['old'], 0, 5, 'rolling-deploy')]);
    expect(later.idOf.get('x')).toBe('x');
  });

  test('whose finding goes by another id since a second capture came is the same', () => {
    const { idOf } = carry([fresh('x', ['f-har'], 30, 31)], [known('k', ['f-log'], 0, 1)], [['f-har', 'f-log']]);
    expect(idOf.get('x')).toBe('k');
  });
});

describe('a finding under another id', () => {
  const finding = (id: string, time: string, sessions = ['S1', 'S2']): Finding => ({
    id,
    detector: 'epoch-merge',
    severity: 'high',
    confidence: 'definite',
    title: '',
    explanation: '',
    sessions,
    at: time,
    until: time,
    evidence: [],
    facts: {},
    incident: null,
    state: 'new',
  });
  const match = (one: Finding[], others: Finding[]) => [
    ...predecessors(
      one,
      others.map((other) => ({ finding: other, endpoint: '' })),
      () => '',
    ),
  ];

  test('is known by detector, sessions and about the same time', () => {
    expect(match([finding('new', '2026-11-12T14:00:00.120Z')], [finding('old', '2026-11-12T14:00:00.000Z')])).toEqual([
      ['new', 'old'],
    ]);
    expect(match([finding('new', '2026-11-12T14:05:00.000Z')], [finding('old', '2026-11-12T14:00:00.000Z')])).toEqual(
      [],
    );
    expect(
      match([finding('new', '2026-11-12T14:00:00.000Z', ['S3'])], [finding('old', '2026-11-12T14:00:00.000Z')]),
    ).toEqual([]);
  });

  test('stands for one known finding alone', () => {
    const twice = [finding('a', '2026-11-12T14:00:01.000Z'), finding('b', '2026-11-12T14:00:02.000Z')];
    expect(match(twice, [finding('old', '2026-11-12T14:00:02.000Z')])).toHaveLength(1);
  });
});
