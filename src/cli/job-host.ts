import type { JobHost } from '../schedule/host.js';
import type { Console } from './console.js';
import { onInterrupt, throwIfInterrupted } from './interruption.js';
import { writeAtomically } from './out.js';
import { packageVersion } from './version.js';

/** What the scheduled job needs of the command line. */
export function jobHost(console: Console): JobHost {
  return {
    version: packageVersion(),
    write: writeAtomically,
    note: (text) => console.note(text),
    warning: (text) => console.warning(text),
    error: (error) => console.error(error),
    progress: (text) => console.progress(text),
    throwIfInterrupted,
    onInterrupt,
    now: () => Date.now(),
  };
}
