import { type EventIdFamily, type EventIdShape, parseEventId } from './event-id.js';

export type EventIdOrder = 'before' | 'after' | 'equal' | 'unordered';

/** Share of an endpoint's ids that must have a family's shape; stray ids (`prime`, `end`) are common. */
const MAJORITY = 0.8;

/** Families whose numbers run without holes within a stream. */
const CONTIGUOUS: ReadonlySet<EventIdFamily> = new Set(['go', 'rmcp']);

/** Families whose ids name their stream, so that another stream is seen from the id alone. */
const NAMES_STREAM: ReadonlySet<EventIdFamily> = new Set(['go', 'rmcp', 'csharp', 'typescript', 'java']);

/** Families whose ids may come again in every session, so that the same id proves nothing across sessions. */
const REPEATS: ReadonlySet<EventIdFamily> = new Set(['go', 'rmcp', 'counter']);

export function isContiguous(family: EventIdFamily): boolean {
  return CONTIGUOUS.has(family);
}

export function namesStream(family: EventIdFamily): boolean {
  return NAMES_STREAM.has(family);
}

export function repeatsAcrossSessions(family: EventIdFamily): boolean {
  return REPEATS.has(family);
}

/**
 * Decides which family an endpoint uses, from the shapes of all its ids: the one that nearly all have.
 * Plain integers beside `<n>/<m>` are rmcp's listening stream; `<name>_<n>` beside go's ids are go's.
 */
export function decideFamily(shapes: Iterable<EventIdShape>): EventIdFamily {
  const counts = new Map<EventIdFamily, number>();
  let plain = 0;
  let named = 0;
  let total = 0;
  for (const shape of shapes) {
    total += 1;
    counts.set(shape.family, (counts.get(shape.family) ?? 0) + 1);
    if (shape.family !== 'counter') continue;
    if (shape.stream === '') plain += 1;
    else if (shape.stream?.endsWith('_')) named += 1;
  }
  const enough = total * MAJORITY;
  const rmcp = counts.get('rmcp') ?? 0;
  if (rmcp > 0 && rmcp + plain >= enough) return 'rmcp';
  const go = counts.get('go') ?? 0;
  if (go > 0 && go + named >= enough) return 'go';
  for (const [family, count] of counts) if (count >= enough) return family;
  const snowflake = counts.get('snowflake') ?? 0;
  return snowflake > 0 && snowflake + plain >= enough ? 'counter' : 'opaque';
}

/**
 * Where `a` stands relative to `b` in the order that `family` gives. Equal ids are `equal` in every family; ids of
 * different streams or sessions, ties of a clock, and ids that do not have the family's shape are `unordered`.
 */
export function compareEventIds(a: string, b: string, family: EventIdFamily): EventIdOrder {
  if (a === b) return 'equal';
  const first = parseEventId(a);
  const second = parseEventId(b);
  if (!belongs(first, family) || !belongs(second, family)) return 'unordered';
  if (first.stream !== second.stream || first.session !== second.session) return 'unordered';
  if (first.seq === null || second.seq === null) return 'unordered';
  if (first.seq !== second.seq) return first.seq < second.seq ? 'before' : 'after';
  if (family !== 'ulid' && family !== 'uuid7') return 'unordered';
  const left = a.toLowerCase();
  const right = b.toLowerCase();
  if (left === right) return 'equal';
  return left < right ? 'before' : 'after';
}

/** Whether an id of this shape can be one of that family. */
export function belongs(shape: EventIdShape, family: EventIdFamily): boolean {
  if (shape.family === family) return true;
  if (family === 'rmcp') return shape.family === 'counter' && shape.stream === '';
  if (family === 'go') return shape.family === 'counter' && shape.stream !== null && shape.stream.endsWith('_');
  return family === 'counter' && shape.family === 'snowflake';
}
