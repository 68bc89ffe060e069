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

/** Stands between the items of a list that SQL takes apart; JSON and ids hold no such character. */
const BETWEEN = '\u001e';
const AT_ONCE = 2000;

/** Takes findings back. Within a transaction. */
export async function dropFindings(store: Store, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await store.rows('delete from kept_finding where finding in (select unnest(string_split($ids, chr(30))))', {
    ids: ids.join(BETWEEN),
  });
}

/** Keeps findings, in place of what was kept of them. Within a transaction. */
export async function keepFindings(store: Store, findings: readonly KeptFinding[]): Promise<void> {
  for (let at = 0; at < findings.length; at += AT_ONCE) {
    const some = findings.slice(at, at + AT_ONCE);
    const list = (textOf: (kept: KeptFinding) => string) =>
      some.map((kept) => textOf(kept).replaceAll(BETWEEN, ' ')).join(BETWEEN);
    await dropFindings(
      store,
      some.map(({ finding }) => finding.id),
    );
    await store.rows(
      `insert into kept_finding
       select finding, nullif(incident, ''), detector, severity, endpoint,
         cast(nullif(at_ns, '') as bigint), cast(nullif(until_ns, '') as bigint), document
       from (select unnest(string_split($ids, chr(30))) as finding, unnest(string_split($incidents, chr(30))) as incident,
         unnest(string_split($detectors, chr(30))) as detector, unnest(string_split($severities, chr(30))) as severity,
         unnest(string_split($endpoints, chr(30))) as endpoint, unnest(string_split($from, chr(30))) as at_ns,
         unnest(string_split($until, chr(30))) as until_ns, unnest(string_split($documents, chr(30))) as document) x`,
      {
        ids: list(({ finding }) => finding.id),
        incidents: list(({ finding }) => finding.incident ?? ''),
        detectors: list(({ finding }) => finding.detector),
        severities: list(({ finding }) => finding.severity),
        endpoints: list(({ endpoint }) => endpoint),
        from: list(({ finding }) => String(timeNs(finding.at) ?? '')),
        until: list(({ finding }) => String(timeNs(finding.until ?? finding.at) ?? '')),
        documents: list(({ finding }) => JSON.stringify(finding)),
      },
    );
  }
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
