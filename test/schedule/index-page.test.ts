import { expect, test } from 'vitest';
import type { Incident } from '../../src/incident/finding.js';
import { indexPage } from '../../src/schedule/index-page.js';
import { prometheusLabels } from '../../src/schedule/prometheus.js';

const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)> \u202e \u001b[31m';

test('what a capture says is inert on the index page', () => {
  const incident: Incident = {
    id: 'aa"><b>',
    title: EVIL,
    severity: 'high',
    cause: EVIL,
    at: '2026-11-12T14:00:00.000Z',
    until: null,
    summary: EVIL,
    impact: { sessions: 1, duplicateCalls: 0, unknownOutcomes: 0 },
    findings: [],
    timeline: [],
    reconcile: [],
    remediation: [EVIL],
    state: 'new',
  };
  const page = indexPage([{ incident, state: 'new', mergedIn: null }], {
    version: '0.0.0',
    newest: null,
    told: new Set(),
    pages: new Set([incident.id]),
    reports: ['"><script>.html'],
  });
  expect(page).not.toMatch(/<script|<img|<b>|\u202e|\u001b/);
  expect(page).toContain("default-src 'none'");
});

test('a label of a metric ends where it ends', () => {
  expect(prometheusLabels({ endpoint: 'a"} 1\nforged_metric 2\\\r' })).toBe(
    '{endpoint="a\\"} 1\\nforged_metric 2\\\\\ufffd"}',
  );
});
