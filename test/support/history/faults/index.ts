import { CURSORS } from './cursors.js';
import { EVENTS } from './events.js';
import { IDENTITY } from './identity.js';
import { RESUMES } from './resumes.js';
import { WORK } from './work.js';

/** Everything that can be done wrong, by name. */
export const FAULTS = { ...IDENTITY, ...CURSORS, ...EVENTS, ...RESUMES, ...WORK };

export type FaultName = keyof typeof FAULTS;
