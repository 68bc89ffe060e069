/** Keys that a span or a log record has once; camelCase first. */
const START_TIMES = ['"startTimeUnixNano"', '"start_time_unix_nano"'] as const;
const LOG_TIMES = ['"observedTimeUnixNano"', '"observed_time_unix_nano"'] as const;
const LOG_SCOPES = ['"scopeLogs"', '"scope_logs"'] as const;
const METRIC_SCOPES = ['"scopeMetrics"', '"scope_metrics"'] as const;

/**
 * How many records a batch of OTLP/JSON holds, without parsing it: spans, log records, or resources of metrics.
 * Exact for records that have their start (spans) or observed time (log records), which exporters always write; a batch
 * in which nothing is found counts as one.
 */
export function countRecords(bytes: Buffer, start: number, end: number): number {
  const range = bytes.subarray(start, end);
  const metrics = countOf(range, METRIC_SCOPES);
  if (metrics > 0) return metrics;
  return countOf(range, LOG_SCOPES.some((key) => range.includes(key)) ? LOG_TIMES : START_TIMES) || 1;
}

function countOf(range: Buffer, needles: readonly string[]): number {
  let count = 0;
  for (const needle of needles) {
    for (let at = range.indexOf(needle); at >= 0; at = range.indexOf(needle, at + needle.length)) count += 1;
  }
  return count;
}
