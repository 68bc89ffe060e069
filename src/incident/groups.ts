import type { Severity } from './finding.js';
import { SEVERITIES } from './finding.js';
import { type RawFinding, sessionsOf } from './findings.js';

/** A lost life: whose, when and on which instance. */
export interface LostEpoch {
  readonly session: string;
  readonly lineage: bigint;
  readonly lost_ns: bigint | null;
  readonly backend: string | null;
}

/** Findings of one lineage that are no further apart belong together. */
const SAME_EPISODE_NS = 30n * 60n * 1_000_000_000n;
/** What a deploy or an eviction broke shows when clients come back: up to this long after the window. */
const AFTERMATH_NS = 10n * 60n * 1_000_000_000n;

export const LOAD_DETECTOR = 'load-correlated-failure';

export interface Group {
  /** In order of time. */
  readonly members: readonly RawFinding[];
  /** The finding that names the common cause of many losses; null: none does. */
  readonly cause: RawFinding | null;
}

export function rankOf(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/**
 * Puts findings together that one event explains: those of a cause of losses with all findings of the sessions lost in
 * its window, the rest by lineage and time. Groups without a finding of medium or above are no incident.
 */
export function groupFindings(findings: readonly RawFinding[], epochs: readonly LostEpoch[]): Group[] {
  const lineageOf = new Map(epochs.map(({ session, lineage }) => [session, String(lineage)]));
  const causes = findings.filter(({ finding }) => finding.detector === LOAD_DETECTOR).sort(byCause);
  const rest = findings.filter(({ finding }) => finding.detector !== LOAD_DETECTOR).sort(byTime);
  const taken = new Set<RawFinding>();
  const groups: Group[] = [];
  for (const cause of causes) {
    const lost = lineagesLostIn(cause, epochs);
    const members = rest.filter(
      (item) => !taken.has(item) && isAround(item, cause) && lineagesOf(item, lineageOf).some((l) => lost.has(l)),
    );
    for (const member of members) taken.add(member);
    groups.push({ members: [cause, ...members].sort(byTime), cause });
  }
  for (const members of episodes(
    rest.filter((item) => !taken.has(item)),
    lineageOf,
  )) {
    groups.push({ members, cause: null });
  }
  return groups
    .filter(({ members }) => members.some(({ finding }) => rankOf(finding.severity) >= rankOf('medium')))
    .sort((a, b) => byTime(a.members[0]!, b.members[0]!));
}

/** Joins by shared lineage and nearness in time: one sweep, one open episode per lineage. */
function episodes(findings: readonly RawFinding[], lineageOf: ReadonlyMap<string, string>): RawFinding[][] {
  const parent = findings.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const latest = new Map<string, { index: number; untilNs: bigint }>();
  findings.forEach((item, index) => {
    const at = item.row.atNs ?? 0n;
    const until = item.row.untilNs ?? at;
    for (const lineage of lineagesOf(item, lineageOf)) {
      const open = latest.get(lineage);
      if (open !== undefined && at - open.untilNs <= SAME_EPISODE_NS) parent[root(index)] = root(open.index);
      latest.set(lineage, { index, untilNs: open !== undefined && open.untilNs > until ? open.untilNs : until });
    }
  });
  const groups = new Map<number, RawFinding[]>();
  findings.forEach((item, index) => {
    const key = root(index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  return [...groups.values()];
}

/** A finding without a session stands for its endpoint. */
function lineagesOf(item: RawFinding, lineageOf: ReadonlyMap<string, string>): string[] {
  const lineages = sessionsOf(item.row).map((tag) => lineageOf.get(tag) ?? `session ${tag}`);
  return lineages.length > 0 ? lineages : [`endpoint ${String(item.row.facts.endpoint ?? item.finding.id)}`];
}

function lineagesLostIn(cause: RawFinding, epochs: readonly LostEpoch[]): Set<string> {
  const from = cause.row.atNs ?? 0n;
  const until = cause.row.untilNs ?? from;
  const listed = new Set(cause.row.exchanges);
  const sessions = new Set(
    cause.views.filter((view) => listed.has(String(view.request_id))).map((view) => view.request_session),
  );
  return new Set(
    epochs
      .filter(
        ({ session, lost_ns }) => sessions.has(session) || (lost_ns !== null && lost_ns >= from && lost_ns <= until),
      )
      .map(({ lineage }) => String(lineage)),
  );
}

function isAround(item: RawFinding, cause: RawFinding): boolean {
  const at = item.row.atNs;
  const from = cause.row.atNs;
  if (at === null || from === null) return false;
  const until = cause.row.untilNs ?? from;
  const ended = item.row.untilNs ?? at;
  return ended >= from - AFTERMATH_NS && at <= until + AFTERMATH_NS;
}

/** What changed the fleet explains more than a threshold does, and takes its findings first. */
const CAUSE_ORDER = [
  'rolling-deploy',
  'scale-in',
  'scale-out',
  'dead-owner',
  'affinity-loss',
  'overload',
  'idle-eviction',
  'lifetime',
  'periodic',
];

function byCause(a: RawFinding, b: RawFinding): number {
  const place = (item: RawFinding) => CAUSE_ORDER.indexOf(String(item.row.facts.cause));
  return place(a) - place(b) || byTime(a, b);
}

/** From when to when a group's findings reach; null: none carries a time. */
export function periodOf(group: Group): { readonly firstNs: bigint; readonly lastNs: bigint } | null {
  let firstNs: bigint | null = null;
  let lastNs: bigint | null = null;
  for (const ns of group.members.flatMap(({ row }) => [row.atNs, row.untilNs])) {
    if (ns === null) continue;
    if (firstNs === null || ns < firstNs) firstNs = ns;
    if (lastNs === null || ns > lastNs) lastNs = ns;
  }
  return firstNs === null || lastNs === null ? null : { firstNs, lastNs };
}

export function byTime(a: RawFinding, b: RawFinding): number {
  const left = a.row.atNs ?? 0n;
  const right = b.row.atNs ?? 0n;
  if (left !== right) return left < right ? -1 : 1;
  const severity = rankOf(b.finding.severity) - rankOf(a.finding.severity);
  if (severity !== 0) return severity;
  return a.finding.id < b.finding.id ? -1 : 1;
}
