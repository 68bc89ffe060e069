import type { Incident } from './finding.js';
import type { RawFinding } from './findings.js';
import type { Group } from './groups.js';
import { clockMinute } from './time.js';

const CAUSE_NAMES: Readonly<Record<string, string>> = {
  'rolling-deploy': 'Rolling deploy',
  'scale-in': 'Scale-in',
  'scale-out': 'Scale-out',
  'affinity-loss': 'Requests left the instance that owns their session',
  'idle-eviction': 'Idle sessions were evicted',
  lifetime: 'Sessions reached their age limit',
  'dead-owner': 'Requests waited for a dead instance',
  overload: 'Sessions were lost under load',
  periodic: 'Sessions are lost at a time of day',
};

type Impact = Incident['impact'];

/** One line that says what happened, to whom and when. */
export function titleOf(group: Group, lead: RawFinding, impact: Impact): string {
  if (group.cause === null) return `${lead.finding.title}${consequences(group, lead)}`;
  const cause = String(group.cause.row.facts.cause);
  const when = windowOf(group.cause);
  const gone = group.cause.row.facts.backends_gone;
  const who =
    typeof gone === 'string' && gone !== '' ? `, instance${gone.includes(',') ? 's' : ''} ${gone} replaced` : '';
  return `${CAUSE_NAMES[cause] ?? cause}${when}${cause === 'rolling-deploy' ? who : ''}: ${countsOf(group, impact)}`;
}

function windowOf({ finding }: RawFinding): string {
  if (finding.at === null) return '';
  const from = clockMinute(finding.at);
  const to = clockMinute(finding.until ?? finding.at);
  return from === to ? ` ${from}` : ` ${from}–${to}`;
}

/** What followed from the leading finding, for the title: a tool that ran twice weighs more than the merge itself. */
function consequences(group: Group, lead: RawFinding): string {
  const tools = group.members
    .filter(({ finding }) => finding.detector === 'duplicate-tool-call' && finding.severity !== 'info')
    .map(({ finding }) => finding.facts.tool)
    .filter((tool): tool is string => typeof tool === 'string');
  if (tools.length === 0 || lead.finding.detector === 'duplicate-tool-call') return '';
  const certain = group.members.some(
    ({ finding }) => finding.detector === 'duplicate-tool-call' && finding.confidence === 'definite',
  );
  return `; ${[...new Set(tools)].slice(0, 3).join(', ')} ${certain ? 'ran' : 'may have run'} twice`;
}

function countsOf(group: Group, impact: Impact): string {
  const merged = group.members.filter(({ finding }) => finding.detector === 'epoch-merge').length;
  return [
    `${plural(impact.sessions, 'session')} lost`,
    merged > 0 ? `${merged} merged into new ones` : null,
    impact.duplicateCalls > 0 ? `${plural(impact.duplicateCalls, 'call')} ran or may have run twice` : null,
    impact.unknownOutcomes > 0 ? `${impact.unknownOutcomes} of unknown outcome` : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

/** A few sentences for someone who has never heard of resumption. */
export function summaryOf(
  group: Group,
  lead: RawFinding,
  impact: Impact,
  at: string | null,
  until: string | null,
): string {
  const when = at === null ? '' : `${period(at, until ?? at)}: `;
  const told = new Set<string>();
  const sentences = [lead, ...group.members.filter((item) => item !== lead)]
    .filter(({ finding }) => finding.severity !== 'info' && finding.severity !== 'low')
    .filter(({ finding }) => {
      const key = group.members.length > 6 ? finding.detector : finding.id;
      if (told.has(key)) return false;
      told.add(key);
      return true;
    })
    .slice(0, 6)
    .map(({ finding }) => finding.explanation);
  const todo = [
    impact.duplicateCalls > 0 ? `${plural(impact.duplicateCalls, 'tool call')} ran or may have run twice` : null,
    impact.unknownOutcomes > 0 ? `${plural(impact.unknownOutcomes, 'tool call')} ended with unknown outcome` : null,
  ].filter((part) => part !== null);
  const closing = todo.length === 0 ? '' : ` To reconcile: ${todo.join(', ')}.`;
  return `${when}${sentences.join(' ')}${closing}`;
}

/** `2026-11-12 14:02:01–14:03:02 UTC` */
function period(from: string, to: string): string {
  const [day, clock] = [from.slice(0, 10), from.slice(11, 19)];
  if (to.slice(0, 19) === from.slice(0, 19)) return `${day} ${clock} UTC`;
  return to.startsWith(day)
    ? `${day} ${clock}–${to.slice(11, 19)} UTC`
    : `${day} ${clock} to ${to.slice(0, 10)} ${to.slice(11, 19)} UTC`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
