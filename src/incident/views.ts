import type { Registry } from '../detect/registry.js';
import type { DetectorOutcome } from '../detect/runner.js';
import type { Store } from '../store/store.js';
import type { FindingEvidence } from './finding.js';
import type { IdText } from './id-text.js';
import { reportRows } from './report-rows.js';
import { isoTime } from './time.js';

/** One file's view of an exchange that a finding names. */
export interface View {
  readonly request_id: bigint;
  readonly source: string;
  readonly locator: string;
  readonly vantage: string;
  readonly started_ns: bigint | null;
  readonly ended_ns: bigint | null;
  readonly http_method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly request_session: string | null;
  readonly response_session: string | null;
  readonly last_event_id: string | null;
  readonly first_event_id: string | null;
  readonly end_state: string;
  readonly end_reason: string | null;
  readonly backends: string | null;
  readonly backend: string | null;
  readonly rpc_method: string | null;
  readonly rpc_id: string | null;
  readonly tool: string | null;
  readonly trace_id: string | null;
  readonly span_id: string | null;
  readonly at_ns: bigint | null;
  /** 0: the view that speaks for the exchange; 1: a further file that shows it. */
  readonly further: number;
}

/** The views of every exchange that the outcomes name, by request id: the one that speaks for it first. */
export async function loadViews(
  store: Store,
  registry: Registry,
  outcomes: readonly DetectorOutcome[],
): Promise<ReadonlyMap<string, readonly View[]>> {
  const wanted = new Set(outcomes.flatMap(({ rows }) => rows.flatMap(({ exchanges }) => exchanges)));
  const views = new Map<string, View[]>();
  if (wanted.size === 0) return views;
  for (const view of await reportRows<View>(store, registry, 'evidence', { ids: [...wanted].join(',') })) {
    const key = String(view.request_id);
    const known = views.get(key);
    if (known === undefined) views.set(key, [view]);
    else known.push(view);
  }
  return views;
}

export function evidenceOf(view: View, idText: IdText): FindingEvidence {
  return {
    source: view.source,
    locator: view.locator,
    at: isoTime(view.at_ns),
    what: sentenceOf(view, idText),
    ...(view.trace_id ? { traceId: view.trace_id } : {}),
    ...(view.span_id ? { spanId: view.span_id } : {}),
  };
}

/** What a sentence tells of an exchange. */
type Told = Pick<
  View,
  | 'http_method'
  | 'path'
  | 'status'
  | 'request_session'
  | 'response_session'
  | 'last_event_id'
  | 'first_event_id'
  | 'end_state'
  | 'backends'
  | 'rpc_method'
  | 'rpc_id'
  | 'tool'
>;

/** `GET /mcp · Mcp-Session-Id S1 · Last-Event-ID e140 → 200 · Mcp-Session-Id S2 · first event e1` */
export function sentenceOf(view: Told, idText: IdText): string {
  const session = (tag: string | null) => (tag === null || tag === '' ? null : `Mcp-Session-Id ${idText.session(tag)}`);
  const asked = [
    `${view.http_method ?? 'request'} ${view.path ?? ''}`.trim(),
    callOf(view),
    session(view.request_session),
    view.last_event_id ? `Last-Event-ID ${idText.eventId(view.last_event_id)}` : null,
  ];
  const answered = [
    view.status === null ? 'no answer' : String(view.status),
    view.response_session === view.request_session ? null : session(view.response_session),
    view.first_event_id === null ? null : `first event ${idText.eventId(view.first_event_id)}`,
    ENDS[view.end_state] ?? null,
    view.backends === null ? null : `instance ${view.backends}`,
  ];
  return `${asked.filter(Boolean).join(' · ')} → ${answered.filter(Boolean).join(' · ')}`;
}

/** A clean or unknown end needs no words. */
const ENDS: Readonly<Record<string, string>> = {
  truncated: 'stream cut',
  'client-aborted': 'client hung up',
  'timed-out': 'timed out',
  polling: 'closed for polling',
  open: 'still open',
};

export function callOf(view: Pick<View, 'rpc_method' | 'tool' | 'rpc_id'>): string | null {
  if (view.rpc_method === null) return null;
  const name = view.tool === null ? view.rpc_method : `${view.rpc_method} ${view.tool}`;
  return view.rpc_id === null ? name : `${name} (id ${view.rpc_id})`;
}
