import { CONFIDENCES, SEVERITIES } from '../incident/finding.js';
import { EVIDENCE, VANTAGES } from '../readers/record.js';
import { RESULT_SCHEMA } from './result-document.js';

type Schema = Readonly<Record<string, unknown>>;

/** The facts of one detector: a JSON Schema for each column beyond the required ones. */
export interface DetectorFacts {
  readonly id: string;
  readonly facts: Readonly<Record<string, Schema>>;
}

/**
 * JSON Schema (draft 2020-12) of the result document, published as `result.schema.json`.
 * @param detectors what each detector's metadata says of its facts; detectors not named may have any facts
 */
export function resultSchema(detectors: readonly DetectorFacts[] = []): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'mcp-postmortem/result@1',
    title: 'Result document of mcp-postmortem',
    ...strict({
      schema: { const: RESULT_SCHEMA },
      tool: strict({ name: { const: 'mcp-postmortem' }, version: text }),
      command: text,
      window: strict({ from: maybeTime, to: maybeTime }),
      sources: list({ $ref: '#/$defs/source' }),
      totals: strict(Object.fromEntries(TOTALS.map((name) => [name, count]))),
      verdicts: { type: 'object', additionalProperties: count },
      enforcement: strict({ loud: count, silent: count, rows: list({ $ref: '#/$defs/enforcementRow' }) }),
      detectors: list({ $ref: '#/$defs/detector' }),
      findings: list({ $ref: '#/$defs/finding' }),
      incidents: list({ $ref: '#/$defs/incident' }),
      load: { $ref: '#/$defs/load' },
      notJudged: list(text),
    }),
    $defs: definitions(detectors),
  };
}

const TOTALS = [
  'exchanges',
  'sessions',
  'epochs',
  'streams',
  'events',
  'messages',
  'toolCalls',
  'resumes',
  'rejected',
] as const;

const text: Schema = { type: 'string' };
const maybeText: Schema = { type: ['string', 'null'] };
const count: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' };
const maybeTime: Schema = { anyOf: [time, { type: 'null' }] };
const severity: Schema = { enum: SEVERITIES };
const fact: Schema = { type: ['string', 'number', 'boolean', 'null'] };

/** An object with exactly these fields. */
function strict(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** An object with these fields and perhaps those. */
function strictWith(properties: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>>): Schema {
  return { ...strict(properties), properties: { ...properties, ...optional } };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

function definitions(detectors: readonly DetectorFacts[]): Schema {
  return {
    source: strict({
      path: text,
      format: text,
      producer: maybeText,
      vantage: { enum: [...VANTAGES, 'mixed'] },
      sha256: text,
      bytes: count,
      records: count,
      skipped: count,
      rejected: count,
      duplicates: count,
      evidence: list({ enum: EVIDENCE }),
      rejects: list(strict({ locator: text, reason: text })),
      warnings: list(text),
      error: maybeText,
    }),
    detector: strict({
      id: text,
      title: text,
      status: { enum: ['findings', 'clean', 'partial', 'not-applicable', 'error'] },
      findings: count,
      reason: maybeText,
      ms: { type: ['number', 'null'], minimum: 0 },
    }),
    enforcementRow: strict({
      endpoint: text,
      server: maybeText,
      client: maybeText,
      day: { anyOf: [{ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }, { type: 'null' }] },
      loud: count,
      silent: count,
    }),
    finding: finding(detectors),
    evidence: strictWith({ source: text, locator: text, at: maybeTime, what: text }, { traceId: text, spanId: text }),
    incident: incident(),
    timelineEntry: timelineEntry(),
    reconciliation: strict({
      session: text,
      tool: maybeText,
      requestId: maybeText,
      outcome: { enum: ['unknown', 'ran-twice', 'may-have-run-twice', 'answer-lost'] },
      do: text,
      at: maybeTime,
      source: text,
      locator: text,
    }),
    load: load(),
  };
}

function finding(detectors: readonly DetectorFacts[]): Schema {
  return {
    ...strict({
      id: { type: 'string', pattern: '^[0-9a-f]{16}$' },
      detector: text,
      severity,
      confidence: { enum: CONFIDENCES },
      title: text,
      explanation: text,
      sessions: list(text),
      at: maybeTime,
      until: maybeTime,
      evidence: list({ $ref: '#/$defs/evidence' }),
      facts: { type: 'object', additionalProperties: { anyOf: [fact, list(fact)] } },
      incident: maybeText,
      state: { enum: ['new', 'known'] },
    }),
    ...(detectors.length === 0 ? {} : { allOf: detectors.map(factsOf) }),
  };
}

function factsOf(detector: DetectorFacts): Schema {
  return {
    if: { type: 'object', properties: { detector: { const: detector.id } }, required: ['detector'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'object', properties: { facts: strict(detector.facts) } },
  };
}

function incident(): Schema {
  return strict({
    id: text,
    title: text,
    severity,
    cause: text,
    at: maybeTime,
    until: maybeTime,
    summary: text,
    impact: strict({ sessions: count, duplicateCalls: count, unknownOutcomes: count }),
    findings: list(text),
    timeline: list({ $ref: '#/$defs/timelineEntry' }),
    reconcile: list({ $ref: '#/$defs/reconciliation' }),
    remediation: list(text),
    state: { enum: ['new', 'known', 'resolved'] },
  });
}

function timelineEntry(): Schema {
  return strictWith(
    {
      at: maybeTime,
      what: text,
      source: text,
      locator: text,
      lane: { enum: ['client', 'proxy', 'server'] },
      session: maybeText,
      role: { enum: ['request', 'fault', 'loss', 'seam', 'duplicate', 'lost'] },
    },
    { otherSession: maybeText, backend: maybeText },
  );
}

function load(): Schema {
  return strict({
    bucketMs: { type: 'number', minimum: 0 },
    buckets: list(
      strict({ at: time, requests: count, losses: count, resumes: { type: 'object', additionalProperties: count } }),
    ),
    backends: list(strict({ backend: text, from: time, to: time, requests: count })),
    windows: list(strict({ cause: text, from: time, to: time })),
    idle: list(strict({ idleMs: { type: 'number', minimum: 0 }, lost: { type: 'boolean' } })),
  });
}
