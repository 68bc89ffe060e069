import { createHash } from 'node:crypto';
import type { Incident } from '../incident/finding.js';

/** As much of an incident of earlier runs as decides whether a fresh one is its continuation. */
export interface KnownIncident {
  readonly id: string;
  readonly cause: string;
  readonly at: string | null;
  readonly until: string | null;
  readonly findings: ReadonlySet<string>;
  readonly endpoints: ReadonlySet<string>;
}

export interface CarriedOver {
  /** Id that a fresh incident goes by, by the id it was made with. */
  readonly idOf: ReadonlyMap<string, string>;
  /** Fresh incidents that are no continuation, and no part of one. */
  readonly news: ReadonlySet<string>;
  /** Known incidents that are part of another one now: the id of that one. */
  readonly mergedIn: ReadonlyMap<string, string>;
}

/**
 * Recognises incidents that go on. One that shares findings with a known one is that one; of several, the one that
 * shares most. Without a common finding the same cause at the same time on the same endpoint is enough: what names a
 * common cause changes with every loss that is added.
 * @param endpointsOf endpoints of a fresh incident
 * @param earlierIds ids under which fresh findings were known before, by their id now
 */
export function carryOver(
  fresh: readonly Incident[],
  known: readonly KnownIncident[],
  endpointsOf: (incident: Incident) => ReadonlySet<string>,
  earlierIds: ReadonlyMap<string, string>,
): CarriedOver {
  const bonds = fresh.flatMap((incident) => bondsOf(incident, known, endpointsOf(incident), earlierIds));
  bonds.sort((a, b) => b.strength - a.strength || order(a.known.at, b.known.at) || order(a.fresh.id, b.fresh.id));
  const idOf = new Map<string, string>();
  const heirOf = new Map<string, string>();
  for (const bond of bonds) {
    if (idOf.has(bond.fresh.id) || heirOf.has(bond.known.id)) continue;
    idOf.set(bond.fresh.id, bond.known.id);
    heirOf.set(bond.known.id, bond.known.id);
  }
  const mergedIn = new Map<string, string>();
  for (const bond of bonds) {
    const heir = idOf.get(bond.fresh.id);
    if (heir !== undefined && !heirOf.has(bond.known.id)) {
      heirOf.set(bond.known.id, heir);
      mergedIn.set(bond.known.id, heir);
    }
  }
  const bound = new Set(bonds.map((bond) => bond.fresh.id));
  const taken = new Set([...known.map(({ id }) => id), ...idOf.values()]);
  for (const { id } of fresh) {
    if (idOf.has(id)) continue;
    const own = freeId(id, taken);
    taken.add(own);
    idOf.set(id, own);
  }
  return { idOf, news: new Set(fresh.filter(({ id }) => !bound.has(id)).map(({ id }) => id)), mergedIn };
}

interface Bond {
  readonly fresh: Incident;
  readonly known: KnownIncident;
  /** Common findings; 0: the same cause alone. */
  readonly strength: number;
}

function bondsOf(
  fresh: Incident,
  known: readonly KnownIncident[],
  endpoints: ReadonlySet<string>,
  earlierIds: ReadonlyMap<string, string>,
): Bond[] {
  const shared = known
    .map((candidate) => ({
      fresh,
      known: candidate,
      strength: fresh.findings.filter(
        (finding) => candidate.findings.has(finding) || candidate.findings.has(earlierIds.get(finding) ?? ''),
      ).length,
    }))
    .filter(({ strength }) => strength > 0);
  if (shared.length > 0) return shared;
  return known
    .filter((candidate) => candidate.cause === fresh.cause && overlaps(candidate, fresh))
    .filter((candidate) => [...endpoints].some((endpoint) => candidate.endpoints.has(endpoint)))
    .map((candidate) => ({ fresh, known: candidate, strength: 0 }));
}

function overlaps(a: Pick<Incident, 'at' | 'until'>, b: Pick<Incident, 'at' | 'until'>): boolean {
  if (a.at === null || b.at === null) return false;
  return a.at <= (b.until ?? b.at) && b.at <= (a.until ?? a.at);
}

/** A part that split off may have the very id that its other part keeps. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  while (taken.has(free)) free = createHash('sha256').update(`part\0${free}`).digest('hex').slice(0, 16);
  return free;
}

function order(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0;
}
