import type { TimelineEntry } from '../incident/finding.js';
import { clip, escapeMermaid } from './escape.js';
import { backendIndex, castOf, exchangeOf, isBroken, pickStory, type StoryEntry } from './story.js';
import { formatClock } from './text.js';

const MAX_ENTRIES = 24;
const MAX_BACKENDS = 6;
const MAX_LABEL = 90;
const HIGHLIGHT = 'rect rgba(207, 34, 46, 0.12)';

/**
 * A timeline as a Mermaid sequence diagram for GitHub and GitLab, without HTML; null when there is nothing to draw.
 * Long timelines keep what went wrong; a note says how much is left out.
 */
export function renderMermaid(timeline: readonly TimelineEntry[]): string | null {
  if (timeline.length === 0) return null;
  const { entries, leftOut } = pickStory(timeline, MAX_ENTRIES);
  const cast = castOf(entries);
  const named = cast.backends.slice(0, MAX_BACKENDS);
  const actorOf = (entry: StoryEntry): string => {
    const index = backendIndex(cast, entry);
    return index < named.length ? `b${index}` : 'bx';
  };
  const client = entries.some((entry) => entry.lanes.includes('client')) || !cast.hasProxy ? 'c' : 'p';
  const lines = [
    'sequenceDiagram',
    ...(client === 'c' ? ['  participant c as client'] : []),
    ...(cast.hasProxy ? ['  participant p as proxy'] : []),
    ...named.map((backend, index) => `  participant b${index} as ${label(backend, 40)}`),
    ...(cast.backends.length > MAX_BACKENDS ? ['  participant bx as other instances'] : []),
  ];
  for (const entry of entries) {
    const from = entry.lane === 'proxy' ? 'p' : client;
    lines.push(...entryLines(entry, from, actorOf(entry)));
  }
  if (leftOut > 0) lines.push(`  Note over ${client}: ${leftOut} more entries are in the full report`);
  return lines.join('\n');
}

function entryLines(entry: StoryEntry, from: string, to: string): readonly string[] {
  const { request, answer } = exchangeOf(entry);
  const clock = formatClock(entry.at);
  const reply = answer === null ? [] : [`  ${to}-->>${from}: ${label(answer)}`];
  const asked = `  ${from}->>${to}: ${label(`${clock} ${request}`)}`;
  switch (entry.role) {
    case 'request':
      return entry.lane === 'server' && answer === null
        ? [`  ${to}-->>${from}: ${label(`${clock} ${request}`)}`]
        : [asked, ...reply];
    case 'fault':
      return answer === null
        ? [`  ${to}--x${from}: ${label(`${clock} ${request}`)}`]
        : [asked, ...(isBroken(answer) ? [`  ${to}--x${from}: ${label(answer)}`] : reply)];
    case 'loss':
      return answer === null
        ? [`  ${to}--x${from}: ${label(`${clock} ${request}`)}`]
        : [asked, `  ${to}--x${from}: ${label(`session gone · ${answer}`)}`];
    case 'seam': {
      const histories = `${entry.session ?? 'one session'} spliced into ${entry.otherSession ?? 'another one'}`;
      return [`  ${HIGHLIGHT}`, asked, ...reply, `  Note over ${from},${to}: SEAM · ${label(histories)}`, '  end'];
    }
    case 'duplicate':
      return [asked, ...reply, `  Note over ${to}: may have run twice`];
    case 'lost':
      if (answer !== null) return [asked, `  ${to}--x${from}: ${label(answer)}`, `  Note over ${to}: outcome unknown`];
      return [`  Note over ${from},${to}: ${label(`${clock} ${request}`)}`];
  }
}

function label(text: string, limit = MAX_LABEL): string {
  return escapeMermaid(text.length > limit ? `${clip(text, limit).slice(0, limit)}…` : text) || '-';
}
