import { expect, test } from 'vitest';
import { byParty } from '../../src/incident/remediation.js';

test('a remedy that speaks to two parties becomes a line for each', () => {
  expect(byParty(['Server - answer 404. Client - start anew on 404.'])).toEqual([
    'Server: Answer 404.',
    'Client: Start anew on 404.',
  ]);
});

test('what is to be looked up comes first, then the parties in their order, each thing once', () => {
  const remedies = ['Client - start anew.', 'Compare both effects. Proxy - do not retry.', 'Client - start anew.'];
  expect(byParty(remedies)).toEqual([
    'Reconcile: Compare both effects.',
    'Client: Start anew.',
    'Proxy: Do not retry.',
  ]);
});

test('a hyphen inside a sentence names no party', () => {
  expect(byParty(['Server - re-read the store - it knows. The client - for once - is right.'])).toEqual([
    'Server: Re-read the store - it knows. The client - for once - is right.',
  ]);
});

test('no remedy gives no line', () => {
  expect(byParty([])).toEqual([]);
});
