import type { TimelineEntry } from '../incident/finding.js';
import { compareText } from './summary.js';

/** A timeline cut down to what a picture can hold. */
export interface Story {
  readonly entries: readonly TimelineEntry[];
  /** Entries that were left out, ordinary requests before anything else. */
  readonly leftOut: number;
}

/** Keeps at most `limit` entries, in order: what went wrong first, then the requests nearest to it. */
export function pickStory(timeline: readonly TimelineEntry[], limit: number): Story {
  if (timeline.length <= limit) return { entries: timeline, leftOut: 0 };
  const near = distanceToTrouble(timeline);
  const ranked = timeline.map((entry, index) => ({ index, rank: importance(entry), distance: near[index] ?? 0 }));
  const kept = new Set(
    ranked
      .sort((a, b) => a.rank - b.rank || compareDistance(a.distance, b.distance) || a.index - b.index)
      .slice(0, limit)
      .map(({ index }) => index),
  );
  return { entries: timeline.filter((_entry, index) => kept.has(index)), leftOut: timeline.length - limit };
}

/** Who takes part: instances in order of first sight, sessions in order of first sight. */
export interface Cast {
  readonly hasProxy: boolean;
  /** `server` stands for an instance that no entry names. */
  readonly backends: readonly string[];
  readonly sessions: readonly string[];
}

export function castOf(entries: readonly TimelineEntry[]): Cast {
  const backends = new Set<string>();
  const sessions = new Set<string>();
  for (const entry of entries) {
    backends.add(backendOf(entry));
    if (entry.session !== null) sessions.add(entry.session);
    if (entry.otherSession) sessions.add(entry.otherSession);
  }
  return {
    hasProxy: entries.some((entry) => entry.lane === 'proxy'),
    backends: [...backends],
    sessions: [...sessions],
  };
}

/** The instance an entry belongs to. */
export function backendOf(entry: TimelineEntry): string {
  return entry.backend || 'server';
}

/** What was asked and what was answered, without the parts that a picture shows by itself. */
export interface Exchange {
  readonly request: string;
  /** null: the entry tells of something that is no exchange, or of no answer. */
  readonly answer: string | null;
}

const REQUEST_LINE = /^[A-Z]{3,7} /;

/** Splits `GET /mcp · … → 200 · …`; anything else is a request without an answer. */
export function exchangeOf(entry: TimelineEntry): Exchange {
  const arrow = entry.what.indexOf(' → ');
  if (arrow < 0 || !REQUEST_LINE.test(entry.what)) return { request: entry.what, answer: null };
  return { request: entry.what.slice(0, arrow), answer: entry.what.slice(arrow + 3) };
}

/** `POST /mcp · Mcp-Session-Id S1 · tools/call x` without the session id, which the lane's colour tells. */
export function withoutSession(text: string): string {
  return text
    .split(' · ')
    .filter((part) => !part.startsWith('Mcp-Session-Id '))
    .join(' · ');
}

/** The last event id that an entry's words name, for the mark on its lane: `e100–e140`, `e1`; null when none. */
export function eventIdsOf(entry: TimelineEntry): string | null {
  const match = /(?:first event|events?) (\S{1,80})/.exec(entry.what);
  return match?.[1] ?? null;
}

function compareDistance(a: number, b: number): number {
  // Infinity minus infinity is no number.
  return a === b ? 0 : a - b;
}

/** For each entry how many entries away the nearest one is that is no plain request; two passes. */
function distanceToTrouble(timeline: readonly TimelineEntry[]): readonly number[] {
  const distances = timeline.map(() => Number.POSITIVE_INFINITY);
  let since = Number.POSITIVE_INFINITY;
  timeline.forEach((entry, index) => {
    since = entry.role === 'request' ? since + 1 : 0;
    distances[index] = since;
  });
  since = Number.POSITIVE_INFINITY;
  for (let index = timeline.length - 1; index >= 0; index -= 1) {
    since = timeline[index]?.role === 'request' ? since + 1 : 0;
    distances[index] = Math.min(distances[index] ?? since, since);
  }
  return distances;
}

function importance(entry: TimelineEntry): number {
  if (entry.role === 'seam') return 0;
  if (entry.role === 'duplicate') return 1;
  if (entry.role === 'loss' || entry.role === 'lost') return 2;
  return entry.role === 'fault' ? 3 : 4;
}

/** Sorted copy of a timeline: by time, then place; entries without a time keep their place at the end. */
export function inTime(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  return [...timeline].sort((a, b) => {
    if (a.at === b.at) return 0;
    if (a.at === null) return 1;
    return b.at === null ? -1 : compareText(a.at, b.at);
  });
}
