import type { Finding } from '../incident/finding.js';
import type { KeptFinding } from './kept.js';

/** Two vantages time one exchange by two clocks. */
const SAME_MOMENT_MS = 60_000;

/**
 * Findings that are known already, under the id that they had with fewer records: the capture of another vantage came
 * later and says more exactly when it began. Same detector, same sessions, about the same time; each stands for one.
 * @param fresh findings whose id is not known
 * @param gone kept findings whose id was not found again
 * @returns id of the kept finding by id of the fresh one
 */
export function predecessors(
  fresh: readonly Finding[],
  gone: Iterable<KeptFinding>,
  endpointOf: (finding: Finding) => string,
): ReadonlyMap<string, string> {
  const candidates = new Map<string, Finding[]>();
  for (const { finding, endpoint } of gone) {
    const subject = subjectOf(finding, endpoint);
    const same = candidates.get(subject);
    if (same === undefined) candidates.set(subject, [finding]);
    else same.push(finding);
  }
  const found = new Map<string, string>();
  for (const finding of [...fresh].sort(byTime)) {
    const same = candidates.get(subjectOf(finding, endpointOf(finding))) ?? [];
    const near = same.filter((candidate) => distanceMs(candidate, finding) <= SAME_MOMENT_MS);
    const [best] = near.sort((a, b) => distanceMs(a, finding) - distanceMs(b, finding) || byTime(a, b));
    if (best === undefined) continue;
    found.set(finding.id, best.id);
    same.splice(same.indexOf(best), 1);
  }
  return found;
}

/** What a finding is about: its sessions, or where there are none its cause and endpoint. */
function subjectOf({ detector, sessions, facts }: Finding, endpoint: string): string {
  if (sessions.length > 0) return [detector, ...[...sessions].sort()].join('\0');
  return [detector, String(facts.cause ?? ''), endpoint].join('\0');
}

/** 0 when the two overlap. */
function distanceMs(a: Finding, b: Finding): number {
  if (a.at === null || b.at === null) return a.at === b.at ? 0 : Number.POSITIVE_INFINITY;
  const gap = Math.max(Date.parse(a.at), Date.parse(b.at)) - Math.min(endOf(a, a.at), endOf(b, b.at));
  return Math.max(0, gap);
}

function endOf({ until }: Finding, at: string): number {
  return Date.parse(until ?? at);
}

function byTime(a: Finding, b: Finding): number {
  const [left, right] = [a.at ?? '', b.at ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
