import type { ReaderOptions, ReadSummary, RecordSink } from '../../src/readers/reader.js';
import type { Capture, CompanionRecord } from '../../src/readers/record.js';
import { findSources, readSource } from '../../src/readers/registry.js';

export const NO_OPTIONS: ReaderOptions = { vantage: null, logFormat: null, map: null, zone: null, keepBodies: false };

/** A sink that keeps everything, for tests. */
export class Collected implements RecordSink {
  readonly captures: Capture[] = [];
  readonly companions: CompanionRecord[] = [];
  readonly rejects: { locator: string; reason: string }[] = [];
  skipped = 0;
  duplicates = 0;
  bytes = 0;
  summary: ReadSummary | null = null;

  capture(capture: Capture): void {
    this.captures.push(capture);
  }
  companion(record: CompanionRecord): void {
    this.companions.push(record);
  }
  reject(locator: string, reason: string): void {
    this.rejects.push({ locator, reason });
  }
  skip(count: number): void {
    this.skipped += count;
  }
  duplicate(count: number): void {
    this.duplicates += count;
  }
  progress(bytes: number): void {
    this.bytes = bytes;
  }
}

/** Everything in the sources behind one path, read one after the other. @throws what the first unreadable source throws */
export async function collectPath(path: string, options: ReaderOptions = NO_OPTIONS): Promise<Collected> {
  const { sources, problems } = await findSources([path], options);
  const into = new Collected();
  if (sources.length === 0 && problems[0] !== undefined) throw problems[0].error;
  for (const source of sources) into.summary = await readSource(source, into, options);
  return into;
}

/** The field values of one exchange as the corpus names them. */
export function fieldsOf({ exchange: x, events, messages }: Capture): Record<string, unknown> {
  const millis = (ns: bigint) => Math.round(Number(ns) / 1e6);
  const dispatched = events.filter((event) => event.complete);
  return {
    status: x.status,
    method: x.httpMethod,
    path: x.path,
    requestSession: x.requestSession,
    responseSession: x.responseSession,
    lastEventId: x.lastEventId,
    protocolVersion: x.protocolVersion,
    endState: x.endState,
    userAgent: x.userAgent,
    client: x.client,
    tool: x.tool,
    backend: x.backends.length === 0 ? null : x.backends,
    startedMs: x.startedNs === null ? null : millis(x.startedNs),
    durationMs: x.startedNs === null || x.endedNs === null ? null : millis(x.endedNs - x.startedNs),
    events: x.sawEvents ? dispatched.length : null,
    firstEventId: dispatched.find((event) => event.eventId !== null)?.eventId ?? null,
    cursor: x.lastCursor !== undefined ? x.lastCursor : (events.at(-1)?.cursor ?? null),
    eventDataBytes: dispatched.map((event) => event.dataBytes),
    messages: messages.filter((message) => message.sender === 'server').length,
  };
}
