import { errorLine } from '../error-log/error-line.js';
import type { ZoneOffset } from '../zone.js';
import type { OtherLines } from './line-reader.js';

/** What proxies write between the lines of their access logs: remarks, start-up notes, their own operation. */
const KNOWN: readonly RegExp[] = [
  /^#/,
  /^\[\d{4}-\d\d-\d\d[ T][\d:.]+\]?\[\d+\]\[(?:trace|debug|info|warning|error|critical)\]/,
  /^\d{4}-\d\d-\d\dT[\d:.]+Z\t(?:debug|info|warn|error|fatal)\t/,
];

/** Lines of error logs and the like that stand in an access log. */
export function otherLines(zone: ZoneOffset): OtherLines {
  return (line, locator) => {
    const error = errorLine(line, locator, zone);
    if (error !== null) return error.companion ?? 'skip';
    return KNOWN.some((pattern) => pattern.test(line)) ? 'skip' : null;
  };
}
