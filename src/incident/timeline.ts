import type { Registry } from '../detect/registry.js';
import type { Store } from '../store/store.js';
import type { TimelineEntry } from './finding.js';
import { type RawFinding, sessionsOf } from './findings.js';
import { type Group, periodOf } from './groups.js';
import type { IdText } from './id-text.js';
import { reportRows } from './report-rows.js';
import { isoTime } from './time.js';
import { sentenceOf, type View } from './views.js';

/** More sessions than this make a crowd: then only what the findings name is told. */
const SMALL = 4;
const LONGEST = 120;
/** What happened shortly before and after belongs to the story. */
const BEFORE_NS = 60n * 1_000_000_000n;
const AFTER_NS = 30n * 1_000_000_000n;

/** The story of a group in order of time: the exchanges that its findings name and, in small groups, those around them. */
export async function timelineOf(
  store: Store,
  registry: Registry,
  group: Group,
  idText: IdText,
): Promise<TimelineEntry[]> {
  const roles = new Map<string, TimelineEntry['role']>();
  for (const item of group.members) assignRoles(item, roles);
  const views = new Map<string, View>();
  for (const item of group.members) {
    for (const view of item.views.filter(({ further }) => further === 0)) {
      const key = `${view.source}\0${view.locator}`;
      if (!views.has(key)) views.set(key, view);
    }
  }
  for (const view of await surroundings(store, registry, group)) {
    const key = `${view.source}\0${view.locator}`;
    if (!views.has(key)) views.set(key, view);
  }
  return [...views.values()]
    .sort(byTimeAndPlace)
    .map((view) => entryOf(view, roles.get(String(view.request_id)), idText))
    .slice(0, LONGEST);
}

async function surroundings(store: Store, registry: Registry, group: Group): Promise<View[]> {
  const sessions = new Set(group.members.flatMap(({ row }) => sessionsOf(row)));
  if (sessions.size === 0 || sessions.size > SMALL) return [];
  const period = periodOf(group);
  if (period === null) return [];
  return reportRows<View>(store, registry, 'incident_steps', {
    sessions: [...sessions].join(' '),
    from_ns: period.firstNs - BEFORE_NS,
    until_ns: period.lastNs + AFTER_NS,
  });
}

/** The worst role of an exchange counts; a seam is worse than the call that came after it. */
const ROLE_ORDER: readonly TimelineEntry['role'][] = ['request', 'fault', 'lost', 'loss', 'duplicate', 'seam'];

const ROLE_OF_DETECTOR: Readonly<Record<string, TimelineEntry['role']>> = {
  'masked-session-loss': 'loss',
  'stale-session-reuse': 'loss',
  'session-flapping': 'loss',
  'load-correlated-failure': 'loss',
  'lost-response': 'lost',
  'cursor-dropped': 'fault',
  'event-gap': 'fault',
  'futile-resume': 'fault',
  'replayed-events': 'fault',
  'resume-refused': 'fault',
  'session-header-missing': 'fault',
  'unissued-cursor': 'fault',
};

const SEAMS = new Set(['epoch-merge', 'cross-epoch-cursor', 'foreign-replay', 'misattributed-result']);

function assignRoles(item: RawFinding, roles: Map<string, TimelineEntry['role']>): void {
  const { detector } = item.finding;
  const raise = (request: string | undefined, role: TimelineEntry['role']) => {
    if (request === undefined) return;
    const old = roles.get(request) ?? 'request';
    if (ROLE_ORDER.indexOf(role) > ROLE_ORDER.indexOf(old)) roles.set(request, role);
  };
  const { exchanges } = item.row;
  if (detector === 'duplicate-tool-call') {
    raise(exchanges[0], 'duplicate');
    raise(exchanges.at(-1), 'duplicate');
  } else if (SEAMS.has(detector)) {
    raise(detector === 'epoch-merge' ? exchanges[0] : exchanges.at(-1), 'seam');
  } else {
    for (const request of exchanges) raise(request, ROLE_OF_DETECTOR[detector] ?? 'request');
  }
}

function entryOf(view: View, role: TimelineEntry['role'] | undefined, idText: IdText): TimelineEntry {
  const session = view.request_session || view.response_session;
  const other = view.request_session && view.response_session !== view.request_session ? view.response_session : null;
  return {
    at: isoTime(view.at_ns),
    what: sentenceOf(view, idText),
    source: view.source,
    locator: view.locator,
    lane: view.vantage === 'proxy' ? 'proxy' : view.vantage === 'server' ? 'server' : 'client',
    session: session ? idText.session(session) : null,
    role: role ?? plainRole(view),
    ...(view.backend === null ? {} : { backend: view.backend }),
    ...(other ? { otherSession: idText.session(other) } : {}),
  };
}

function plainRole(view: View): TimelineEntry['role'] {
  if (view.status === 404 && view.request_session) return 'loss';
  const broken = view.end_state === 'truncated' || view.end_state === 'timed-out';
  return broken || (view.status ?? 0) >= 500 ? 'fault' : 'request';
}

function byTimeAndPlace(a: View, b: View): number {
  if (a.at_ns !== b.at_ns) return (a.at_ns ?? 0n) < (b.at_ns ?? 0n) ? -1 : 1;
  if (a.request_id !== b.request_id) return a.request_id < b.request_id ? -1 : 1;
  return 0;
}
