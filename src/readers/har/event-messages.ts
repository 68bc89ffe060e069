import { isObject, ownAt, stringAt } from '../../mcp/json-object.js';
import type { RecordedEvent } from '../captured-http.js';
import { type HarEntry, isEventStream, isSuccess, sizeAt } from './entry.js';
import type { HarProducer } from './producer.js';

const MAX_SECONDS = 9_223_372_036;

/**
 * Chrome's `_eventSourceMessages`: complete events with arrival times, ids sticky. A sanitized export keeps them
 * without data. null: not recorded; an empty list: recorded, and there were none.
 */
export function recordedEvents(entry: HarEntry, producer: HarProducer): readonly RecordedEvent[] | null {
  const value = ownAt(entry.raw, '_eventSourceMessages');
  if (!Array.isArray(value)) return hasNoBytes(entry, producer) ? [] : null;
  const events: RecordedEvent[] = [];
  for (const item of value as unknown[]) {
    if (!isObject(item)) continue;
    events.push({
      atNs: secondsToNs(ownAt(item, 'time')),
      type: stringAt(item, 'eventName'),
      id: stringAt(item, 'eventId') ?? '',
      data: stringAt(item, 'data'),
    });
  }
  return events;
}

/** Chrome counts what arrived: a stream of which not one byte came had no events. */
function hasNoBytes(entry: HarEntry, producer: HarProducer): boolean {
  return (
    producer.family === 'chrome' && isEventStream(entry) && isSuccess(entry) && sizeAt(entry.content, 'size') === 0
  );
}

/** Seconds since the epoch with microseconds behind the point, as Chrome writes them. */
function secondsToNs(value: unknown): bigint | null {
  if (typeof value !== 'number' || !(value >= 0) || value >= MAX_SECONDS) return null;
  const seconds = Math.floor(value);
  return BigInt(seconds) * 1_000_000_000n + BigInt(Math.round((value - seconds) * 1e6)) * 1000n;
}
