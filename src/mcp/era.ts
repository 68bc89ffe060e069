/** `sessions`: 2025-03-26, 2025-06-18, 2025-11-25. `stateless`: 2026-07-28 and later. */
export type ProtocolEra = 'sessions' | 'stateless';

const FIRST_STATELESS = '2026-07-28';
/** Methods that only one of the eras knows. */
const ONLY_SESSIONS = new Set(['initialize', 'notifications/initialized']);
const ONLY_STATELESS = new Set(['server/discover', 'subscriptions/listen']);

/** Era of a protocol version (a date, or a draft's name such as `DRAFT-2026-v1`); null: not a version. */
export function eraOfVersion(version: string | null): ProtocolEra | null {
  if (version === null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(version)) return version >= FIRST_STATELESS ? 'stateless' : 'sessions';
  return /^DRAFT-\d{4}/i.test(version) ? 'stateless' : null;
}

/** Era of a method that the other one does not know; null: both know it. */
export function eraOfMethod(method: string | null): ProtocolEra | null {
  if (method === null) return null;
  if (ONLY_SESSIONS.has(method)) return 'sessions';
  return ONLY_STATELESS.has(method) ? 'stateless' : null;
}
