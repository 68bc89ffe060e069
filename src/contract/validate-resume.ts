import type { EventIdFamily } from './event-id.js';
import { type Placement, place, type ResumeHistory } from './place-event.js';
import type { ResumeToken } from './resume-token.js';

export const RESUME_VERDICTS = [
  'resumed',
  'session-gone',
  'refused',
  'unacknowledged',
  'epoch-merge',
  'unproven',
  'replayed-last',
  'foreign',
  'replayed-earlier',
  'unorderable',
  'gap',
  'unobserved',
] as const;
export type ResumeVerdict = (typeof RESUME_VERDICTS)[number];

/** The answer to a resume. `null`: observed to be absent; `undefined`: the source does not carry it. */
export interface ResumeResponse {
  /** HTTP status; null, undefined or no status code at all: no answer was observed. */
  readonly status?: number | null | undefined;
  /** `Mcp-Session-Id` of the response. */
  readonly sessionId?: string | null | undefined;
  /** Id of the first event that has one. */
  readonly firstEventId?: string | null | undefined;
  /** JSON-RPC message of a refusal, as text or parsed. */
  readonly body?: unknown;
}

export interface ResumeJudgement {
  readonly verdict: ResumeVerdict;
  /** One sentence. Names event ids, never session ids: those are live credentials. */
  readonly reason: string;
}

export type { EventIdFamily, ResumeHistory };

/**
 * Judges one resume: did the server go on with the same session, strictly after the last event the client holds?
 * Never throws. The order of the checks is the contract: status, session, first event, its place.
 * What a check needs and the source does not carry makes the verdict `unobserved`.
 */
export function validateResume(
  token: ResumeToken | null | undefined,
  response: ResumeResponse | null | undefined,
  history?: ResumeHistory | readonly string[] | null,
): ResumeJudgement {
  try {
    return (
      judgeStatus(response ?? {}) ??
      judgeSession(token ?? {}, response ?? {}) ??
      judgeFirstEvent(token ?? {}, response ?? {}, history ?? null)
    );
  } catch (error) {
    return judgement('unobserved', `the input cannot be read: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

/** A resume whose verdict is not `resumed`. */
export class SessionResumptionViolation extends Error {
  override readonly name = 'SessionResumptionViolation';
  readonly verdict: ResumeVerdict;
  readonly reason: string;

  constructor(judged: ResumeJudgement) {
    super(`${judged.verdict}: ${judged.reason}`);
    this.verdict = judged.verdict;
    this.reason = judged.reason;
  }
}

/**
 * As `validateResume`, for clients that must stop before they consume an event.
 * Returns the token to persist next: same session, first event id of the response.
 * @throws SessionResumptionViolation on every verdict but `resumed`.
 */
export function assertResume(
  token: ResumeToken | null | undefined,
  response: ResumeResponse | null | undefined,
  history?: ResumeHistory | readonly string[] | null,
): { sessionId: string; lastEventId: string } {
  const judged = validateResume(token, response, history);
  const sessionId = response?.sessionId;
  const lastEventId = response?.firstEventId;
  if (judged.verdict !== 'resumed' || !sessionId || !lastEventId) throw new SessionResumptionViolation(judged);
  return { sessionId, lastEventId };
}

function judgeStatus(response: ResumeResponse): ResumeJudgement | null {
  const { status } = response;
  if (typeof status !== 'number' || !(status >= 100 && status <= 999)) {
    return judgement('unobserved', 'no status was observed');
  }
  if (status === 404) {
    return isMethodNotFound(response.body)
      ? judgement('refused', 'answered 404 because the method is not known (JSON-RPC -32601)')
      : judgement('session-gone', 'answered 404: the session is gone');
  }
  return status >= 200 && status <= 299 ? null : judgement('refused', `answered ${status}`);
}

function judgeSession(token: ResumeToken, response: ResumeResponse): ResumeJudgement | null {
  if (response.sessionId === undefined) return judgement('unobserved', 'the session of the response was not recorded');
  if (!response.sessionId) {
    return judgement('unacknowledged', `answered ${response.status} without naming a session`);
  }
  if (token.sessionId === undefined) return judgement('unobserved', 'the session of the request was not recorded');
  if (response.sessionId !== token.sessionId) {
    return judgement('epoch-merge', `answered ${response.status} under another session than the one asked for`);
  }
  return null;
}

function judgeFirstEvent(
  token: ResumeToken,
  response: ResumeResponse,
  history: ResumeHistory | readonly string[] | null,
): ResumeJudgement {
  const { firstEventId } = response;
  if (firstEventId === undefined) return judgement('unobserved', 'the events of the response were not recorded');
  if (!firstEventId) return judgement('unproven', 'no event id arrived');
  if (token.lastEventId === undefined) return judgement('unobserved', 'the Last-Event-ID was not recorded');
  if (!token.lastEventId) return judgement('unorderable', 'there is no last event id to place the first one after');
  const placement: Placement = place(token.lastEventId, firstEventId, token.sessionId ?? '', history);
  return judgement(placement.verdict, placement.reason);
}

function isMethodNotFound(body: unknown): boolean {
  const message = typeof body === 'string' ? parse(body) : body;
  if (typeof message !== 'object' || message === null || !('error' in message)) return false;
  const { error } = message;
  return typeof error === 'object' && error !== null && 'code' in error && error.code === -32601;
}

/** A refusal is a small flat object; a body deeper or longer than that is none, and is not parsed. */
function parse(text: string): unknown {
  if (text.length > 65_536 || (text.match(/[[{]/g)?.length ?? 0) > 512) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function judgement(verdict: ResumeVerdict, reason: string): ResumeJudgement {
  return { verdict, reason };
}
