import { expect, test } from 'vitest';
import { reconcileOf } from '../../src/incident/reconcile.js';
import { raw } from './raw.js';

const call = { method: 'tools/call', tool: 'create_issue', request_id: '3' };

test('a call whose answer was lost is to be looked up before anyone repeats it', () => {
  const [row] = reconcileOf([raw('lost-response', 100, ['S1'], { facts: { ...call, outcome: 'unknown' } })]);
  expect(row).toMatchObject({ session: 'S1', tool: 'create_issue', requestId: '3', outcome: 'unknown' });
  expect(row?.do).toContain('before anyone repeats it');
});

test('a call that ran by the server’s own record is not to be repeated', () => {
  const [row] = reconcileOf([raw('lost-response', 100, ['S1'], { facts: { ...call, outcome: 'completed' } })]);
  expect(row?.outcome).toBe('answer-lost');
  expect(row?.do).toContain('do not repeat');
});

test('other requests have no outcome to reconcile', () => {
  expect(
    reconcileOf([raw('lost-response', 100, ['S1'], { facts: { method: 'tools/list', request_id: '1' } })]),
  ).toEqual([]);
});

test('two calls of one effect are one entry, not a second one for the first of them', () => {
  const lost = raw('lost-response', 100, ['S1'], { facts: { ...call, outcome: 'unknown' }, exchanges: ['7'] });
  const twice = raw('duplicate-tool-call', 100, ['S1', 'S2'], {
    confidence: 'possible',
    facts: { tool: 'create_issue', first_request_id: '3', second_request_id: '4', second_outcome: 'completed' },
    exchanges: ['7', '9'],
  });
  expect(reconcileOf([lost, twice]).map(({ outcome }) => outcome)).toEqual(['may-have-run-twice']);
});

test('a call ran twice only when both are known to have completed', () => {
  const facts = { tool: 't', first_request_id: '1', second_request_id: '2', second_outcome: 'completed' };
  const certain = raw('duplicate-tool-call', 1, ['S'], { facts, exchanges: ['1', '2'] });
  const open = raw('duplicate-tool-call', 2, ['S'], {
    facts: { ...facts, second_outcome: 'unknown' },
    exchanges: ['3', '4'],
  });
  expect(reconcileOf([certain, open]).map(({ outcome }) => outcome)).toEqual(['ran-twice', 'may-have-run-twice']);
});

test('a read-only call that ran twice needs no one’s attention', () => {
  expect(reconcileOf([raw('duplicate-tool-call', 1, ['S'], { severity: 'info', facts: { tool: 't' } })])).toEqual([]);
});
