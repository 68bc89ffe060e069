import type { Finding, Incident } from '../incident/finding.js';
import type { Store } from '../store/store.js';
import type { KnownIncident } from './carry-over.js';

export type IncidentState = 'new' | 'known' | 'resolved' | 'merged' | 'withdrawn';

/** An incident as it is kept. */
export interface KeptIncident {
  readonly state: IncidentState;
  readonly mergedIn: string | null;
  readonly incident: Incident;
}

/** A finding as it is kept. */
export interface KeptFinding {
  readonly finding: Finding;
  readonly endpoint: string;
}

/** ISO 8601 in nanoseconds since the epoch. */
export function timeNs(iso: string | null): bigint | null {
  return iso === null ? null : BigInt(Date.parse(iso)) * 1_000_000n;
}

/** Whether a finding is about the range that is judged. */
export function isLive({ at, until }: Pick<Finding, 'at' | 'until'>, liveFromNs: bigint | null): boolean {
  const endNs = timeNs(until ?? at);
  return endNs === null || liveFromNs === null || endNs >= liveFromNs;
}

/** Findings and incidents of earlier runs. */
export class Kept {
  readonly findings = new Map<string, KeptFinding>();
  readonly incidents = new Map<string, KeptIncident>();

  static async load(store: Store): Promise<Kept> {
    const kept = new Kept();
    for (const row of await store.rows<{ finding: string; endpoint: string; document: string }>(
      'select finding, endpoint, document from kept_finding',
    )) {
      kept.findings.set(row.finding, { finding: JSON.parse(row.document) as Finding, endpoint: row.endpoint });
    }
    for (const row of await store.rows<{
      incident: string;
      state: IncidentState;
      merged_in: string | null;
      document: string;
    }>('select incident, state, merged_in, document from kept_incident')) {
      const incident = JSON.parse(row.document) as Incident;
      kept.incidents.set(row.incident, { state: row.state, mergedIn: row.merged_in, incident });
    }
    return kept;
  }

  /** Incidents that may go on: neither part of another one nor withdrawn. */
  known(): KnownIncident[] {
    return [...this.incidents.values()]
      .filter(({ state }) => state !== 'merged' && state !== 'withdrawn')
      .map(({ incident }) => ({
        id: incident.id,
        cause: incident.cause,
        at: incident.at,
        until: incident.until,
        findings: new Set(incident.findings),
        endpoints: this.endpointsOf(incident.findings),
      }));
  }

  endpointsOf(findings: readonly string[]): Set<string> {
    return new Set(findings.flatMap((id) => this.findings.get(id)?.endpoint ?? []));
  }
}

/** Within a transaction. */
export async function keepFinding(store: Store, { finding, endpoint }: KeptFinding): Promise<void> {
  await store.rows('delete from kept_finding where finding = $finding', { finding: finding.id });
  await store.rows(
    'insert into kept_finding values ($finding, $incident, $detector, $severity, $endpoint, $at_ns, $until_ns, $document)',
    {
      finding: finding.id,
      incident: finding.incident,
      detector: finding.detector,
      severity: finding.severity,
      endpoint,
      at_ns: timeNs(finding.at),
      until_ns: timeNs(finding.until ?? finding.at),
      document: JSON.stringify(finding),
    },
  );
}

/** Within a transaction. */
export async function keepIncident(store: Store, { incident, state, mergedIn }: KeptIncident): Promise<void> {
  await store.rows('delete from kept_incident where incident = $incident', { incident: incident.id });
  await store.rows(
    'insert into kept_incident values ($incident, $severity, $at_ns, $until_ns, $state, $merged_in, $document)',
    {
      incident: incident.id,
      severity: incident.severity,
      at_ns: timeNs(incident.at),
      until_ns: timeNs(incident.until ?? incident.at),
      state,
      merged_in: mergedIn,
      document: JSON.stringify(incident),
    },
  );
}
