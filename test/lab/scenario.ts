import type { RecordingName } from './recordings.js';
import type { Truth } from './truth.js';
import type { Plan, World } from './world.js';

/** Something that happened, in the words in which the product tells it, and who of the witnesses could see it. */
export interface Happening {
  readonly detector: string;
  readonly claim: string;
  readonly shownBy: readonly RecordingName[];
  /** Witnesses that died with it: no trace is left that could make them doubt. */
  readonly goneFrom: readonly RecordingName[];
  /** Whether it has to be found; the servers alone cannot tell when a client learnt something. */
  readonly certain: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly plan: Plan;
  play(world: World): Promise<void>;
  /** What there is to find, given what the servers say of the sessions that a recording shows. */
  happened(truth: Truth): readonly Happening[];
  /** Detectors that may remark on the run besides: true, but of no harm. */
  readonly remarks?: readonly string[];
}
