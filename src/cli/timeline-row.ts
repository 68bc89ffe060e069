import type { View } from '../incident/views.js';

/** A row of `queries/reports/timeline.sql`. */
export interface TimelineRow extends Omit<View, 'request_id' | 'started_ns' | 'trace_id' | 'span_id' | 'further'> {
  readonly event_count: number | null;
  readonly is_loss: boolean | null;
  readonly is_initialize: boolean | null;
  readonly verdict: string | null;
}

/** What an entry is in the story; empty: plain traffic. */
export function markOf(row: TimelineRow): 'seam' | 'loss' | 'initialize' | 'cut' | 'resume' | '' {
  const { request_session: asked, response_session: answered, is_initialize: initialize } = row;
  if (asked && answered && asked !== answered && initialize !== true) return 'seam';
  if (row.is_loss === true) return 'loss';
  if (initialize === true) return 'initialize';
  if (row.end_state === 'truncated' || row.end_state === 'timed-out') return 'cut';
  return row.verdict === null ? '' : 'resume';
}
