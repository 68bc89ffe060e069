import type { Incident } from '../incident/finding.js';
import { clip, visible } from '../report/escape.js';
import { causeWords, formatRange, plural } from '../report/text.js';
import type { Receiver } from './config.js';

/**
 * The body of a message about an incident, JSON.
 * @param key the same for the same message, however often it is sent
 */
export function messageBody(kind: Receiver['kind'], incident: Incident, key: string): string {
  return JSON.stringify(kind === 'slack' ? slackMessage(incident) : plainMessage(incident, key));
}

function plainMessage(incident: Incident, key: string): object {
  const { id, title, severity, cause, at, until, summary, impact, findings, remediation, reconcile } = incident;
  return {
    schema: 'mcp-postmortem/notification@1',
    key,
    event: 'incident',
    incident: {
      id,
      title,
      severity,
      cause,
      at,
      until,
      summary,
      impact,
      findings,
      reconcile: reconcile.slice(0, 100),
      remediation,
    },
  };
}

/** Incoming webhook of Slack: text and Block Kit. `&`, `<` and `>` are the three characters that act in mrkdwn links. */
function slackMessage({ id, title, severity, cause, at, until, summary, impact, remediation }: Incident): object {
  const facts = [
    formatRange(at, until),
    causeWords(cause),
    plural(impact.sessions, 'session'),
    plural(impact.duplicateCalls, 'call twice', 'calls twice'),
    plural(impact.unknownOutcomes, 'unknown outcome'),
  ].join(' · ');
  const text = (value: string, limit: number) =>
    clip(visible(value), limit).replace(/[&<>]/g, (c) => SLACK_ESCAPES[c] ?? '');
  const section = (value: string) => ({ type: 'section', text: { type: 'plain_text', text: value, emoji: false } });
  return {
    text: text(`[${severity}] ${title}`, 300),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: clip(visible(`[${severity}] ${title}`), 120), emoji: false },
      },
      section(clip(visible(summary), 2000)),
      section(clip(visible(facts), 500)),
      ...(remediation.length === 0 ? [] : [section(clip(visible(remediation.join('\n')), 2000))]),
      { type: 'context', elements: [{ type: 'plain_text', text: `mcp-postmortem incident ${id}`, emoji: false }] },
    ],
  };
}

const SLACK_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
