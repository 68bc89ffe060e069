import type { Reconciliation } from './finding.js';
import type { RawFinding } from './findings.js';

/** Every tool call of the incident whose outcome is unknown or that ran, or may have run, twice; each once. */
export function reconcileOf(members: readonly RawFinding[]): Reconciliation[] {
  const rows: Reconciliation[] = [];
  const listed = new Set<string>();
  for (const item of members) {
    const row = duplicateOf(item) ?? unknownOf(item);
    if (row === null) continue;
    const key = `${row.session}\0${row.requestId}\0${row.tool}\0${row.at}`;
    if (listed.has(key)) continue;
    listed.add(key);
    rows.push(row);
  }
  const covered = new Set(
    members.filter(({ finding }) => finding.detector === 'duplicate-tool-call').map(({ row }) => row.exchanges[0]),
  );
  // the first of two calls is reconciled with the second, not once more on its own
  return rows.filter(
    (row) => (row.outcome !== 'unknown' && row.outcome !== 'answer-lost') || !isCovered(row, members, covered),
  );
}

function isCovered(
  row: Reconciliation,
  members: readonly RawFinding[],
  covered: ReadonlySet<string | undefined>,
): boolean {
  return members.some(
    (item) =>
      item.finding.detector === 'lost-response' &&
      covered.has(item.row.exchanges[0]) &&
      item.finding.sessions[0] === row.session &&
      String(item.finding.facts.request_id) === row.requestId,
  );
}

function duplicateOf({ finding, views }: RawFinding): Reconciliation | null {
  if (finding.detector !== 'duplicate-tool-call' || finding.severity === 'info') return null;
  const { tool, first_request_id: first, second_request_id: second, mechanism } = finding.facts;
  const name = typeof tool === 'string' ? tool : 'the call';
  const twice = finding.confidence === 'definite' && finding.facts.second_outcome === 'completed';
  const place = views[0];
  const where =
    mechanism === 'proxy-retry'
      ? `the proxy sent it to ${String(finding.facts.backends ?? 'two instances')}`
      : `requests ${String(first)} and ${String(second)}`;
  return {
    session: finding.sessions.join(' → '),
    tool: typeof tool === 'string' ? tool : null,
    requestId: textOf(first),
    outcome: twice ? 'ran-twice' : 'may-have-run-twice',
    do: twice
      ? `${name} ran twice (${where}): look up both effects in the system it acts on and undo the second.`
      : `${name} may have run twice (${where}): look for two effects in the system it acts on; if there are two, undo one.`,
    at: finding.at,
    source: place?.source ?? '',
    locator: place?.locator ?? '',
  };
}

function unknownOf({ finding, views }: RawFinding): Reconciliation | null {
  if (finding.detector !== 'lost-response' || finding.facts.method !== 'tools/call') return null;
  const { tool, request_id: id } = finding.facts;
  const name = typeof tool === 'string' ? tool : 'the tool';
  const place = views[0];
  const ran = finding.facts.outcome === 'completed';
  return {
    session: finding.sessions[0] ?? '',
    tool: typeof tool === 'string' ? tool : null,
    requestId: textOf(id),
    outcome: ran ? 'answer-lost' : 'unknown',
    do: ran
      ? `${name} ran (a server's record shows request ${String(id)} completed), only its answer was lost: read the result from the system it acts on and do not repeat it.`
      : `Ask the system that ${name} acts on whether request ${String(id)} took effect before anyone repeats it.`,
    at: finding.at,
    source: place?.source ?? '',
    locator: place?.locator ?? '',
  };
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
