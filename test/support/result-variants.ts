import type { Finding, Incident } from '../../src/incident/finding.js';
import type { DetectorPage } from '../../src/report/options.js';
import type { LoadChart, ResultDocument } from '../../src/report/result-document.js';
import { cleanDocument, DETECTORS, detectorReports, evidence, finding, source, spliceDocument } from './result.js';

const START = Date.UTC(2026, 10, 12, 14, 0, 0);

function time(seconds: number): string {
  return new Date(START + Math.round(seconds * 1000)).toISOString();
}

/** A hexadecimal id of sixteen digits made of a number. */
function idOf(number: number): string {
  return number.toString(16).padStart(16, '0');
}

/** A rolling deploy in which 212 sessions were lost, seen by a proxy alone. */
export function rollingDeployDocument(): ResultDocument {
  const cause = finding({
    id: idOf(1),
    detector: 'load-correlated-failure',
    severity: 'high',
    title: 'Session losses do not happen at random',
    explanation:
      '212 of 260 sessions were lost within 95 s in which four instances were replaced; 3 of 1,940 were lost outside.',
    sessions: [],
    at: time(180),
    until: time(275),
    incident: idOf(900),
    evidence: [
      evidence('line 4711', time(181), 'POST /mcp · Mcp-Session-Id 3f2a91c0…#7d1e → 404', 'nginx-access.jsonl'),
    ],
    facts: {
      cause: 'rolling-deploy',
      failed_inside: 212,
      kept_inside: 48,
      failed_outside: 3,
      kept_outside: 1937,
      p_value: 1.2e-160,
      backends_gone: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
    },
  });
  const reused = Array.from({ length: 40 }, (_, index) =>
    finding({
      id: idOf(100 + index),
      detector: 'stale-session-reuse',
      severity: index < 6 ? 'high' : 'medium',
      title: 'A client kept using a session that the server had declared gone',
      explanation: `Session ${sessionTag(index)} was answered 404 and still sent ${3 + index} more requests.`,
      sessions: [sessionTag(index)],
      at: time(185 + index * 2),
      until: time(190 + index * 2),
      incident: idOf(900),
      evidence: [
        evidence(
          `line ${5000 + index}`,
          time(185 + index * 2),
          `POST /mcp · Mcp-Session-Id ${sessionTag(index)} → 404`,
          'nginx-access.jsonl',
        ),
      ],
      facts: { uses: 3 + index },
    }),
  );
  return cleanDocument({
    command: 'mcp-postmortem analyze nginx-access.jsonl',
    window: { from: time(0), to: time(600) },
    sources: [
      source({
        path: 'nginx-access.jsonl',
        format: 'access-log/nginx',
        producer: 'nginx',
        vantage: 'proxy',
        bytes: 13_720_600,
        records: 61_204,
        evidence: ['request-headers', 'response-headers', 'status', 'backend'],
      }),
    ],
    totals: {
      ...cleanDocument().totals,
      exchanges: 61_204,
      sessions: 2200,
      epochs: 2412,
      resumes: 640,
      toolCalls: 31_022,
    },
    verdicts: { resumed: 0, 'session-gone': 212, unobserved: 428 },
    enforcement: {
      loud: 212,
      silent: 0,
      rows: [{ endpoint: '/mcp', server: null, client: null, day: '2026-11-12', loud: 212, silent: 0 }],
    },
    detectors: detectorReports(
      { 'load-correlated-failure': 1, 'stale-session-reuse': 40 },
      notApplicable(['replayed-events', 'foreign-replay', 'event-gap', 'misattributed-result']),
    ),
    findings: [cause, ...reused],
    incidents: [deployIncident([cause, ...reused])],
    load: deployLoad(),
    notJudged: ['The log carries no event ids: whether resumed streams went on at the right place is not known.'],
  });
}

function sessionTag(index: number): string {
  return `${(0x3f2a91c0 + index * 7919).toString(16)}…#${(0x7d1e + index).toString(16)}`;
}

function deployIncident(findings: readonly Finding[]): Incident {
  return {
    id: idOf(900),
    title: 'A rolling deploy took 212 sessions with it',
    severity: 'high',
    cause: 'rolling-deploy',
    at: time(180),
    until: time(275),
    summary:
      'Between 14:03:00 and 14:04:35 four instances were replaced, and 212 of the 260 sessions then in use were answered 404. 40 clients went on with dead sessions.',
    impact: { sessions: 212, duplicateCalls: 0, unknownOutcomes: 17 },
    findings: findings.map(({ id }) => id),
    timeline: Array.from({ length: 130 }, (_, index) => ({
      at: time(180 + index * 0.7),
      what: `POST /mcp · Mcp-Session-Id ${sessionTag(index % 9)} · tools/call lookup #${index} → ${index % 3 === 0 ? '404' : '200'}`,
      source: 'nginx-access.jsonl',
      locator: `line ${4711 + index}`,
      lane: 'proxy' as const,
      session: sessionTag(index % 9),
      role: index % 3 === 0 ? ('loss' as const) : ('request' as const),
      backend: `10.0.0.${1 + (index % 8)}`,
    })),
    reconcile: Array.from({ length: 17 }, (_, index) => ({
      session: sessionTag(index),
      tool: 'update_order',
      requestId: String(40 + index),
      outcome: 'unknown' as const,
      do: 'Ask the order service whether the order was updated before it is sent again.',
      at: time(190 + index),
      source: 'nginx-access.jsonl',
      locator: `line ${6000 + index}`,
    })),
    remediation: [
      'Deployment: drain an instance until its sessions have ended, or keep sessions in a shared store.',
      'Client: on 404 drop the session id and initialize anew; treat calls in flight as unknown outcome.',
    ],
    state: 'new',
  };
}

function deployLoad(): LoadChart {
  const buckets = Array.from({ length: 120 }, (_, index) => {
    const inside = index >= 36 && index <= 55;
    const losses = inside ? Math.round(212 / 20) : index % 40 === 7 ? 1 : 0;
    return {
      at: time(index * 5),
      requests: 480 + Math.round(60 * Math.sin(index / 6)) - (inside ? 120 : 0),
      losses,
      resumes: inside ? { 'session-gone': losses, unobserved: 12 } : { unobserved: 3 + (index % 3) },
    };
  });
  return {
    bucketMs: 5000,
    buckets,
    backends: Array.from({ length: 8 }, (_, index) => ({
      backend: `10.0.0.${index + 1}`,
      from: index < 4 ? time(0) : time(182 + (index - 4) * 22),
      to: index < 4 ? time(180 + index * 24) : time(600),
      requests: 7000 + index,
    })),
    windows: [{ cause: 'rolling-deploy', from: time(180), to: time(275) }],
    idle: [],
  };
}

/** Sessions that end when idle for 30 minutes; the histogram shows the threshold. */
export function idleEvictionDocument(): ResultDocument {
  const cause = finding({
    id: idOf(2),
    detector: 'load-correlated-failure',
    severity: 'medium',
    title: 'Session losses do not happen at random',
    explanation:
      'Every one of 41 sessions that paused for more than 1,800 s was lost; none of 388 with shorter pauses was.',
    sessions: [],
    incident: idOf(901),
    facts: { cause: 'idle-eviction', threshold_s: 1800, p_value: 3e-9 },
  });
  const idle = Array.from({ length: 429 }, (_, index) => {
    const lost = index >= 388;
    const idleMs = lost ? 1_800_000 + (index - 388) * 90_000 : 5000 + ((index * 7919) % 388) * 4600;
    return { idleMs, lost };
  });
  return cleanDocument({
    detectors: detectorReports({ 'load-correlated-failure': 1 }),
    findings: [cause],
    incidents: [
      {
        ...deployIncident([cause]),
        id: idOf(901),
        title: 'Sessions end after 30 minutes without a request',
        severity: 'medium',
        cause: 'idle-eviction',
        timeline: [],
        reconcile: [],
        summary: 'The server forgets a session that was idle for 1,800 s.',
        impact: { sessions: 41, duplicateCalls: 0, unknownOutcomes: 0 },
      },
    ],
    load: { ...deployLoad(), windows: [], backends: [], idle },
  });
}

/** Ten thousand findings in a hundred incidents. */
export function hugeDocument(count = 10_000): ResultDocument {
  const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
  const findings = Array.from({ length: count }, (_, index) => {
    const [detector = '', title = ''] = DETECTORS[index % DETECTORS.length] ?? [];
    return finding({
      id: idOf(1000 + index),
      detector,
      title,
      severity: severities[index % 5] ?? 'info',
      explanation: `Session ${sessionTag(index)} was answered 404 at ${time(index)} and still sent ${index % 50} more requests until ${time(index + 60)}.`,
      sessions: [sessionTag(index)],
      at: time(index),
      until: time(index + 60),
      incident: idOf(500_000 + (index % 100)),
      evidence: [0, 1, 2].map((step) =>
        evidence(
          `line ${index * 10 + step}`,
          time(index + step),
          `POST /mcp · Mcp-Session-Id ${sessionTag(index)} · tools/call lookup #${step} → 404`,
          'nginx-access.jsonl',
        ),
      ),
      facts: { uses: index % 50, lost_exchange: `line ${index}`, episode: index },
    });
  });
  const splice = spliceDocument();
  const model = splice.incidents[0];
  if (model === undefined) throw new Error('The splice has an incident.');
  return cleanDocument({
    findings,
    detectors: detectorReports(Object.fromEntries(DETECTORS.map(([id]) => [id, Math.ceil(count / DETECTORS.length)]))),
    incidents: Array.from({ length: 100 }, (_, index) => ({
      ...model,
      id: idOf(500_000 + index),
      severity: severities[index % 5] ?? 'info',
      title: `Incident ${index + 1}: session ${sessionTag(index)} was resumed into another history`,
      findings: findings.filter((_finding, position) => position % 100 === index).map(({ id }) => id),
    })),
    load: deployLoad(),
  });
}

/** Nothing found, and much that could not be judged. */
export function unprovenDocument(): ResultDocument {
  return cleanDocument({
    sources: [
      source({ path: 'good.har' }),
      source({
        path: 'old.log',
        format: 'access-log/combined',
        producer: null,
        vantage: 'proxy',
        records: 900,
        rejected: 3,
        rejects: [
          { locator: 'line 17', reason: 'no request line' },
          { locator: 'line 18', reason: 'no request line' },
        ],
        warnings: ['Times carry no zone: read as UTC.'],
        evidence: ['status'],
      }),
      source({
        path: 'broken.har',
        format: 'unknown',
        producer: null,
        vantage: 'unknown',
        records: 0,
        bytes: 120,
        evidence: [],
        error: 'ends inside a string at byte 119',
      }),
    ],
    totals: { ...cleanDocument().totals, rejected: 3 },
    detectors: detectorReports(
      {},
      {
        ...notApplicable(['replayed-events', 'event-gap']),
        'epoch-merge': {
          status: 'partial',
          reason: 'old.log carries no response headers: log $sent_http_mcp_session_id.',
        },
        'misattributed-result': { status: 'error', reason: 'misattributed-result.sql: out of memory' },
      },
    ),
    notJudged: ['12 exchanges have no session id in either direction.'],
  });
}

function notApplicable(ids: readonly string[]): Record<string, { status: 'not-applicable'; reason: string }> {
  const reason = 'No source carries event ids: capture bodies at the client (HAR) or log the first event id.';
  return Object.fromEntries(ids.map((id) => [id, { status: 'not-applicable' as const, reason }]));
}

/** A detector's page for every detector. */
export function detectorPages(
  markdown = '# How it judges\n\nIt compares the session id that was *sent* with the one that was **answered**.\n\n- Never on `initialize`.\n- See [the specification](https://modelcontextprotocol.io/specification/2025-11-25/basic/transports).\n',
): ReadonlyMap<string, DetectorPage> {
  return new Map(
    DETECTORS.map(([id, title]) => [
      id,
      {
        id,
        title,
        severity: 'high' as const,
        remedy: 'On 404 drop the session id and send initialize without it.',
        needs: ['request-headers', 'status'],
        falsePositives: ['A capture that starts after the client re-initialised on another connection'],
        references: ['https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management'],
        markdown,
      },
    ]),
  );
}
