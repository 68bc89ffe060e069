import { history } from './facts.js';
import { misattributedResults, reusedIds } from './judge-answers.js';
import { duplicateCalls, lostResponses } from './judge-calls.js';
import { churn, initializeWithSession, missingHeaders, sharedSessions, weakIds } from './judge-clients.js';
import { crossEpochCursors, cursorsOnPost, droppedCursors, unissuedCursors } from './judge-cursors.js';
import {
  broadcasts,
  collisions,
  eventGaps,
  foreignReplays,
  progressRegressions,
  replayedEvents,
  unorderedResumes,
} from './judge-events.js';
import { epochMerges, flapping, maskedLosses, staleReuse, unacknowledgedResumes } from './judge-identity.js';
import { concurrentResumes, cutoffs, futileResumes, refusedResumes } from './judge-resumes.js';
import type { Expected, InputKind, Seen } from './seen.js';

const JUDGES = [
  epochMerges,
  unacknowledgedResumes,
  maskedLosses,
  staleReuse,
  flapping,
  crossEpochCursors,
  unissuedCursors,
  droppedCursors,
  cursorsOnPost,
  missingHeaders,
  initializeWithSession,
  sharedSessions,
  weakIds,
  churn,
  replayedEvents,
  foreignReplays,
  eventGaps,
  collisions,
  unorderedResumes,
  broadcasts,
  progressRegressions,
  futileResumes,
  concurrentResumes,
  refusedResumes,
  cutoffs,
  duplicateCalls,
  lostResponses,
  misattributedResults,
  reusedIds,
];

/** What the specification says of a history as one kind of input shows it, by literal reading of its sentences. */
export function judge(kind: InputKind, seen: readonly Seen[]): Expected[] {
  const h = history(kind, seen);
  return JUDGES.flatMap((one) => one(h));
}
