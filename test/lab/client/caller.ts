import type { BrowserClient } from './browser-client.js';
import type { LabClient } from './lab-client.js';

/** A client of a scenario, wherever it runs. */
export type Caller = LabClient | BrowserClient;
