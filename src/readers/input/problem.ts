import type { PostmortemError } from '../../error.js';

/** A path, or a member of an archive, that was not opened; the rest of the input is read all the same. */
export interface InputProblem {
  readonly path: string;
  readonly error: PostmortemError;
  /** Given by name on the command line, as against met in a folder or an archive. */
  readonly named: boolean;
}
