/** The resumability contract as a library. */
export {
  EVENT_ID_FAMILIES,
  type EventIdFamily,
  type EventIdShape,
  parseEventId,
} from './contract/event-id.js';
export { compareEventIds, decideFamily, type EventIdOrder } from './contract/event-id-order.js';
export type { ResumeHistory } from './contract/place-event.js';
export { fingerprint, type ResumeToken } from './contract/resume-token.js';
export {
  assertResume,
  RESUME_VERDICTS,
  type ResumeJudgement,
  type ResumeResponse,
  type ResumeVerdict,
  SessionResumptionViolation,
  validateResume,
} from './contract/validate-resume.js';
