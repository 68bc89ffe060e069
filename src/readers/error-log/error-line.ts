import type { CompanionRecord } from '../record.js';
import type { ZoneOffset } from '../zone.js';
import { apacheErrorLine } from './apache.js';
import { caddyErrorLine } from './caddy.js';
import { nginxErrorLine } from './nginx.js';

/** A line of an error log. */
export interface ErrorLine {
  /** `error-log/nginx`, … */
  readonly format: string;
  /** How an exchange ended; null: the line says nothing about the end of one. */
  readonly companion: CompanionRecord | null;
}

/** Reads a line of one proxy's error log; null: it is none. */
export type ErrorLineReader = (line: string, locator: string, zone: ZoneOffset) => ErrorLine | null;

const READERS: readonly ErrorLineReader[] = [nginxErrorLine, apacheErrorLine, caddyErrorLine];

/** Reads a line of any error log that is known; null: it is none. */
export const errorLine: ErrorLineReader = (line, locator, zone) => {
  for (const read of READERS) {
    const found = read(line, locator, zone);
    if (found !== null) return found;
  }
  return null;
};
