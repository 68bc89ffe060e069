import type { Finding, FindingEvidence, Incident, TimelineEntry } from '../../src/incident/finding.js';
import type { DetectorReport, ResultDocument, SourceReport } from '../../src/report/result-document.js';

/** The detectors of the catalogue, by id, for documents that look like real ones. */
export const DETECTORS: readonly (readonly [id: string, title: string])[] = [
  ['epoch-merge', 'A request of one session was answered under another one'],
  ['unacknowledged-resume', 'An endpoint answers resumes without naming the session'],
  ['masked-session-loss', 'A lost session was answered with something other than 404'],
  ['stale-session-reuse', 'A client kept using a session that the server had declared gone'],
  ['session-flapping', 'A session is known and unknown by turns'],
  ['cross-epoch-cursor', 'An event id of one session was presented with another'],
  ['replayed-events', 'Events arrived again after a resume'],
  ['foreign-replay', 'A resumed stream carries messages of another one'],
  ['event-gap', 'Event ids are missing on a resumed stream'],
  ['stream-cutoff', 'Streams end at the same age'],
  ['duplicate-tool-call', 'The same call ran, or may have run, twice'],
  ['lost-response', 'A response never arrived'],
  ['misattributed-result', 'A response answers another request'],
  ['load-correlated-failure', 'Session losses do not happen at random'],
];

/** A source that was read without trouble. */
export function source(overrides: Partial<SourceReport> = {}): SourceReport {
  return {
    path: 'capture.har',
    format: 'har',
    producer: 'Chrome 156',
    vantage: 'client',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    bytes: 44_546,
    records: 11,
    skipped: 0,
    rejected: 0,
    duplicates: 0,
    evidence: ['request-headers', 'response-headers', 'status', 'bodies', 'events'],
    rejects: [],
    warnings: [],
    error: null,
    ...overrides,
  };
}

export function evidence(locator: string, at: string, what: string, path = 'capture.har'): FindingEvidence {
  return { source: path, locator, at, what };
}

/** A finding of `epoch-merge` unless told otherwise. */
export function finding(overrides: Partial<Finding> = {}): Finding {
  return {
    id: '00000000000000a1',
    detector: 'epoch-merge',
    severity: 'critical',
    confidence: 'definite',
    title: 'A request of one session was answered under another one',
    explanation: 'S1 was resumed after e140 and answered 200 under S2; the client went on with S2.',
    sessions: ['S1', 'S2'],
    at: '2026-11-12T14:02:36.280Z',
    until: '2026-11-12T14:02:38.880Z',
    evidence: [],
    facts: {},
    incident: null,
    state: 'new',
    ...overrides,
  };
}

/** A document in which every detector judged and none found anything. */
export function cleanDocument(overrides: Partial<ResultDocument> = {}): ResultDocument {
  return {
    schema: 'mcp-postmortem/result@1',
    tool: { name: 'mcp-postmortem', version: '0.1.0' },
    command: 'mcp-postmortem analyze capture.har',
    window: { from: '2026-11-12T14:02:11.000Z', to: '2026-11-12T14:03:02.120Z' },
    sources: [source()],
    totals: {
      exchanges: 11,
      sessions: 1,
      epochs: 1,
      streams: 3,
      events: 58,
      messages: 71,
      toolCalls: 5,
      resumes: 1,
      rejected: 0,
    },
    verdicts: { resumed: 1 },
    enforcement: { loud: 0, silent: 0, rows: [] },
    detectors: detectorReports({}),
    findings: [],
    incidents: [],
    load: { bucketMs: 1000, buckets: [], backends: [], windows: [], idle: [] },
    notJudged: [],
    ...overrides,
  };
}

/** Reports of all detectors: `counts` names those with findings, `others` those that differ otherwise. */
export function detectorReports(
  counts: Readonly<Record<string, number>>,
  others: Readonly<Record<string, Partial<DetectorReport>>> = {},
): readonly DetectorReport[] {
  return DETECTORS.map(([id, title]) => ({
    id,
    title,
    status: (counts[id] ?? 0) > 0 ? ('findings' as const) : ('clean' as const),
    findings: counts[id] ?? 0,
    reason: null,
    ms: null,
    ...others[id],
  }));
}

const INCIDENT = '7c21f0aa90b3e514';
const RESUME = 'GET /mcp · Mcp-Session-Id S1 · Last-Event-ID e140 → 200 · Mcp-Session-Id S2 · first event e1';
const FIRST_CALL =
  'POST /mcp · Mcp-Session-Id S1 · tools/call create_issue #3 → 200 · events e100–e140 · stream ended without the response';
const SECOND_CALL = 'POST /mcp · Mcp-Session-Id S2 · tools/call create_issue #4 → 200 · events e3–e6 · completed';

/** S1 spliced into S2, create_issue run twice, one outcome unknown: the story in README's example. */
export function spliceDocument(): ResultDocument {
  const findings: Finding[] = [
    finding({
      incident: INCIDENT,
      evidence: [
        evidence('entry 5', '2026-11-12T14:02:36.280Z', RESUME),
        evidence('entry 6', '2026-11-12T14:02:38.880Z', SECOND_CALL),
        evidence(
          'line 6',
          '2026-11-12T14:02:36.281Z',
          'GET /mcp · upstream 10.20.0.14:8080 · 200',
          'nginx-access.jsonl',
        ),
      ],
      facts: { trigger: 'resume', consequence: 'adopted', last_event_id: 'e140', first_event_id: 'e1' },
    }),
    finding({
      id: '00000000000000a2',
      detector: 'duplicate-tool-call',
      severity: 'medium',
      confidence: 'possible',
      title: 'The same call ran, or may have run, twice',
      explanation:
        'create_issue was called with the same arguments in S1 (#3, outcome unknown) and again in S2 (#4, completed).',
      at: '2026-11-12T14:02:38.880Z',
      incident: INCIDENT,
      evidence: [
        evidence('entry 4', '2026-11-12T14:02:13.830Z', FIRST_CALL),
        evidence('entry 6', '2026-11-12T14:02:38.880Z', SECOND_CALL),
      ],
      facts: { mechanism: 'epoch-change', tool: 'create_issue', first_outcome: 'unknown' },
    }),
    finding({
      id: '00000000000000a3',
      detector: 'lost-response',
      severity: 'high',
      title: 'A response never arrived',
      explanation:
        'create_issue #3 in S1 never got its response: its stream ended after e140 and was resumed under another session.',
      sessions: ['S1'],
      at: '2026-11-12T14:02:35.030Z',
      incident: INCIDENT,
      evidence: [evidence('entry 4', '2026-11-12T14:02:13.830Z', FIRST_CALL)],
      facts: { ended: 'complete', tool: 'create_issue' },
    }),
  ];
  return cleanDocument({
    command: 'mcp-postmortem analyze samples/rolling-deploy --out report.html',
    sources: [
      source(),
      source({
        path: 'nginx-access.jsonl',
        format: 'access-log/nginx',
        producer: 'nginx',
        vantage: 'proxy',
        bytes: 3477,
        evidence: ['request-headers', 'status', 'backend'],
        sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      }),
    ],
    totals: { ...cleanDocument().totals, sessions: 2, epochs: 2 },
    verdicts: { 'epoch-merge': 1 },
    enforcement: {
      loud: 0,
      silent: 2,
      rows: [
        {
          endpoint: 'https://mcp.example.test/mcp',
          server: 'depot-tools 1.4.0',
          client: 'bench-client 2.1.0',
          day: '2026-11-12',
          loud: 0,
          silent: 2,
        },
      ],
    },
    detectors: detectorReports({ 'epoch-merge': 1, 'duplicate-tool-call': 1, 'lost-response': 1 }),
    findings,
    incidents: [spliceIncident()],
    load: {
      bucketMs: 5000,
      buckets: [0, 1, 2, 3, 4, 5, 6].map((step) => ({
        at: new Date(Date.UTC(2026, 10, 12, 14, 2, 10 + step * 5)).toISOString(),
        requests: [5, 0, 0, 0, 0, 2, 4][step] ?? 0,
        losses: 0,
        resumes: step === 5 ? { 'epoch-merge': 1 } : {},
      })),
      backends: [
        { backend: '10.20.0.11:8080', from: '2026-11-12T14:02:11.000Z', to: '2026-11-12T14:02:35.030Z', requests: 5 },
        { backend: '10.20.0.14:8080', from: '2026-11-12T14:02:36.280Z', to: '2026-11-12T14:03:02.120Z', requests: 6 },
      ],
      windows: [],
      idle: [],
    },
    notJudged: ['One lost session proves no load cause: at least 5 failures are needed, 1 was seen.'],
  });
}

function spliceIncident(): Incident {
  return {
    id: INCIDENT,
    title: 'Session S1 was resumed into S2, another history',
    severity: 'critical',
    cause: 'epoch-merge',
    at: '2026-11-12T14:02:13.830Z',
    until: '2026-11-12T14:02:47.000Z',
    summary:
      'The stream of create_issue in session S1 ended without its response. The resume after e140 reached another instance, which answered 200 under a new session S2 from e1 on. The client took S2 for a continuation and called create_issue again.',
    impact: { sessions: 2, duplicateCalls: 1, unknownOutcomes: 1 },
    findings: ['00000000000000a1', '00000000000000a2', '00000000000000a3'],
    timeline: spliceTimeline(),
    reconcile: [
      {
        session: 'S1',
        tool: 'create_issue',
        requestId: '3',
        outcome: 'unknown',
        do: 'Look in the issue tracker whether the issue exists once or twice; close the copy.',
        at: '2026-11-12T14:02:13.830Z',
        source: 'capture.har',
        locator: 'entry 4',
      },
      {
        session: 'S2',
        tool: 'create_issue',
        requestId: '4',
        outcome: 'may-have-run-twice',
        do: 'The same arguments as #3 in S1: keep one of the two.',
        at: '2026-11-12T14:02:38.880Z',
        source: 'capture.har',
        locator: 'entry 6',
      },
    ],
    remediation: [
      'Server: answer 404 to a session id it does not know; never issue a new session on a resume.',
      'Client: compare Mcp-Session-Id of the response with the one that was sent before the first event is used.',
      'Load balancer: route by Mcp-Session-Id, or share the session store between instances.',
    ],
    state: 'new',
  };
}

/** The timeline of the splice, as the `timeline` command has it too. */
export function spliceTimeline(): readonly TimelineEntry[] {
  const old = { session: 'S1', backend: '10.20.0.11:8080' };
  const next = { session: 'S2', backend: '10.20.0.14:8080' };
  return [
    entry('14:02:11.000', 'entry 0', 'client', 'request', 'POST /mcp · initialize #0 → 200 · Mcp-Session-Id S1', old),
    entry(
      '14:02:12.101',
      'entry 3',
      'client',
      'request',
      'POST /mcp · Mcp-Session-Id S1 · tools/call search #2 → 200 · completed',
      old,
    ),
    entry('14:02:13.830', 'entry 4', 'client', 'duplicate', FIRST_CALL, old),
    entry('14:02:35.030', 'entry 4', 'server', 'fault', 'stream ended after e140 without the response to #3', old),
    entry('14:02:36.280', 'entry 5', 'client', 'seam', RESUME, { ...old, otherSession: 'S2', backend: next.backend }),
    entry('14:02:37.000', 'entry 5', 'server', 'request', 'events e1–e2 of S2 delivered to the client', next),
    entry('14:02:38.880', 'entry 6', 'client', 'duplicate', SECOND_CALL, next),
    entry('14:02:43.840', 'entry 7', 'client', 'request', 'POST /mcp · Mcp-Session-Id S2 · tools/list #5 → 200', next),
    entry('14:02:47.000', 'entry 4', 'client', 'lost', 'tools/call create_issue #3 in S1: outcome unknown', old),
  ];
}

function entry(
  clock: string,
  locator: string,
  lane: TimelineEntry['lane'],
  role: TimelineEntry['role'],
  what: string,
  rest: Pick<TimelineEntry, 'session'> & Partial<TimelineEntry>,
): TimelineEntry {
  return { at: `2026-11-12T${clock}Z`, what, source: 'capture.har', locator, lane, role, ...rest };
}
