import type { TimelineEntry } from '../../incident/finding.js';
import { displayWidth, truncate, wrap } from '../ansi.js';
import { clip, visible } from '../escape.js';
import {
  backendIndex,
  type Cast,
  castOf,
  drawnRole,
  exchangeOf,
  placeOf,
  type StoryEntry,
  withoutLanes,
} from '../story.js';
import { formatClock } from '../text.js';

/** How much room a picture has; all lengths in SVG user units (CSS pixels). */
export interface Geometry {
  readonly width: number;
  /** Distance between two instances. */
  readonly laneStep: number;
  /** Distance between two sessions within the client's lane. */
  readonly sessionStep: number;
  /** Room for clock times left of the lanes; 0: the time stands in the text. */
  readonly clockWidth: number;
  /** Right edge of the lanes at most; beyond it lanes move together. */
  readonly lanesWidth: number;
  /** Room for event ids between the lanes. */
  readonly showsIds: boolean;
}

export const WIDE: Geometry = {
  width: 960,
  laneStep: 118,
  sessionStep: 28,
  clockWidth: 84,
  lanesWidth: 500,
  showsIds: true,
};
export const NARROW: Geometry = {
  width: 360,
  laneStep: 26,
  sessionStep: 16,
  clockWidth: 0,
  lanesWidth: 130,
  showsIds: false,
};

const MAX_SESSIONS = 6;
const MAX_BACKENDS = 5;
const LINE_HEIGHT = 15;
const CHARACTER_WIDTH = 6.7;
const MAX_LINES = 4;
/** Bold letters are wider. */
const BOLD = 0.86;

/** A session's bar in the client's lane: one epoch, one colour. */
export interface SessionLane {
  readonly name: string;
  /** What stands above the bar: the name, or its number in the legend. */
  readonly label: string;
  readonly x: number;
  /** CSS class of its colour. */
  readonly colour: string;
}

export interface ActorLane {
  readonly name: string;
  /** What stands above the lane. */
  readonly label: string;
  readonly x: number;
}

export interface Line {
  readonly text: string;
  readonly style: 'head' | 'plain' | 'note' | 'mark';
}

export interface Row {
  readonly entry: StoryEntry;
  readonly role: StoryEntry['role'];
  readonly top: number;
  readonly height: number;
  readonly session: SessionLane;
  /** The session that the answer belongs to. */
  readonly answerSession: SessionLane;
  readonly backend: ActorLane;
  readonly answer: string | null;
  readonly clock: string;
  readonly lines: readonly Line[];
}

/** Everything placed, before a line is drawn. */
export interface Layout {
  readonly sessions: readonly SessionLane[];
  readonly proxy: ActorLane | null;
  readonly backends: readonly ActorLane[];
  readonly rows: readonly Row[];
  readonly textX: number;
  readonly top: number;
  readonly height: number;
  /** What explains the numbers and letters over the lanes. */
  readonly legend: readonly LegendItem[];
}

export interface LegendItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** CSS class of the colour; null: none. */
  readonly colour: string | null;
}

/** Places sessions, instances and rows. */
export function layOut(entries: readonly StoryEntry[], geometry: Geometry): Layout {
  const cast = castOf(entries);
  const lanes = placeLanes(cast, geometry);
  const legend = placeLegend(
    lanes.sessions,
    lanes.proxy === null ? lanes.backends : [lanes.proxy, ...lanes.backends],
    geometry,
  );
  const top = (legend.at(-1)?.y ?? 0) + 46;
  let y = top;
  const rows = entries.map((entry): Row => {
    const row = placeRow(entry, y, { ...lanes, cast, geometry });
    y += row.height;
    return row;
  });
  return { ...lanes, rows, top, height: y + 10, legend };
}

function placeLanes(cast: Cast, geometry: Geometry): Pick<Layout, 'sessions' | 'proxy' | 'backends' | 'textX'> {
  const firstX = geometry.clockWidth + 16;
  const sessions = sessionLanes(cast.sessions, firstX, geometry);
  const lastSession = sessions.at(-1)?.x ?? firstX;
  const count = Math.min(cast.backends.length, MAX_BACKENDS + 1) + (cast.hasProxy ? 1 : 0);
  const step = Math.min(geometry.laneStep, Math.max(18, (geometry.lanesWidth - lastSession) / count));
  const proxy: ActorLane | null = cast.hasProxy
    ? { name: 'proxy', label: step < 40 ? 'P' : 'proxy', x: Math.round(lastSession + step) }
    : null;
  const backends = backendLanes(cast.backends, proxy?.x ?? lastSession, step);
  const last = backends.at(-1)?.x ?? lastSession;
  return { sessions, proxy, backends, textX: last + (geometry.showsIds ? 64 : 30) };
}

interface Places {
  readonly cast: Cast;
  readonly sessions: readonly SessionLane[];
  readonly backends: readonly ActorLane[];
  readonly textX: number;
  readonly geometry: Geometry;
}

function placeRow(entry: StoryEntry, top: number, places: Places): Row {
  const { cast, sessions, backends, textX, geometry } = places;
  const { request, answer } = exchangeOf(entry);
  const clock = formatClock(entry.at);
  const columns = Math.floor((geometry.width - textX - 6) / CHARACTER_WIDTH);
  const shownRequest = withoutLanes(request, 'request');
  const mark = markOf(entry);
  const lines: Line[] = [
    ...(mark === null ? [] : linesOf(mark, Math.floor(columns * BOLD), 'mark')),
    ...linesOf(
      geometry.clockWidth === 0 ? `${clock} ${shownRequest}` : shownRequest,
      Math.floor(columns * BOLD),
      'head',
    ),
    ...(answer === null ? [] : linesOf(`→ ${withoutLanes(answer, 'answer')}`, columns, 'plain')),
    { text: truncate(visible(clip(placeOf(entry), 200)), columns), style: 'note' },
  ];
  const session = laneNamed(sessions, entry.session);
  return {
    entry,
    role: drawnRole(entry),
    top,
    height: Math.max(42, lines.length * LINE_HEIGHT + 14) + (entry.role === 'seam' ? 8 : 0),
    session,
    answerSession: entry.otherSession ? laneNamed(sessions, entry.otherSession) : session,
    backend: backends[backendIndex(cast, entry)] ?? backends.at(-1) ?? NOWHERE,
    answer,
    clock,
    lines,
  };
}

function linesOf(text: string, columns: number, style: Line['style']): readonly Line[] {
  const wrapped = wrap(visible(clip(text, 600)), columns);
  const shown =
    wrapped.length > MAX_LINES ? [...wrapped.slice(0, MAX_LINES - 1), `${wrapped[MAX_LINES - 1]} …`] : wrapped;
  return shown.map((line) => ({ text: line, style }));
}

function markOf(entry: TimelineEntry): string | null {
  if (entry.role === 'seam') {
    return `SEAM: ${clip(entry.session ?? 'one history', 40)} spliced into ${clip(entry.otherSession ?? 'another', 40)}`;
  }
  return entry.role === 'duplicate' ? 'ran, or may have run, twice' : null;
}

const NOWHERE: ActorLane = { name: '', label: '', x: 0 };

function sessionLanes(names: readonly string[], firstX: number, geometry: Geometry): readonly SessionLane[] {
  const shown = names.slice(0, MAX_SESSIONS);
  const short = shown.every((name) => name.length <= (geometry.showsIds ? 4 : 2));
  const lanes = shown.map((name, index) => ({
    name,
    label: short ? visible(name) : String(index + 1),
    x: firstX + index * geometry.sessionStep,
    colour: `c${index}`,
  }));
  if (names.length === 0) return [{ name: 'no session', label: '–', x: firstX, colour: 'cx' }];
  if (names.length === lanes.length) return lanes;
  const name = `${names.length - lanes.length} other sessions`;
  return [...lanes, { name, label: '…', x: firstX + lanes.length * geometry.sessionStep, colour: 'cx' }];
}

function backendLanes(names: readonly string[], beforeX: number, step: number): readonly ActorLane[] {
  const shown = names.slice(0, MAX_BACKENDS);
  const fits = shown.every((name) => textWidth(name) * 1.05 <= step - 4);
  const lanes = shown.map((name, index) => ({
    name,
    label: fits ? visible(name) : name === 'instance not known' ? '?' : String.fromCharCode(65 + index),
    x: Math.round(beforeX + (index + 1) * step),
  }));
  if (names.length === lanes.length) return lanes;
  const name = `${names.length - lanes.length} other instances`;
  return [...lanes, { name, label: '…', x: Math.round(beforeX + (lanes.length + 1) * step) }];
}

/** A request before any session exists stands in the first lane, grey; one of too many in the last. */
function laneNamed(sessions: readonly SessionLane[], name: string | null): SessionLane {
  const first = sessions[0] ?? { name: '', label: '', x: 0, colour: 'cx' };
  if (name === null) return { ...first, colour: 'cx' };
  return sessions.find((lane) => lane.name === name) ?? sessions.at(-1) ?? first;
}

function placeLegend(
  sessions: readonly SessionLane[],
  actors: readonly ActorLane[],
  geometry: Geometry,
): readonly LegendItem[] {
  const items = [
    ...sessions.filter(({ name, label }) => name !== label).map((lane) => ({ ...lane, kind: 'session' })),
    ...actors
      .filter(({ name, label }) => name !== label)
      .map((lane) => ({ ...lane, kind: lane.label === 'P' ? '' : 'instance', colour: null })),
  ];
  let x = 4;
  let y = 16;
  return items.map(({ name, label, kind, colour }) => {
    const short = truncate(visible(clip(name, 80)), 40);
    const text = label === '…' ? `… ${short}` : [label, kind, short].filter((word) => word !== '').join(' ');
    const width = textWidth(text) + (colour === null ? 0 : 14) + 16;
    if (x > 4 && x + width > geometry.width) {
      x = 4;
      y += LINE_HEIGHT + 2;
    }
    const item = { text, x, y, colour };
    x += width;
    return item;
  });
}

/** Width in user units that text takes, roughly. */
export function textWidth(text: string): number {
  return displayWidth(text) * CHARACTER_WIDTH;
}
