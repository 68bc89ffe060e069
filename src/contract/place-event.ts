import { type EventIdFamily, type EventIdShape, parseEventId } from './event-id.js';
import {
  belongs,
  compareEventIds,
  decideFamily,
  isContiguous,
  namesStream,
  repeatsAcrossSessions,
} from './event-id-order.js';

/** What the client had seen before it resumed. Every part may be left out; what is known places more ids. */
export interface ResumeHistory {
  /** Ids delivered so far on the stream that is resumed, in order of arrival. */
  readonly delivered?: Iterable<string | { readonly id: string }> | null;
  /** Ids delivered on other streams of the same session: ids are unique within a session, so these prove another stream. */
  readonly other?: Iterable<string> | null;
  /** Ids delivered in other sessions; proof only for families whose ids do not come again in every session. */
  readonly otherSessions?: Iterable<string> | null;
  /** Family of the endpoint; decided over all ids given when left out. */
  readonly family?: EventIdFamily | null;
  /** Whether ids of a stream run without holes. Left out: yes for go and rmcp, no for the others. */
  readonly contiguous?: boolean | null;
}

export interface Placement {
  readonly verdict: 'replayed-last' | 'foreign' | 'replayed-earlier' | 'unorderable' | 'gap' | 'resumed';
  readonly reason: string;
}

interface Known {
  readonly delivered: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
  readonly otherSessions: ReadonlySet<string>;
  readonly family: EventIdFamily;
  readonly contiguous: boolean;
}

/** Places the first event of a resumed stream against the last one that the client holds. */
export function place(
  lastId: string,
  firstId: string,
  session: string,
  history: ResumeHistory | readonly string[] | null,
): Placement {
  if (firstId === lastId) return placed('replayed-last', `starts with ${quote(firstId)}, the last event delivered`);
  const known = gather(lastId, firstId, history);
  const foreign = foreignBy(lastId, firstId, session, known);
  if (foreign !== null) return placed('foreign', foreign);
  if (known.delivered.has(firstId)) {
    return placed('replayed-earlier', `starts with ${quote(firstId)}, which had been delivered before`);
  }
  if (compareEventIds(firstId, lastId, known.family) !== 'after') {
    return placed('unorderable', `${quote(firstId)} cannot be placed strictly after ${quote(lastId)}`);
  }
  const missing = missingBetween(lastId, firstId, known);
  return missing > 0n
    ? placed('gap', `${missing} event(s) between ${quote(lastId)} and ${quote(firstId)} were never delivered`)
    : placed('resumed', `${quote(firstId)} comes strictly after ${quote(lastId)}`);
}

function gather(lastId: string, firstId: string, history: ResumeHistory | readonly string[] | null): Known {
  const given: ResumeHistory = isList(history) ? { delivered: history } : (history ?? {});
  const delivered = new Set<string>();
  for (const item of given.delivered ?? []) delivered.add(typeof item === 'string' ? item : item.id);
  const other = new Set(given.other ?? []);
  const ids = new Set([...delivered, ...other, lastId, firstId]);
  const family = given.family ?? decideFamily(Array.from(ids, parseEventId));
  return {
    delivered,
    other,
    otherSessions: new Set(given.otherSessions ?? []),
    family,
    contiguous: given.contiguous ?? isContiguous(family),
  };
}

function foreignBy(lastId: string, firstId: string, session: string, known: Known): string | null {
  const first = parseEventId(firstId);
  const last = parseEventId(lastId);
  if (first.session !== null && session !== '' && first.session !== session) {
    return `${quote(firstId)} names another session`;
  }
  if (namesStream(known.family) && belongs(first, known.family) && belongs(last, known.family)) {
    if (first.session !== last.session) return `${quote(firstId)} names another session than ${quote(lastId)}`;
    if (first.stream !== last.stream) return `${quote(firstId)} names another stream than ${quote(lastId)}`;
  }
  if (known.delivered.has(firstId)) return null;
  if (known.other.has(firstId)) return `${quote(firstId)} was delivered on another stream`;
  if (known.otherSessions.has(firstId) && !repeatsAcrossSessions(known.family)) {
    return `${quote(firstId)} was delivered in another session`;
  }
  return null;
}

/** How many ids between the two were never delivered; 0 for families that leave holes of their own. */
function missingBetween(lastId: string, firstId: string, known: Known): bigint {
  if (!known.contiguous) return 0n;
  const last = parseEventId(lastId);
  const first = parseEventId(firstId);
  if (last.seq === null || first.seq === null || !countsByOne(known.family)) return 0n;
  const between = first.seq - last.seq - 1n;
  if (between === 0n) return 0n;
  const seen = new Set<bigint>();
  // a counter that all streams of a session share: what another stream brought is not missing
  for (const id of [...known.delivered, ...known.other]) {
    const shape = parseEventId(id);
    if (isBetween(shape, last, first.seq)) seen.add(shape.seq);
  }
  return between - BigInt(seen.size);
}

function isBetween(shape: EventIdShape, last: EventIdShape, end: bigint): shape is EventIdShape & { seq: bigint } {
  if (shape.seq === null || shape.stream !== last.stream || shape.session !== last.session) return false;
  return last.seq !== null && shape.seq > last.seq && shape.seq < end;
}

/** Clocks never run without holes, whatever was observed. */
function countsByOne(family: EventIdFamily): boolean {
  return family === 'go' || family === 'rmcp' || family === 'csharp' || family === 'counter';
}

function isList(history: ResumeHistory | readonly string[] | null): history is readonly string[] {
  return Array.isArray(history);
}

/** Ids come from a server: cut and escaped, so that a reason stays one short line. */
function quote(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 79)}…` : id);
}

function placed(verdict: Placement['verdict'], reason: string): Placement {
  return { verdict, reason };
}
