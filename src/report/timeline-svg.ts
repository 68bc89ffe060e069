import type { TimelineEntry } from '../incident/finding.js';
import { PICTURE_CSS } from './picture/colours.js';
import { WIDE } from './picture/layout.js';
import { swimLane } from './picture/swim-lane.js';
import { inTime } from './story.js';

/** A picture of more is no picture. */
const MAX_ENTRIES = 400;

/**
 * A timeline as one SVG file (SVG 1.1, own styles, dark and light, no script, no reference to anything outside), for
 * `timeline SESSION --out session.svg`.
 * @param title what the picture shows, for its title and screen readers
 */
export function renderTimelineSvg(timeline: readonly TimelineEntry[], title: string): string {
  const entries = inTime(timeline);
  const svg = swimLane(entries.length === 0 ? [NOTHING] : entries, {
    id: 'timeline',
    title,
    geometry: WIDE,
    limit: MAX_ENTRIES,
  });
  const style = `<style>${PICTURE_CSS}svg{background:var(--paper)}</style>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svg.replace('<title', `${style}\n<title`)}\n`;
}

const NOTHING: TimelineEntry = {
  at: null,
  what: 'nothing was captured of this session',
  source: '',
  locator: '',
  lane: 'client',
  session: null,
  role: 'lost',
};
