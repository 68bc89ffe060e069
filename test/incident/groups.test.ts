import { describe, expect, test } from 'vitest';
import { groupFindings, type LostEpoch, periodOf } from '../../src/incident/groups.js';
import { raw, SECOND_NS } from './raw.js';

const epochs = (...lives: readonly (readonly [string, number, number | null])[]): LostEpoch[] =>
  lives.map(([session, lineage, lost]) => ({
    session,
    lineage: BigInt(lineage),
    lost_ns: lost === null ? null : BigInt(lost) * SECOND_NS,
    backend: null,
  }));

const idsOf = (groups: ReturnType<typeof groupFindings>) =>
  groups.map(({ members }) => members.map(({ finding }) => finding.id));

describe('findings become one incident', () => {
  test('when they belong to one lineage and lie near each other', () => {
    const merge = raw('epoch-merge', 100, ['S1', 'S2'], { severity: 'critical' });
    const twice = raw('duplicate-tool-call', 130, ['S2']);
    const groups = groupFindings([twice, merge], epochs(['S1', 1, null], ['S2', 1, null]));
    expect(idsOf(groups)).toEqual([[merge.finding.id, twice.finding.id]]);
  });

  test('when one finding ties two lineages together', () => {
    const first = raw('lost-response', 100, ['A']);
    const second = raw('lost-response', 110, ['B']);
    const both = raw('foreign-replay', 120, ['A', 'B']);
    const groups = groupFindings([first, second, both], epochs(['A', 1, null], ['B', 2, null]));
    expect(groups).toHaveLength(1);
  });

  test('when a cause explains the loss of their sessions, however many lineages there are', () => {
    const cause = raw('load-correlated-failure', 100, [], { until: 200, facts: { cause: 'rolling-deploy' } });
    const merges = [0, 1, 2].map((n) => raw('epoch-merge', 150 + n, [`S${n}`, `T${n}`]));
    const lives = epochs(
      ['S0', 1, 150],
      ['S1', 2, 151],
      ['S2', 3, 152],
      ['T0', 1, null],
      ['T1', 2, null],
      ['T2', 3, null],
    );
    const groups = groupFindings([cause, ...merges], lives);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.cause).toBe(cause);
    expect(groups[0]?.members).toHaveLength(4);
  });
});

describe('findings stay apart', () => {
  test('when their lineages have nothing to do with each other', () => {
    const groups = groupFindings(
      [raw('lost-response', 100, ['A']), raw('lost-response', 101, ['B'])],
      epochs(['A', 1, null], ['B', 2, null]),
    );
    expect(groups).toHaveLength(2);
  });

  test('when more than half an hour lies between them', () => {
    const one = raw('lost-response', 100, ['A']);
    const late = raw('lost-response', 100 + 31 * 60, ['A']);
    expect(groupFindings([one, late], epochs(['A', 1, null]))).toHaveLength(2);
  });

  test('when the cause lost other sessions at the same time', () => {
    const cause = raw('load-correlated-failure', 100, [], { until: 200, facts: { cause: 'idle-eviction' } });
    const other = raw('lost-response', 150, ['X']);
    const groups = groupFindings([cause, other], epochs(['X', 9, null], ['S', 1, 150]));
    expect(groups).toHaveLength(2);
  });
});

test('findings below medium alone are no incident', () => {
  const low = raw('cursor-on-post', 100, ['A'], { severity: 'low' });
  expect(groupFindings([low], epochs(['A', 1, null]))).toEqual([]);
});

test('the order of the findings changes nothing', () => {
  const findings = [
    raw('epoch-merge', 100, ['S1', 'S2']),
    raw('lost-response', 90, ['S1']),
    raw('lost-response', 5000, ['S3']),
    raw('duplicate-tool-call', 140, ['S2']),
  ];
  const lives = epochs(['S1', 1, null], ['S2', 1, null], ['S3', 1, null]);
  expect(idsOf(groupFindings([...findings].reverse(), lives))).toEqual(idsOf(groupFindings(findings, lives)));
});

test('the period of a group reaches from the first beginning to the last end', () => {
  const [group] = groupFindings(
    [raw('epoch-merge', 100, ['S1'], { until: 400 }), raw('lost-response', 90, ['S1'], { until: 95 })],
    epochs(['S1', 1, null]),
  );
  expect(group && periodOf(group)).toEqual({ firstNs: 90n * SECOND_NS, lastNs: 400n * SECOND_NS });
});
