import type { Finding, Severity } from '../../incident/finding.js';
import type { ResultDocument } from '../result-document.js';
import { type Attributes, attributeList, attributeText, factAttribute, hrTime } from './attributes.js';
import { incidentContext, offendingSpans, type TraceContext } from './context.js';
import type { LogRecord, Origin } from './origin.js';

/** SeverityNumber of OpenTelemetry's log data model: INFO, INFO2, WARN, ERROR, FATAL. */
const SEVERITY_NUMBERS: Readonly<Record<Severity, number>> = { info: 9, low: 10, medium: 13, high: 17, critical: 21 };

/**
 * A log record per finding. It carries the trace and span that it was found on, so that a backend shows it beside the
 * trace; where the capture had none, those of its incident. `mcp_postmortem.finding.id` is the same whenever it is sent.
 */
export function findingRecords(document: ResultDocument, origin: Origin): LogRecord[] {
  return document.findings.map((finding) => {
    const spanContext = contextOf(finding);
    const time = hrTime(finding.at ?? document.window.to);
    return {
      ...origin,
      hrTime: time,
      hrTimeObserved: time,
      ...(spanContext === null ? {} : { spanContext }),
      severityNumber: SEVERITY_NUMBERS[finding.severity],
      severityText: finding.severity,
      body: attributeText(finding.explanation),
      eventName: 'mcp_postmortem.finding',
      attributes: attributesOf(finding),
      droppedAttributesCount: 0,
    };
  });
}

function contextOf(finding: Finding): TraceContext | null {
  return offendingSpans(finding.evidence)[0] ?? (finding.incident === null ? null : incidentContext(finding.incident));
}

function attributesOf(finding: Finding): Attributes {
  const attributes: Attributes = {
    'mcp_postmortem.finding.id': finding.id,
    'mcp_postmortem.finding.detector': finding.detector,
    'mcp_postmortem.finding.title': attributeText(finding.title),
    'mcp_postmortem.finding.confidence': finding.confidence,
    'mcp_postmortem.finding.state': finding.state,
    'mcp_postmortem.finding.sessions': attributeList(finding.sessions),
    'mcp_postmortem.finding.evidence': attributeList(
      finding.evidence.map(({ source, locator, what }) => `${source} ${locator}: ${what}`),
    ),
  };
  if (finding.until !== null) attributes['mcp_postmortem.finding.until'] = finding.until;
  if (finding.incident !== null) attributes['mcp_postmortem.incident.id'] = finding.incident;
  for (const [name, value] of Object.entries(finding.facts)) {
    const fact = factAttribute(value);
    if (fact !== null) attributes[`mcp_postmortem.fact.${name}`] = fact;
  }
  return attributes;
}
