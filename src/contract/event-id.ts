import { csharpParts, isUuid, redisParts, snowflakeSeq, ulidSeq, uuid7Seq } from './event-id-shapes.js';

/** Families of event ids: what their shape allows to order. */
export const EVENT_ID_FAMILIES = [
  'go',
  'rmcp',
  'csharp',
  'typescript',
  'counter',
  'ulid',
  'uuid7',
  'snowflake',
  'java',
  'opaque',
] as const;
export type EventIdFamily = (typeof EVENT_ID_FAMILIES)[number];

/** An event id taken apart by its shape alone. */
export interface EventIdShape {
  readonly family: EventIdFamily;
  /** Stream that the id names, or the prefix of a counter; null: the shape names none. */
  readonly stream: string | null;
  /** Order within family and stream, at most 63 bits; null: the shape orders nothing. */
  readonly seq: bigint | null;
  /** Session that the id names (csharp only). */
  readonly session: string | null;
}

const OPAQUE: EventIdShape = { family: 'opaque', stream: null, seq: null, session: null };
const MAX_LENGTH = 512;
const MAX_SEQ = 2n ** 63n - 1n;

/**
 * Takes an event id apart by its shape. One id alone can mislead: what an endpoint uses is decided over all its ids
 * by `decideFamily`. Never throws; what is not recognised is `opaque`.
 */
export function parseEventId(id: string): EventIdShape {
  if (id.length === 0 || id.length > MAX_LENGTH) return OPAQUE;
  const last = id.charCodeAt(id.length - 1);
  const endsInDigit = last >= 48 && last <= 57;
  if (endsInDigit) {
    const numeric = parseNumeric(id);
    if (numeric !== null) return numeric;
  }
  return parseByLength(id) ?? parseTypescript(id) ?? (endsInDigit ? parseCounter(id) : OPAQUE);
}

function parseNumeric(id: string): EventIdShape | null {
  if (/^\d+$/.test(id)) return parseInteger(id);
  const rmcp = /^(\d{1,18})\/(\d{1,18})$/.exec(id);
  if (rmcp !== null) return shape('rmcp', rmcp[2]!, BigInt(rmcp[1]!));
  const go = /^([A-Z2-7]{20,64})?_(\d{1,12})$/.exec(id);
  if (go !== null) return shape('go', go[1] ?? '', BigInt(go[2]!));
  const redis = redisParts(id);
  if (redis !== null) return shape('snowflake', '', redis);
  const csharp = csharpParts(id);
  return csharp === null ? null : { family: 'csharp', ...csharp };
}

function parseInteger(id: string): EventIdShape {
  const snowflake = snowflakeSeq(id);
  if (snowflake !== null) return shape('snowflake', '', snowflake);
  const seq = BigInt(id);
  return seq > MAX_SEQ ? OPAQUE : shape('counter', '', seq);
}

function parseByLength(id: string): EventIdShape | null {
  if (id.length === 26) {
    const seq = ulidSeq(id);
    if (seq !== null) return shape('ulid', null, seq);
  }
  if (id.length === 36 || id.length === 32) {
    const seq = uuid7Seq(id);
    if (seq !== null) return shape('uuid7', null, seq);
    if (isUuid(id) || /^[0-9a-f]{32}$/i.test(id)) return OPAQUE;
  }
  if (id.length === 73 && id[36] === '_' && isUuid(id.slice(0, 36)) && isUuid(id.slice(37))) {
    return shape('java', id.slice(0, 36), null);
  }
  return null;
}

/** `<stream>_<epoch ms>_<random>`: read from the right, for the stream may hold underscores. */
function parseTypescript(id: string): EventIdShape | null {
  const tail = /_(1\d{12})_[0-9a-z]{1,12}$/.exec(id);
  return tail === null ? null : shape('typescript', id.slice(0, tail.index), BigInt(tail[1]!));
}

/**
 * A prefix, then an integer: `e140`, `evt-12`, `k1_0`. The prefix must look made, not random: its part after the last
 * separator is letters only, so that hex and base64 that happen to end in digits stay opaque.
 */
function parseCounter(id: string): EventIdShape {
  let start = id.length;
  while (start > 0 && isDigit(id.charCodeAt(start - 1))) start -= 1;
  const digits = id.length - start;
  if (digits > 18) return OPAQUE;
  let word = start;
  while (word > 0 && isLetter(id.charCodeAt(word - 1))) word -= 1;
  const separated = word === 0 || '-_.:/#|~@ '.includes(id[word - 1]!);
  if (!separated || start - word > 16) return OPAQUE;
  return shape('counter', id.slice(0, start), BigInt(id.slice(start)));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function shape(family: EventIdFamily, stream: string | null, seq: bigint | null): EventIdShape {
  return { family, stream, seq, session: null };
}
