import type { EndState } from '../record.js';
import type { Body } from './body.js';
import { type HarEntry, isEventStream, isSuccess, sizeAt } from './entry.js';
import type { HarProducer } from './producer.js';

/**
 * How an entry ended, as far as its producer can say. What a recorded body says beyond that is found elsewhere.
 * Only Chrome and Playwright leave the body of an unfinished stream away *and* name every failure, so only with them
 * a missing body without a failure is a stream that was still open when the capture ended.
 */
export function harEndState(entry: HarEntry, body: Body, producer: HarProducer): EndState {
  if (entry.error !== null) return endStateOf(entry.error);
  const tellsFailures = producer.family === 'chrome' || producer.family === 'playwright';
  if (entry.status === null) return tellsFailures || producer.family === 'mitmproxy' ? 'open' : 'unknown';
  if (body !== null) return 'complete';
  const size = sizeAt(entry.content, 'size');
  if (producer.family === 'playwright') return size === null ? 'open' : 'unknown';
  if (!isEventStream(entry) || !isSuccess(entry)) return 'complete';
  return producer.family === 'chrome' || Object.hasOwn(entry.response, '_error') ? 'open' : 'unknown';
}

/** `net::ERR_…` of Chrome, WebKit's and mitmproxy's sentences. */
function endStateOf(error: string): EndState {
  if (/timed?[ _-]?out/i.test(error)) return 'timed-out';
  if (/abort|cancel|client (has )?(disconnect|closed)/i.test(error)) return 'client-aborted';
  return 'truncated';
}

/** Whether `entry.time` covers the whole exchange and not its headers alone. */
export function hasWholeDuration(entry: HarEntry, endState: EndState, producer: HarProducer): boolean {
  if (endState === 'open') return false;
  return producer.family !== 'playwright' || entry.status === null || sizeAt(entry.content, 'size') !== null;
}
