import type { TimelineEntry } from '../../incident/finding.js';
import { truncate } from '../ansi.js';
import { clip, escapeXml, visible } from '../escape.js';
import { eventIdsOf, pickStory } from '../story.js';
import { plural } from '../text.js';
import { type Geometry, type Layout, layOut, type Row } from './layout.js';

const BASELINE = 12;

export interface PictureNames {
  /** Unique in the page; ASCII letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  readonly geometry: Geometry;
  /** Entries drawn at most; ordinary requests are left out first. */
  readonly limit: number;
}

/**
 * The story of a session as a picture: time runs down; the client with a coloured bar per epoch, the proxy, the
 * instances; requests, answers and event ids between them; the seam where one history was spliced into another; calls
 * that ran twice joined by a bracket.
 * @param entries in time order
 * @returns an `<svg>` element that needs `PICTURE_CSS`; empty text when there are no entries
 */
export function swimLane(entries: readonly TimelineEntry[], names: PictureNames): string {
  if (entries.length === 0) return '';
  const story = pickStory(entries, names.limit);
  const layout = layOut(story.entries, names.geometry);
  const height = Math.ceil(layout.height + (story.leftOut > 0 ? 20 : 0));
  const { width } = names.geometry;
  const parts = [
    `<svg class="lanes" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${names.id}-t ${names.id}-d">`,
    `<title id="${names.id}-t">${escapeXml(clip(names.title, 200))}</title>`,
    `<desc id="${names.id}-d">${escapeXml(description(layout, story.leftOut))}</desc>`,
    ...layout.rows.map((row) => band(row, width)),
    ...legend(layout),
    ...heads(layout, names.geometry),
    ...lifelines(layout),
    ...bars(layout),
    ...layout.rows.flatMap((row) => drawRow(row, layout, names.geometry)),
    ...twins(layout),
  ];
  if (story.leftOut > 0) {
    parts.push(
      textAt(8, height - 8, 'note', `${plural(story.leftOut, 'entry', 'entries')} left out: ordinary requests first`),
    );
  }
  return `${parts.filter((part) => part !== '').join('\n')}\n</svg>`;
}

function description(layout: Layout, leftOut: number): string {
  const count = (role: TimelineEntry['role']): number => layout.rows.filter((row) => row.role === role).length;
  const facts = [
    plural(layout.rows.length + leftOut, 'entry', 'entries'),
    plural(layout.sessions.length, 'session'),
    plural(layout.backends.length, 'instance'),
    plural(count('seam'), 'seam'),
    plural(count('duplicate'), 'call that ran or may have run twice', 'calls that ran or may have run twice'),
    plural(count('loss'), 'session loss', 'session losses'),
  ];
  return `${facts.join(', ')}. The same in words follows the picture.`;
}

function band(row: Row, width: number): string {
  if (row.role === 'request') return '';
  return `<rect class="band-${row.role}" x="0" y="${row.top}" width="${width}" height="${row.height}"/>`;
}

function legend(layout: Layout): readonly string[] {
  return layout.legend.map(({ text, x, y, colour }) =>
    colour === null
      ? textAt(x, y, 'note', text)
      : `<circle class="dot ${colour}" cx="${x + 5}" cy="${y - 4}" r="5"/>${textAt(x + 14, y, 'note', text)}`,
  );
}

function heads(layout: Layout, geometry: Geometry): readonly string[] {
  const y = layout.top - 13;
  const marks = layout.sessions.map(
    ({ label, x, colour }) =>
      `<text class="head session ${colour}" x="${x}" y="${y}" text-anchor="middle">${escapeXml(label)}</text>`,
  );
  const actors = [...(layout.proxy === null ? [] : [layout.proxy]), ...layout.backends].map(
    ({ label, x }) => `<text class="head" x="${x}" y="${y}" text-anchor="middle">${escapeXml(label)}</text>`,
  );
  const client = geometry.clockWidth > 0 ? [textAt(4, y, 'note', 'client')] : [];
  return [...client, ...marks, ...actors, `<path class="rule" d="M0 ${layout.top - 6}H${geometry.width}"/>`];
}

function lifelines(layout: Layout): readonly string[] {
  const bottom = layout.height - 6;
  return [...(layout.proxy === null ? [] : [layout.proxy]), ...layout.backends].map(
    ({ x }) => `<path class="life" d="M${x} ${layout.top}V${bottom}"/>`,
  );
}

/**
 * One bar per session, from where it is first seen to where it is last seen alive: an epoch of the client's history.
 * What is only missed later hangs on it by a dotted line.
 */
function bars(layout: Layout): readonly string[] {
  return layout.sessions.map((lane) => {
    const rows = layout.rows.filter((row) => row.session.x === lane.x || row.answerSession.x === lane.x);
    const first = rows[0];
    const last = rows.at(-1);
    const alive = rows.findLast(({ role, answer }) => role !== 'lost' || answer !== null) ?? last;
    if (first === undefined || last === undefined || alive === undefined) return '';
    const top = first.top + (first.session.x === lane.x ? 6 : 26);
    const bottom = alive.role === 'seam' && alive.session.x === lane.x ? alive.top + 36 : alive.top + alive.height - 8;
    const thread =
      last === alive ? '' : `<path class="thread ${lane.colour}" d="M${lane.x} ${bottom}V${last.top + BASELINE}"/>`;
    const height = Math.max(8, bottom - top);
    return `<rect class="bar ${lane.colour}" x="${lane.x - 4}" y="${top}" width="8" height="${height}" rx="4"/>${thread}`;
  });
}

function drawRow(row: Row, layout: Layout, geometry: Geometry): readonly string[] {
  const y = row.top + BASELINE + 4;
  const clock = geometry.clockWidth === 0 ? [] : [textAt(4, y, 'clock', row.clock)];
  const lines = row.lines.map((line, index) =>
    textAt(layout.textX, row.top + BASELINE + 4 + index * 15, lineClass(row, line.style, index), line.text),
  );
  return [...clock, ...marks(row, layout, geometry), ...lines];
}

function lineClass(row: Row, style: string, index: number): string {
  const grave = row.role === 'seam' || row.role === 'loss' || row.role === 'fault';
  if (style === 'mark') return row.role === 'seam' ? 'seam-word' : 'twin-word';
  if (style === 'head') return index === 0 && grave ? 'head bad' : 'head';
  return style;
}

function marks(row: Row, layout: Layout, geometry: Geometry): readonly string[] {
  const { session, backend, answerSession } = row;
  const y = row.top + BASELINE;
  const backY = y + 13;
  const ids = geometry.showsIds ? eventIdsOf(row.entry) : null;
  const asked = `${arrow(session.x, backend.x, y, `call ${session.colour}`, session.colour)}${witness(row, layout, y)}`;
  const dot = `<circle class="dot ${session.colour}" cx="${session.x}" cy="${y}" r="4.5"/>`;
  const toX = answerSession.x;
  const back = arrow(backend.x, toX, backY, `back ${answerSession.colour}`, answerSession.colour);
  const idText = ids === null ? '' : idsAt((toX + backend.x) / 2, backY - 3, ids);
  const brokenIds = ids === null ? '' : idsAt((toX + 3 * backend.x) / 4, backY - 3, ids);
  const answered = row.answer !== null;
  const reply = answered ? [back, idText] : [];
  switch (row.role) {
    case 'request':
      return row.entry.lane === 'server' && !answered
        ? [
            arrow(backend.x, session.x, y, `back ${session.colour}`, session.colour),
            idsAt((session.x + backend.x) / 2, y - 4, ids ?? ''),
          ]
        : [asked, dot, ...reply];
    case 'duplicate':
      return [asked, dot, ...reply, `<circle class="twin" cx="${session.x}" cy="${y}" r="8"/>`];
    case 'fault':
      return [...(answered ? [asked, dot] : []), broken(backend.x, session.x, answered ? backY : y, session.colour)];
    case 'loss':
      return [asked, dot, arrow(backend.x, session.x, backY, 'back cbad', 'cbad'), cross(session.x, backY)];
    case 'seam':
      return [asked, dot, ...reply, ...seam(row, backY)];
    case 'lost':
      return [
        ...(answered ? [asked, broken(backend.x, session.x, backY, session.colour), brokenIds] : []),
        `<circle class="ring ${session.colour}" cx="${session.x}" cy="${y}" r="8"/>`,
        `<text class="head" x="${session.x}" y="${y + 4}" text-anchor="middle">?</text>`,
      ];
  }
}

/** A dot on the proxy's line where the proxy's own log saw the request. */
function witness(row: Row, layout: Layout, y: number): string {
  if (!row.entry.lanes.includes('proxy') || layout.proxy === null) return '';
  return `<circle class="dot ${row.session.colour}" cx="${layout.proxy.x}" cy="${y}" r="3"/>`;
}

function arrow(from: number, to: number, y: number, style: string, colour: string): string {
  const direction = to >= from ? 1 : -1;
  const end = to - direction * 6;
  return `<path class="${style}" d="M${from} ${y}H${end}"/><path class="tip ${colour}" d="M${to - direction} ${y}l${-direction * 7} -4v8z"/>`;
}

/** An answer that does not arrive: a dashed line that ends in a cross halfway. */
function broken(from: number, to: number, y: number, colour: string): string {
  const middle = Math.round((from + to) / 2);
  return `<path class="back ${colour}" d="M${from} ${y}H${middle}"/>${cross(middle, y)}`;
}

function cross(x: number, y: number): string {
  return `<path class="cross" d="M${x - 5} ${y - 5}l10 10m0 -10l-10 10"/>`;
}

/** The tear: a jagged line out of the old session's bar into the new one's. */
function seam(row: Row, y: number): readonly string[] {
  const { session, answerSession } = row;
  const left = Math.min(session.x, answerSession.x);
  const right = Math.max(session.x, answerSession.x);
  return [jagged(left - 10, right + 10, y + 10)];
}

function jagged(from: number, to: number, y: number): string {
  const step = (to - from) / 6;
  const points = Array.from(
    { length: 7 },
    (_, index) => `${(from + index * step).toFixed(1)} ${index % 2 === 0 ? y - 4 : y + 4}`,
  );
  return `<path class="seam" d="M${points.join('L')}"/>`;
}

/** Calls that ran, or may have run, twice: a bracket right of the instances. */
function twins(layout: Layout): readonly string[] {
  const rows = layout.rows.filter((row) => row.role === 'duplicate');
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined || first === last) return [];
  const x = layout.textX - 14;
  const top = first.top + BASELINE;
  const bottom = last.top + BASELINE;
  const ticks = rows.map((row) => `M${x - 6} ${row.top + BASELINE}H${x}`).join('');
  const word = `<text class="twin-word count" x="${x - 4}" y="${(top + bottom) / 2 + 4}" text-anchor="end">×${rows.length}</text>`;
  return [`<path class="twin" d="${ticks}M${x} ${top}V${bottom}"/>${word}`];
}

function idsAt(x: number, y: number, ids: string): string {
  if (ids === '') return '';
  return `<text class="ids" x="${x}" y="${y}" text-anchor="middle">${escapeXml(truncate(visible(ids), 14))}</text>`;
}

function textAt(x: number, y: number, style: string, text: string): string {
  return `<text class="${style}" x="${x}" y="${y}">${escapeXml(text)}</text>`;
}
