import { isObject, type JsonObject } from './json-object.js';

/** Bodies longer than this are answers, not refusals. */
const LONGEST = 2_000;

/** What says that the session which was named is not there (any more). */
const GONE =
  'not found|unknown|not known|not recogni[sz]ed|unrecogni[sz]ed|expired|terminated|invalid|not valid|no longer|' +
  'does not exist|doesn t exist|not exist|nonexistent|non existent|gone|not initiali[sz]ed|uninitiali[sz]ed|closed|ended|evicted|' +
  'timed out|not active|inactive|not available|unavailable|could not be found|cannot be found|can t be found|' +
  'unregistered|not registered|missing or invalid|lost|deleted|destroyed|stale|dead|not here';

/** `session … gone`: few words may stand between, none of them another subject. */
const SESSION_GONE = new RegExp(
  '\\bsessions?(?: ?ids?| header)?\\b' +
    '(?: (?!streams?\\b|events?\\b|cursor\\b|requests?\\b|tools?\\b|resource\\b|prompt\\b|user\\b|token\\b|method\\b|message\\b|version\\b|and\\b|but\\b)[^ ]{1,80}){0,4}?' +
    ` (?:${GONE})\\b`,
);
/** `unknown session`, `no valid session id`, `invalid or missing session`. */
const GONE_SESSION = new RegExp(
  '\\b(?:unknown|unrecogni[sz]ed|invalid(?: or (?:missing|expired|unknown))?|missing or invalid|expired|stale|dead|terminated|nonexistent|unregistered|' +
    'no such|no valid|no active|no known|no existing|no matching|could not find|couldn t find|cannot find|can t find|unable to find|did not find|not find|not a valid|not a known)' +
    '(?: (?:an?|the|this|that|any|or expired|mcp|client|transport))* sessions?\\b',
);
const NO_SESSION =
  /\bno (?:transport|session|server) (?:was |is )?(?:found|registered) ?(?:for |with )?(?:the |this )?(?:given )?session\b|\bno session (?:was |is )?(?:found|registered)\b|\bno session (?:with|for|matches|matching|exists|named)\b/;
const NOT_INITIALISED =
  /\b(?:server|session|transport|connection|client|mcp) (?:is |was |has )?(?:not|never)(?: yet)?(?: been)? initiali[sz]ed\b|^(?:bad request |error )?not initiali[sz]ed\b|\bbefore initiali[sz]ation\b|\binitiali[sz]e first\b|\b(?:server|session|connection) must be initiali[sz]ed\b/;

/** The session may live on, but not where the request landed. */
const ELSEWHERE =
  /\bsession\b.{0,80}\b(?:another|different|other) (?:instance|worker|server|node|replica|process|pod|backend|host)\b/;

/** Refusals that speak of a session which is there: its cursor, its ids, its owner; or of another kind of session. */
const OTHER_SUBJECT =
  /\bonly one\b|\bevent id\b|\blast event\b|\bdifferent session\b|\brequest id\b|\breused?\b|\bused before\b|\blog ?in\b|\bsign ?in\b|\bre ?authenticate\b|\btoo many\b|\bsession (?:limit|token|cookie)\b|\bmax(?:imum)? sessions\b|\b(?:tool|method|resource|prompt|browser|chat|terminal|shell|debug|ssh|tmux|database|db|checkout|payment) sessions?\b/;

const SAYINGS = [GONE_SESSION, SESSION_GONE, NOT_INITIALISED, NO_SESSION, ELSEWHERE];

const STREAM = /\b(?:stream|streams|sse|connection|connected|listener|listening|subscription|transport)\b/;
const HELD = /\balready\b|\bonly one\b|\bstill\b|\bin use\b|\bconflicts?\b|\bexists\b|\bis open\b|\bongoing\b/;

/** Top-level fields in which errors that are no JSON-RPC carry their text. */
const ERROR_FIELDS = ['error', 'message', 'detail', 'details', 'title', 'reason', 'code', 'error_description', 'msg'];

/** Codes that blame the method or its parameters: `session` is then an argument, not the transport's. */
const CODES_ABOUT_THE_CALL: ReadonlySet<unknown> = new Set([-32601, -32602, -32700]);

/** Whether a sentence says that the session is unknown, not found, expired, terminated or not initialised. */
export function saysSessionLost(text: string): boolean {
  if (text.length === 0 || text.length > LONGEST) return false;
  const words = asWords(text);
  if (OTHER_SUBJECT.test(words) || (STREAM.test(words) && HELD.test(words))) return false;
  return SAYINGS.some((saying) => saying.test(words));
}

/**
 * Whether a parsed JSON body says so: the message of a JSON-RPC error, or the error fields of any other object.
 * Results are answers: what a tool says about sessions of its own is not the transport's.
 */
export function jsonSaysSessionLost(value: unknown): boolean {
  if (typeof value === 'string') return saysSessionLost(value);
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, 'result') && !Object.hasOwn(value, 'error')) return resultSaysSessionLost(value.result);
  if (value.jsonrpc === '2.0') return isObject(value.error) && errorSaysSessionLost(value.error);
  return fieldsSaySessionLost(value);
}

/** Whether a refusal says that the stream to be resumed is still connected. `body`: the text as sent; null: not kept. */
export function saysStreamHeld(body: string | null, status: number | null): boolean {
  if (status === null || status < 400) return false;
  if (body === null || body.trim() === '') return status === 409;
  if (body.length > LONGEST) return false;
  const words = asWords(body);
  return STREAM.test(words) && HELD.test(words);
}

function errorSaysSessionLost(error: JsonObject): boolean {
  if (CODES_ABOUT_THE_CALL.has(error.code)) return false;
  for (const said of [error.message, error.code]) if (typeof said === 'string' && saysSessionLost(said)) return true;
  if (typeof error.data === 'string') return saysSessionLost(error.data);
  return isObject(error.data) && fieldsSaySessionLost(error.data);
}

function fieldsSaySessionLost(value: JsonObject): boolean {
  for (const field of ERROR_FIELDS) {
    if (!Object.hasOwn(value, field)) continue;
    const said = value[field];
    if (typeof said === 'string' && saysSessionLost(said)) return true;
    if (isObject(said) && errorSaysSessionLost(said)) return true;
  }
  return false;
}

/** A gateway may wrap its upstream's loss in a tool error; believed only when it speaks of the MCP session. */
function resultSaysSessionLost(result: unknown): boolean {
  if (!isObject(result) || result.isError !== true || !Array.isArray(result.content)) return false;
  const first: unknown = result.content[0];
  if (!isObject(first) || typeof first.text !== 'string' || first.text.length > 300) return false;
  return /\bmcp session\b/.test(asWords(first.text)) && saysSessionLost(first.text);
}

/**
 * Lower-case words with single spaces: `SESSION_NOT_FOUND`, `sessionNotFound` and `Session not found` become one.
 * Ids become `x`, so that one written with hyphens is one word.
 */
function asWords(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/[^\s"'`<>()[\]{},:;=]{8,}/g, (token) => (/\d/.test(token) ? 'x' : token))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}
