import type { Finding } from '../incident/finding.js';
import { clip, escapeXml, visible } from './escape.js';
import { groupBy } from './group.js';
import { failsRun, type RenderOptions } from './options.js';
import type { DetectorReport, ResultDocument, SourceReport } from './result-document.js';

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly body: string;
}

/**
 * JUnit XML as CI servers read it: a suite per detector and one for the sources. A finding at or above `failOn` is a
 * failure, one below passes with its text in `system-out`; a detector that could not judge everything has a skipped
 * case or an error, never only passed ones.
 */
export function renderJunit(document: ResultDocument, options: RenderOptions): string {
  const byDetector = groupBy(document.findings, (finding) => finding.detector);
  const suites = [
    suite('sources', document.sources.map(sourceCase)),
    ...document.detectors.map((detector) =>
      suite(detector.id, detectorCases(detector, byDetector.get(detector.id) ?? [], options)),
    ),
  ];
  const counts = (outcome: Case['outcome']): number =>
    suites.reduce((sum, { cases }) => sum + count(cases, outcome), 0);
  const tests = suites.reduce((sum, { cases }) => sum + cases.length, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mcp-postmortem" tests="${tests}" failures="${counts('failure')}" errors="${counts('error')}" skipped="${counts('skipped')}">`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(name: string, cases: readonly Case[]): { xml: string; cases: readonly Case[] } {
  const head = `tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}"`;
  const lines = cases.map(
    (item) => `    <testcase classname="${escapeXml(name)}" name="${escapeXml(item.name)}">${item.body}</testcase>`,
  );
  const xml = [`  <testsuite name="${escapeXml(name)}" ${head}>`, ...lines, '  </testsuite>'].join('\n');
  return { xml, cases };
}

function count(cases: readonly Case[], outcome: Case['outcome']): number {
  return cases.filter((item) => item.outcome === outcome).length;
}

function sourceCase(source: SourceReport): Case {
  if (source.error !== null) {
    return { name: source.path, outcome: 'error', body: problem('error', 'unreadable', source.error, '') };
  }
  if (source.rejected === 0) return { name: source.path, outcome: 'passed', body: '' };
  const rejects = source.rejects.map((reject) => visible(`${reject.locator}: ${reject.reason}`)).join('\n');
  const message = `${source.rejected} of ${source.records} records could not be read`;
  return { name: source.path, outcome: 'skipped', body: problem('skipped', null, message, rejects) };
}

function detectorCases(detector: DetectorReport, findings: readonly Finding[], options: RenderOptions): Case[] {
  const cases = findings.map((finding) => findingCase(finding, options));
  const reason = detector.reason ?? detector.status;
  if (detector.status === 'error') {
    cases.push({ name: detector.title, outcome: 'error', body: problem('error', 'detector-failed', reason, '') });
  } else if (detector.status === 'partial' || detector.status === 'not-applicable') {
    const message = `${detector.status}: ${reason}`;
    cases.push({ name: detector.title, outcome: 'skipped', body: problem('skipped', null, message, '') });
  } else if (findings.length === 0) {
    cases.push({ name: detector.title, outcome: 'passed', body: '' });
  }
  return cases;
}

function findingCase(finding: Finding, options: RenderOptions): Case {
  const name = `${finding.title} (${finding.id})`;
  const evidence = finding.evidence.map((piece) => visible(`${piece.source} ${piece.locator}: ${piece.what}`));
  const text = [visible(finding.explanation), ...evidence].join('\n');
  if (finding.state === 'new' && failsRun(finding.severity, options.failOn)) {
    return { name, outcome: 'failure', body: problem('failure', finding.severity, finding.explanation, text) };
  }
  return { name, outcome: 'passed', body: `<system-out>${lines(text)}</system-out>` };
}

function problem(element: string, type: string | null, message: string, text: string): string {
  const typed = type === null ? '' : ` type="${escapeXml(type)}"`;
  return `<${element}${typed} message="${escapeXml(clip(message, 2000))}">${lines(text)}</${element}>`;
}

function lines(text: string): string {
  return clip(text, 8000).split('\n').map(escapeXml).join('\n');
}
