/** Keys that a span or a log record has once. */
const START_TIMES = needles('rtTimeUnixNano"', '"start_time_unix_nano"');
const LOG_TIMES = needles('"observedTimeUnixNano"', '"observed_time_unix_nano"');
const LOG_SCOPES = needles('"scopeLogs"', '"scope_logs"');
const METRIC_SCOPES = needles('"scopeMetrics"', '"scope_metrics"');

/** A request of spans alone begins so; to look for other signals in it would cost more than to count. */
const SPANS_FIRST = '{"resourceSpans"';

/**
 * How many records a batch of OTLP/JSON holds, without parsing it: spans, log records, or resources of metrics.
 * Exact for records that have their start (spans) or observed time (log records), which exporters always write; a batch
 * in which nothing is found counts as one.
 */
export function countRecords(bytes: Buffer, start: number, end: number): number {
  const range = bytes.subarray(start, end);
  if (range.toString('latin1', 0, SPANS_FIRST.length) !== SPANS_FIRST) {
    const metrics = countOf(range, METRIC_SCOPES);
    if (metrics > 0) return metrics;
    if (countOf(range, LOG_SCOPES) > 0) return countOf(range, LOG_TIMES) || 1;
  }
  return countOf(range, START_TIMES) || 1;
}

function needles(...keys: string[]): readonly Buffer[] {
  return keys.map((key) => Buffer.from(key));
}

/** Occurrences of the first spelling that occurs. */
function countOf(range: Buffer, spellings: readonly Buffer[]): number {
  for (const needle of spellings) {
    let count = 0;
    for (let at = range.indexOf(needle); at >= 0; at = range.indexOf(needle, at + needle.length)) count += 1;
    if (count > 0) return count;
  }
  return 0;
}
