import type { TimelineEntry } from '../incident/finding.js';
import { compareText } from './summary.js';

/** A timeline cut down to what a picture can hold. */
export interface Story {
  readonly entries: readonly StoryEntry[];
  /** Entries that were left out, ordinary requests before anything else. */
  readonly leftOut: number;
}

/** Keeps at most `limit` exchanges, in order: what went wrong first, then the requests nearest to it. */
export function pickStory(entries: readonly TimelineEntry[], limit: number): Story {
  const timeline = mergeViews(entries);
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

/** An exchange of the story, with everyone who saw it. */
export interface StoryEntry extends TimelineEntry {
  readonly lanes: readonly TimelineEntry['lane'][];
}

/**
 * One entry for each exchange: what client, proxy and server each saw of it stands in a timeline one after the other.
 * The client's view leads, for it knows the events; the others add the instance and their place.
 */
export function mergeViews(timeline: readonly TimelineEntry[]): readonly StoryEntry[] {
  const merged: StoryEntry[] = [];
  for (const entry of timeline) {
    const before = merged.at(-1);
    if (before !== undefined && isOtherView(before, entry)) merged[merged.length - 1] = joinViews(before, entry);
    else merged.push({ ...entry, lanes: [entry.lane] });
  }
  return merged;
}

function isOtherView(before: StoryEntry, entry: TimelineEntry): boolean {
  return (
    entry.at !== null &&
    entry.at === before.at &&
    entry.session === before.session &&
    entry.role === before.role &&
    entry.source !== before.source &&
    !before.lanes.includes(entry.lane) &&
    REQUEST_LINE.exec(entry.what)?.[0] === REQUEST_LINE.exec(before.what)?.[0]
  );
}

function joinViews(first: StoryEntry, second: TimelineEntry): StoryEntry {
  const leads = second.lane === 'client' ? second : first;
  const other = leads === second ? first : second;
  return {
    ...leads,
    locator: `${leads.locator}, ${placeOf(other)}`,
    backend: leads.backend ?? other.backend ?? null,
    otherSession: leads.otherSession ?? other.otherSession ?? null,
    lanes: [...first.lanes, second.lane],
  };
}

/** Who takes part: instances and sessions in order of first sight, an instance that nobody names last. */
export interface Cast {
  readonly hasProxy: boolean;
  readonly backends: readonly string[];
  readonly sessions: readonly string[];
}

export function castOf(entries: readonly StoryEntry[]): Cast {
  const named = new Set<string>();
  const sessions = new Set<string>();
  for (const entry of entries) {
    if (entry.backend) named.add(entry.backend);
    if (entry.session !== null) sessions.add(entry.session);
    if (entry.otherSession) sessions.add(entry.otherSession);
  }
  const unnamed = entries.some((entry) => !entry.backend);
  return {
    hasProxy: entries.some((entry) => entry.lanes.includes('proxy')),
    backends: unnamed ? [...named, named.size === 0 ? 'server' : 'instance not known'] : [...named],
    sessions: [...sessions],
  };
}

/** Where in the cast's instances an entry belongs. */
export function backendIndex(cast: Cast, entry: TimelineEntry): number {
  return entry.backend ? cast.backends.indexOf(entry.backend) : cast.backends.length - 1;
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

const BROKEN = /no answer|stream cut|stream ended|timed out|hung up|without the response|^5\d\d\b/;

/** Whether the answer's own words say that it did not arrive whole. */
export function isBroken(answer: string): boolean {
  return BROKEN.test(answer);
}

/** Words without the parts that a picture shows by itself: the session by its colour, the instance by its lane. */
export function withoutLanes(text: string, shown: 'request' | 'answer'): string {
  const prefix = shown === 'request' ? 'Mcp-Session-Id ' : 'instance ';
  return text
    .split(' · ')
    .filter((part) => !part.startsWith(prefix))
    .join(' · ');
}

/** The place of an entry without the folders of its source. */
export function placeOf(entry: TimelineEntry): string {
  const slash = Math.max(entry.source.lastIndexOf('/'), entry.source.lastIndexOf('\\'));
  return `${entry.source.slice(slash + 1)} ${entry.locator}`;
}

/** What a picture makes of an entry: a finding about an exchange that was answered well is no broken line. */
export function drawnRole(entry: TimelineEntry): TimelineEntry['role'] {
  if (entry.role !== 'fault') return entry.role;
  const { answer } = exchangeOf(entry);
  return answer === null || isBroken(answer) ? 'fault' : 'request';
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
