import type { CompanionRecord, EndState } from '../record.js';
import type { ErrorLineReader } from './error-line.js';
import { civilNs, monthNumber } from './wall-clock.js';

const LINE =
  /^\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))? (\d{4})\] \[(?:[\w-]*:)?\w+\] /;
const CLIENT = /\[client ([^\]\s]+?)(?::(\d+))?\] /;

// AH01110: the response had begun. Errors before that end in a status of their own.
const ENDS: readonly (readonly [RegExp, EndState])[] = [
  [/\(70007\).*AH01110|AH01110.*timeout/, 'timed-out'],
  [/AH01110: /, 'truncated'],
];

/** Apache 2.4 `ErrorLog`: local time in microseconds, the client with its port, no request. */
export const apacheErrorLine: ErrorLineReader = (line, locator, zone) => {
  const match = LINE.exec(line);
  if (match === null) return null;
  const fraction = match[6] ?? '';
  const time = [Number(match[7]), monthNumber(match[1]!), ...match.slice(2, 6).map(Number)] as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const atNs = civilNs(time, Number(fraction.padEnd(9, '0')), zone);
  const message = line.slice(match[0].length, match[0].length + 4096);
  const end = ENDS.find(([pattern]) => pattern.test(message));
  if (end === undefined || atNs === null) return { format: 'error-log/apache', companion: null };
  const companion: CompanionRecord = {
    locator,
    atNs,
    precisionNs: fraction === '' ? 1_000_000_000n : 1000n,
    httpMethod: null,
    path: null,
    client: CLIENT.exec(message)?.[1] ?? null,
    connection: null,
    backend: null,
    endState: end[1],
    reason: message
      .replace(/^\[pid [^\]]*\] /, '')
      .replace(CLIENT, '')
      .slice(0, 200),
  };
  return { format: 'error-log/apache', companion };
};
