import type { Incident } from '../../incident/finding.js';
import { failsRun } from '../options.js';
import type { ResultDocument } from '../result-document.js';
import { type Attributes, attributeList, attributeText, hrTime } from './attributes.js';
import { incidentContext, offendingSpans } from './context.js';
import type { IncidentSpan, Origin } from './origin.js';

/** OpenTelemetry's own default limits of a span. */
const MAX_EVENTS = 128;
const MAX_LINKS = 128;

const INTERNAL = 0;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;

/** A span per incident, from its first to its last moment: its steps as events, the spans it was found on as links. */
export function incidentSpans(document: ResultDocument, origin: Origin): IncidentSpan[] {
  const evidenceOf = new Map(document.findings.map(({ id, evidence }) => [id, evidence]));
  return document.incidents.map((incident) => {
    const context = incidentContext(incident.id);
    const links = offendingSpans(incident.findings.flatMap((id) => evidenceOf.get(id) ?? []));
    const steps = incident.timeline.filter(({ at }) => at !== null);
    const startTime = hrTime(incident.at ?? document.window.from);
    const endTime = hrTime(incident.until ?? incident.at ?? document.window.from);
    const isGrave = failsRun(incident.severity, 'high');
    return {
      ...origin,
      name: `incident ${incident.cause}`,
      kind: INTERNAL,
      spanContext: () => context,
      startTime,
      endTime,
      duration: [0, 0],
      ended: true,
      status: isGrave ? { code: STATUS_ERROR, message: attributeText(incident.title) } : { code: STATUS_UNSET },
      attributes: attributesOf(incident),
      events: steps.slice(0, MAX_EVENTS).map((step) => ({
        name: attributeText(step.what),
        time: hrTime(step.at),
        attributes: {
          'mcp_postmortem.step.role': step.role,
          'mcp_postmortem.step.place': attributeText(`${step.source} ${step.locator}`),
        },
      })),
      links: links.slice(0, MAX_LINKS).map((link) => ({ context: link })),
      droppedAttributesCount: 0,
      droppedEventsCount: Math.max(0, steps.length - MAX_EVENTS),
      droppedLinksCount: Math.max(0, links.length - MAX_LINKS),
    };
  });
}

function attributesOf(incident: Incident): Attributes {
  return {
    'mcp_postmortem.incident.id': incident.id,
    'mcp_postmortem.incident.title': attributeText(incident.title),
    'mcp_postmortem.incident.severity': incident.severity,
    'mcp_postmortem.incident.cause': incident.cause,
    'mcp_postmortem.incident.state': incident.state,
    'mcp_postmortem.incident.summary': attributeText(incident.summary),
    'mcp_postmortem.incident.sessions': incident.impact.sessions,
    'mcp_postmortem.incident.duplicate_calls': incident.impact.duplicateCalls,
    'mcp_postmortem.incident.unknown_outcomes': incident.impact.unknownOutcomes,
    'mcp_postmortem.incident.findings': attributeList(incident.findings),
    'mcp_postmortem.incident.reconcile': attributeList(incident.reconcile.map((item) => item.do)),
    'mcp_postmortem.incident.remediation': attributeList(incident.remediation),
  };
}
