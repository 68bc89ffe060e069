import type { Expected } from './seen.js';

type Extras = Partial<Pick<Expected, 'severity' | 'confidence' | 'facts' | 'sessions'>>;

const named = (session: string | readonly string[] | null): readonly string[] | null =>
  typeof session === 'string' ? [session] : session;

/** The specification demands this finding. */
export function must(
  detector: string,
  session: string | readonly string[] | null,
  because: string,
  extras: Extras = {},
): Expected {
  return {
    detector,
    sessions: named(session),
    severity: null,
    confidence: null,
    facts: {},
    ...extras,
    demand: 'must',
    because,
  };
}

/** The specification can be read so that this finding is right. */
export function may(
  detector: string,
  session: string | readonly string[] | null,
  because: string,
  extras: Extras = {},
): Expected {
  return { ...must(detector, session, because, extras), demand: 'may' };
}
