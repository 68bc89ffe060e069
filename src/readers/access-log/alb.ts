import { DIALECTS } from './dialects.js';
import { type LineForm, utf8 } from './line-form.js';
import { type ScratchRow, SLOT } from './slot.js';

const KIND = /^(?:https?|h2|grpcs?|wss?) \d{4}-\d{2}-\d{2}T[\d:.]+Z \S+ /;
const FIELD = /"((?:[^"\\]|\\.)*)"|(\S+)/gy;

/**
 * Access log of an AWS Application Load Balancer. Fields are cut by their quotes, because a URL may hold spaces; any field may
 * be quoted; fields that were appended over the years are ignored. The first time is the end, `request_creation_time` the start.
 */
export const albForm: LineForm = {
  dialect: DIALECTS.alb,
  read(line: string, row: ScratchRow) {
    if (!KIND.test(line)) return null;
    const fields = cutFields(line);
    if (fields === null || fields.length < 14) return { reject: 'the line ends before the request' };
    const field = (index: number) => fields[index] ?? '-';
    row.clear();
    row.escape = 'none';
    row.blank = 'dash-or-empty';
    row.put(SLOT.timeEnd, field(1));
    if (field(21) !== '-' && /^\d{4}-/.test(field(21))) row.put(SLOT.timeStart, field(21));
    row.put(SLOT.client, field(3));
    row.put(SLOT.backend, field(4));
    row.put(SLOT.status, field(8));
    row.put(SLOT.upstreamStatus, field(9));
    row.put(SLOT.requestBytes, field(10));
    row.put(SLOT.responseBytes, field(11));
    row.put(SLOT.request, utf8(field(12)));
    row.put(SLOT.userAgent, utf8(field(13)));
    const root = /(?:^|;)Root=([^;]+)/.exec(field(17));
    if (root !== null) row.put(SLOT.requestId, root[1]!);
    return 'row';
  },
};

function cutFields(line: string): string[] | null {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < line.length) {
    if (line[FIELD.lastIndex] === ' ') {
      FIELD.lastIndex += 1;
      continue;
    }
    const match = FIELD.exec(line);
    if (match === null || fields.length > 200) return null;
    // An unquoted field that begins with a quotation mark is one that was never closed.
    if (match[1] === undefined && match[2]!.startsWith('"')) return fields;
    fields.push(match[1] ?? match[2]!);
  }
  return fields;
}
