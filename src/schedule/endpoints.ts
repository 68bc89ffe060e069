import type { Finding } from '../incident/finding.js';
import type { Store } from '../store/store.js';

const BETWEEN = '\u001f';
const BEHIND = '\u001e';

/** The endpoint that each finding is about, by finding id: what it says itself, else that of its first evidence. */
export async function endpointsOfFindings(
  store: Store,
  findings: readonly Finding[],
): Promise<ReadonlyMap<string, string>> {
  const keyOf = ({ source, locator }: Finding['evidence'][number]) => `${source}${BETWEEN}${locator}`;
  const places = new Set(findings.flatMap(({ evidence }) => (evidence[0] === undefined ? [] : [keyOf(evidence[0])])));
  const rows = await store.rows<{ place: string; endpoint: string }>(
    `select s.path || chr(31) || e.locator as place, min(e.endpoint) as endpoint
     from exchange e
     join source s on s.source_id = e.source_id
     join unnest(string_split($places, chr(30))) as wanted(place) on wanted.place = s.path || chr(31) || e.locator
     group by 1`,
    { places: [...places].join(BEHIND) },
  );
  const endpointAt = new Map(rows.map(({ place, endpoint }) => [place, endpoint]));
  return new Map(
    findings.map((finding) => {
      const { endpoint } = finding.facts;
      const first = finding.evidence[0];
      const found = first === undefined ? undefined : endpointAt.get(keyOf(first));
      return [finding.id, typeof endpoint === 'string' ? endpoint : (found ?? '')];
    }),
  );
}
