import { broadcastMessage } from './detectors/broadcast-message.js';
import { concurrentResume } from './detectors/concurrent-resume.js';
import { crossEpochCursor } from './detectors/cross-epoch-cursor.js';
import { cursorDropped } from './detectors/cursor-dropped.js';
import { cursorOnPost } from './detectors/cursor-on-post.js';
import { duplicateToolCall } from './detectors/duplicate-tool-call.js';
import { epochMerge } from './detectors/epoch-merge.js';
import { eventGap } from './detectors/event-gap.js';
import { eventIdCollision } from './detectors/event-id-collision.js';
import { foreignReplay } from './detectors/foreign-replay.js';
import { futileResume } from './detectors/futile-resume.js';
import { initializeWithSession } from './detectors/initialize-with-session.js';
import { jsonrpcIdReuse } from './detectors/jsonrpc-id-reuse.js';
import { lostResponse } from './detectors/lost-response.js';
import { maskedSessionLoss } from './detectors/masked-session-loss.js';
import { misattributedResult } from './detectors/misattributed-result.js';
import { progressRegression } from './detectors/progress-regression.js';
import { replayedEvents } from './detectors/replayed-events.js';
import { resumeRefused } from './detectors/resume-refused.js';
import { sessionChurn } from './detectors/session-churn.js';
import { sessionFlapping } from './detectors/session-flapping.js';
import { sessionHeaderMissing } from './detectors/session-header-missing.js';
import { sharedSession } from './detectors/shared-session.js';
import { staleSessionReuse } from './detectors/stale-session-reuse.js';
import { streamCutoff } from './detectors/stream-cutoff.js';
import { unacknowledgedResume } from './detectors/unacknowledged-resume.js';
import { unissuedCursor } from './detectors/unissued-cursor.js';
import { unorderedResume } from './detectors/unordered-resume.js';
import { weakSessionId } from './detectors/weak-session-id.js';
import type { MadeSample } from './sample.js';

/** Every sample that is made here, by detector. */
export const CATALOGUE: readonly MadeSample[] = [
  broadcastMessage,
  concurrentResume,
  crossEpochCursor,
  cursorDropped,
  cursorOnPost,
  duplicateToolCall,
  epochMerge,
  eventGap,
  eventIdCollision,
  foreignReplay,
  futileResume,
  initializeWithSession,
  jsonrpcIdReuse,
  lostResponse,
  maskedSessionLoss,
  misattributedResult,
  progressRegression,
  replayedEvents,
  resumeRefused,
  sessionChurn,
  sessionFlapping,
  sessionHeaderMissing,
  sharedSession,
  staleSessionReuse,
  streamCutoff,
  unacknowledgedResume,
  unissuedCursor,
  unorderedResume,
  weakSessionId,
].flatMap(({ made }) => made);
