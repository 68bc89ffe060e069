import type { Finding, FindingEvidence, Severity } from '../incident/finding.js';
import { clip, inertJson, visible } from './escape.js';
import type { DetectorPage, RenderOptions } from './options.js';
import type { DetectorReport, ResultDocument, SourceReport } from './result-document.js';
import { rankFindings } from './summary.js';

/** GitHub code scanning refuses a run of more than 25,000 results; the most severe ones go first. */
const MAX_RESULTS = 25_000;
const MAX_RELATED = 50;
const MAX_MESSAGE = 1000;

const LEVELS: Readonly<Record<Severity, 'note' | 'warning' | 'error'>> = {
  info: 'note',
  low: 'note',
  medium: 'warning',
  high: 'error',
  critical: 'error',
};

const NOTIFICATION_LEVELS = { error: 'error', 'not-applicable': 'note', partial: 'note' } as const;

/**
 * SARIF 2.1.0 as GitHub code scanning accepts it: a rule per detector, a result per finding with its first piece of
 * evidence as location (`line N` becomes a region) and the others as related locations, the finding's id as
 * fingerprint. Detectors and sources that could not be judged are notifications of the invocation (SARIF 3.20.21).
 */
export function renderSarif(document: ResultDocument, options: RenderOptions): string {
  const ruleIndex = new Map(document.detectors.map((detector, index) => [detector.id, index]));
  const reported = rankFindings(document.findings).slice(0, MAX_RESULTS);
  const left = document.findings.length - reported.length;
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: document.tool.name,
            semanticVersion: document.tool.version,
            rules: document.detectors.map((detector) => rule(detector, options.pages?.get(detector.id))),
          },
        },
        automationDetails: { id: 'mcp-postmortem/' },
        columnKind: 'utf16CodeUnits',
        invocations: [invocation(document, left)],
        artifacts: document.sources.map(artifact),
        results: reported.map((finding) => result(finding, ruleIndex.get(finding.detector), document.sources)),
      },
    ],
  };
  return `${inertJson(JSON.stringify(log, null, 1))}\n`;
}

function rule(detector: DetectorReport, page: DetectorPage | undefined): object {
  const help = [page?.remedy, ...(page?.falsePositives ?? []).map((known) => `Known false positive: ${known}`)]
    .filter((line) => typeof line === 'string')
    .join('\n');
  const helpUri = page?.references.find((reference) => /^https:\/\/[^\s"<>\\^`{|}]+$/.test(reference));
  return {
    id: detector.id,
    name: detector.id.replace(/(^|-)(\w)/g, (_match, _dash, letter: string) => letter.toUpperCase()),
    shortDescription: { text: message(detector.title) },
    ...(page?.severity ? { defaultConfiguration: { level: LEVELS[page.severity] } } : {}),
    ...(help === '' ? {} : { help: { text: message(help) } }),
    ...(helpUri === undefined ? {} : { helpUri }),
    properties: { tags: ['mcp', 'reliability'] },
  };
}

function result(finding: Finding, ruleIndex: number | undefined, sources: readonly SourceReport[]): object {
  const [first = wholeSource(sources), ...others] = finding.evidence;
  const related = others.slice(0, MAX_RELATED);
  return {
    ruleId: finding.detector,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level: LEVELS[finding.severity],
    message: { text: message(finding.explanation || finding.title) },
    locations: [location(first)],
    ...(related.length === 0 ? {} : { relatedLocations: related.map(relatedLocation) }),
    partialFingerprints: { primaryLocationLineHash: `${finding.id}:1`, 'findingId/v1': finding.id },
    baselineState: finding.state === 'known' ? 'unchanged' : 'new',
    properties: {
      severity: finding.severity,
      confidence: finding.confidence,
      sessions: finding.sessions.map(visible),
      at: finding.at,
      until: finding.until,
      incident: finding.incident,
      facts: finding.facts,
    },
  };
}

/** A finding about the whole run has no place of its own, and GitHub shows no result without one. */
function wholeSource(sources: readonly SourceReport[]): FindingEvidence {
  return { source: sources[0]?.path ?? 'capture', locator: 'the whole source', at: null, what: 'the run as a whole' };
}

function relatedLocation(piece: FindingEvidence, index: number): object {
  return { id: index + 1, ...location(piece) };
}

function location(piece: FindingEvidence): object {
  const line = /^line ([1-9]\d{0,9})$/.exec(piece.locator)?.[1];
  return {
    physicalLocation: {
      artifactLocation: { uri: artifactUri(piece.source) },
      // GitHub refuses a location without a line; a HAR entry or a span has none.
      region: { startLine: line === undefined ? 1 : Math.min(Number(line), 2_147_483_647) },
    },
    logicalLocations: [
      { name: visible(piece.locator), fullyQualifiedName: visible(`${piece.source} ${piece.locator}`) },
    ],
    message: { text: message(`${piece.locator}: ${piece.what}`) },
  };
}

function artifact(source: SourceReport): object {
  return {
    location: { uri: artifactUri(source.path) },
    length: source.bytes,
    ...(/^[0-9a-f]{64}$/.test(source.sha256) ? { hashes: { 'sha-256': source.sha256 } } : {}),
    roles: ['analysisTarget'],
  };
}

function invocation(document: ResultDocument, leftOut: number): object {
  const failed = document.detectors.some((detector) => detector.status === 'error');
  const unreadable = document.sources.some((source) => source.error !== null);
  const notifications = [
    ...document.sources.flatMap(sourceNotification),
    ...document.detectors.flatMap(detectorNotification),
    ...document.notJudged.map((sentence) => ({ level: 'note', message: { text: message(sentence) } })),
  ];
  if (leftOut > 0) {
    notifications.push({ level: 'warning', message: { text: `${leftOut} findings of lower severity are left out.` } });
  }
  return {
    executionSuccessful: !failed && !unreadable,
    commandLine: visible(document.command),
    toolExecutionNotifications: notifications,
  };
}

function sourceNotification(source: SourceReport): { level: string; message: { text: string } }[] {
  if (source.error !== null) return [{ level: 'error', message: { text: message(`${source.path}: ${source.error}`) } }];
  if (source.rejected === 0) return [];
  const text = `${source.path}: ${source.rejected} of ${source.records} records could not be read.`;
  return [{ level: 'warning', message: { text: message(text) } }];
}

function detectorNotification(detector: DetectorReport): { level: string; message: { text: string } }[] {
  if (detector.status === 'findings' || detector.status === 'clean') return [];
  const text = `${detector.id} is ${detector.status}: ${detector.reason ?? 'no reason given'}`;
  return [{ level: NOTIFICATION_LEVELS[detector.status], message: { text: message(text) } }];
}

/** A relative URI reference (RFC 3986) of a path as given; `!` of an archive member stays. */
function artifactUri(path: string): string {
  const slashed = path.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\\', '/');
  const encoded = slashed
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  // A first segment must not read as a scheme or a host.
  return encoded.startsWith('//') ? `.${encoded}` : encoded || '.';
}

/** Plain text in which `{0}` is no placeholder and `[a](b)` no link (SARIF 3.11.5, 3.11.6). */
function message(text: string): string {
  return visible(clip(text, MAX_MESSAGE))
    .replace(/\{(?=\d)/g, '{{')
    .replace(/\[(?=[^\][]*\]\()/g, '\\[');
}
