import type { AliasFamily } from './aliases.js';
import type { Dialect } from './dialect.js';
import { DIALECTS } from './dialects.js';
import { inferJson, jsonSlot } from './infer-json.js';
import { JSON_FORMS } from './json-forms.js';
import type { JsonMap } from './json-map.js';
import { isJsonObject, type JsonObject, scalar, scalarAt } from './json-value.js';
import type { Pattern } from './pattern.js';
import { type Blank, type ScratchRow, SLOT } from './slot.js';

/** A flat JSON log, whose keys mean what the table of the family says. */
interface FlatKind {
  readonly dialect: Dialect;
  readonly family: AliasFamily;
  readonly blank: Blank;
}

const KINDS = {
  traefik: { dialect: DIALECTS.traefik, family: 'traefik', blank: 'dash' },
  envoy: { dialect: DIALECTS.envoyJson, family: 'envoy', blank: 'dash' },
  haproxy: { dialect: DIALECTS.haproxy, family: 'haproxy', blank: 'dash-or-empty' },
  nginx: { dialect: DIALECTS.nginxJson, family: 'common', blank: 'dash-or-empty' },
  json: { dialect: DIALECTS.json, family: 'common', blank: 'dash-or-empty' },
} as const satisfies Readonly<Record<string, FlatKind>>;

const NGINX_KEYS =
  /^(?:msec|rt|urt|uht|us|usid|rc|request_time|request_uri|body_bytes_sent|upstream_addr|upstream_response_time|upstream_status|remote_addr|time_local|time_iso8601|sent_http_.+|http_.+|request_completion|request_length)$/;

const MAX_REMEMBERED = 1024;
const kinds = new Map<string, FlatKind | null>();

/** Whose flat JSON these keys are; null: nobody's that is known. */
function flatKind(keys: readonly string[]): FlatKind | null {
  const shape = keys.join('\n');
  const known = kinds.get(shape);
  if (known !== undefined) return known;
  const kind = decideKind(keys);
  if (kinds.size >= MAX_REMEMBERED) kinds.clear();
  kinds.set(shape, kind);
  return kind;
}

function decideKind(keys: readonly string[]): FlatKind | null {
  const has = (...names: string[]) => names.some((name) => keys.includes(name));
  if (has('DownstreamStatus', 'RouterName') && has('RequestMethod', 'RequestPath')) return KINDS.traefik;
  if (has('response_flags', 'response_flags_long') || (has('response_code') && has('start_time', 'upstream_host'))) {
    return KINDS.envoy;
  }
  const isHaproxy =
    has('srv', 'server', 'server_name') && has('be', 'backend', 'backend_name') && has('Ta', 'Tt', 'ts');
  if (isHaproxy || has('tsc', 'ts_state', 'termination_state')) return KINDS.haproxy;
  const slots = new Set(keys.map((key) => jsonSlot('common', key, '')));
  const isHttp = (slots.has('uri') || slots.has('request')) && (slots.has('status') || slots.has('method'));
  const isNginx = keys.some((key) => NGINX_KEYS.test(key));
  if ((isNginx && (isHttp || slots.has('session') || slots.has('plainSession'))) || (has('sid') && has('rsid', 'leid')))
    return KINDS.nginx;
  return isHttp && (slots.has('status') || slots.has('session') || slots.has('plainSession')) ? KINDS.json : null;
}

/** Reads JSON records that proxies log, one object at a time. */
export class JsonLines {
  constructor(readonly map: JsonMap | null) {}

  /** Fills the row from a record; null: not an access log's. */
  fill(record: JsonObject, row: ScratchRow): Dialect | null {
    row.clear();
    row.escape = 'none';
    const form = JSON_FORMS.find((candidate) => candidate.isMine(record));
    let dialect: Dialect | null = null;
    if (form !== undefined) {
      row.blank = 'exact';
      form.fill(record, row);
      dialect = form.dialect;
    } else dialect = fillFlat(record, row);
    if (this.map === null) return dialect;
    if (dialect === null) row.blank = 'dash-or-empty';
    return this.map.fill(record, row) ? (dialect ?? DIALECTS.json) : dialect;
  }

  /** A pattern for the lines that look like this one; null: none can be had. */
  pattern(line: string, record: JsonObject | null): Pattern | null {
    if (this.map !== null) return null;
    const keys = record === null ? looseKeys(line) : Object.keys(record);
    if (record !== null && (line.includes('\\') || !keys.every((key) => isPlain(record[key])))) return null;
    const kind = flatKind(keys);
    // Which headers Traefik logs differs from line to line.
    return kind === null || kind === KINDS.traefik
      ? null
      : inferJson(line, record !== null, kind.dialect, kind.family, kind.blank);
  }
}

function fillFlat(record: JsonObject, row: ScratchRow): Dialect | null {
  const kind = flatKind(Object.keys(record));
  if (kind === null) return null;
  row.blank = kind.blank;
  for (const [key, raw] of Object.entries(record)) {
    // Old versions of Traefik write a URL as its parts.
    const value = isJsonObject(raw) ? scalarAt(raw, 'Host') : scalar(raw);
    const slot = jsonSlot(kind.family, key, typeof value === 'string' ? value : '');
    if (slot !== null && (!row.carries(SLOT[slot]) || row.from[SLOT[slot]]! < 0)) row.put(SLOT[slot], value);
  }
  // Traefik logs headers only when told to: then an absent one was not sent.
  if (kind === KINDS.traefik) fillTraefikHeaders(Object.keys(record), row);
  return kind.dialect;
}

function fillTraefikHeaders(keys: readonly string[], row: ScratchRow): void {
  if (keys.some((key) => key.startsWith('request_'))) {
    for (const slot of ['session', 'lastEventId', 'protocolVersion', 'rpcMethod'] as const) {
      if (!row.carries(SLOT[slot])) row.put(SLOT[slot], null);
    }
    if (!row.carries(SLOT.responseSession)) row.put(SLOT.responseSession, null);
  }
}

/** Strings and numbers stand in a line where a pattern finds them; `null` and `true` vary in shape. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function looseKeys(line: string): string[] {
  return [...line.slice(0, 65_536).matchAll(/[{,]\s*"([^"\\]{1,64})"\s*:/g)].map((match) => match[1]!);
}

/** The records in a parsed line or document: one, several in an array, or Azure's envelope. */
export function recordsOf(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  return Array.isArray(value.records) ? value.records.filter(isJsonObject) : [value];
}
