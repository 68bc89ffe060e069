import { splitTarget } from '../endpoint.js';
import type { CompanionRecord, EndState } from '../record.js';
import type { ErrorLineReader } from './error-line.js';
import { civilNs } from './wall-clock.js';

const LINE = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d) \[\w+\] \d+#\d+: (?:\*(\d+) )?/;
const CLIENT = /, client: ([^,\s]+)/;
const REQUEST = /, request: "([A-Z]+) (.*?)(?: HTTP\/[\d.]+)?"(?:, |$)/;
const UPSTREAM = /, upstream: "[a-z]+:\/\/([^/"]+)/;

// Only what happened once the answer was under way decides an end: before that nginx tries the next upstream or answers 502 or 504.
const ENDS: readonly (readonly [RegExp, EndState])[] = [
  [/client (?:prematurely )?closed (?:keepalive )?connection|client timed out .*while sending/, 'client-aborted'],
  [/^upstream timed out .{0,200}while (?:reading|processing) upstream/, 'timed-out'],
  [/ while (?:reading|processing) upstream\b/, 'truncated'],
];

/** nginx `error_log`: local time in whole seconds, `*connection`, client, request line, upstream. */
export const nginxErrorLine: ErrorLineReader = (line, locator, zone) => {
  const match = LINE.exec(line);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const atNs = civilNs([year, month, day, hour, minute, second], 0, zone);
  const message = line.slice(match[0].length, match[0].length + 4096);
  const end = ENDS.find(([pattern]) => pattern.test(message));
  const request = REQUEST.exec(message);
  if (end === undefined || request === null || atNs === null) return { format: 'error-log/nginx', companion: null };
  const companion: CompanionRecord = {
    locator,
    atNs,
    precisionNs: 1_000_000_000n,
    httpMethod: request[1]!,
    path: splitTarget(request[2]!, null).path,
    client: CLIENT.exec(message)?.[1] ?? null,
    connection: match[7] ?? null,
    backend: UPSTREAM.exec(message)?.[1] ?? null,
    endState: end[1],
    reason: message.split(', client: ', 1)[0]!.slice(0, 200),
  };
  return { format: 'error-log/nginx', companion };
};
