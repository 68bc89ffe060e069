import { DIALECTS } from './dialects.js';
import { CaptureColumns } from './haproxy-captures.js';
import { isHaproxyClf } from './infer-text.js';
import { type LineForm, utf8 } from './line-form.js';
import { type Row, type ScratchRow, SLOT } from './slot.js';
import { textTokens } from './text-tokens.js';

const ADDRESS = '(\\S{1,128}?):(\\d{1,5}) \\[(\\d{2}/[A-Za-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2}[^\\]]{0,16})\\] (\\S+) ';
const NUMBER = '[+-]?\\d+';
const HTTP = new RegExp(
  `${ADDRESS}([^\\s/]+)/(\\S+) ${NUMBER}/${NUMBER}/${NUMBER}/${NUMBER}/(${NUMBER}) (${NUMBER}) (${NUMBER}) (\\S+) (\\S+) (\\S{2,4}) [\\d+]+/[\\d+]+/[\\d+]+/[\\d+]+/[+\\d]+ \\d+/\\d+`,
);
/** TCP connections, which have three timers, and failures before any request. */
const OTHER = new RegExp(
  `${ADDRESS}[^\\s/]+/\\S+ ${NUMBER}/${NUMBER}/${NUMBER} |^\\S{1,128}:\\d{1,5} \\[[^\\]]{1,40}\\] \\S{1,128}: `,
);
const NOTICE = /^\[(?:NOTICE|WARNING|ALERT)\]|^(?:Proxy|Server|[Bb]ackend|Health check for|Stopping|Pausing) \S/;

/**
 * `option httplog` and `option httplog clf` (HAProxy configuration manual, 8.2.3). The line is read from both ends: what stands
 * between the counters and the request, if anything, are the captured headers. A request cut by syslog lacks its closing quote.
 */
export class HaproxyForm implements LineForm {
  readonly dialect = DIALECTS.haproxy;
  /** Lines with a single `{…}`: captured from requests or from responses, nothing says which. */
  ambiguous = 0;
  readonly #requestColumns = new CaptureColumns('request');
  readonly #responseColumns = new CaptureColumns('response');

  read(line: string, row: ScratchRow): ReturnType<LineForm['read']> {
    const match = HTTP.exec(line);
    if (match === null) {
      if (OTHER.test(line) || NOTICE.test(line)) return 'skip';
      return line.includes('" "" "" ') || line.endsWith('"') ? this.#readClf(line, row) : null;
    }
    row.clear();
    row.escape = 'none';
    row.blank = 'dash-or-empty';
    row.put(SLOT.client, match[1]!);
    row.put(SLOT.timeStart, match[3]!);
    row.put(SLOT.backendPool, match[5]!);
    row.put(SLOT.backendServer, match[6]!);
    row.put(SLOT.durationMs, match[7]!);
    row.put(SLOT.status, match[8]!);
    row.put(SLOT.responseBytes, match[9]!);
    row.put(SLOT.termination, match[12]!);
    const rest = line.slice(match.index + match[0].length);
    const quote = rest.indexOf('"');
    if (quote < 0) return { reject: 'the line ends before the request' };
    const closing = rest.lastIndexOf('"');
    const request = rest.slice(quote + 1, closing > quote ? closing : undefined);
    row.put(SLOT.request, utf8(unescapeHash(request)));
    this.#readCaptures(rest.slice(0, quote), row);
    return 'row';
  }

  /** Copies a row of a `log-format` with `%hr` or `%hs`, the captured headers in slots of their own. */
  spread(row: Row, into: ScratchRow): void {
    into.copy(row);
    put(into, captured(row, SLOT.captures), this.#requestColumns);
    put(into, captured(row, SLOT.responseCaptures), this.#responseColumns);
  }

  #readCaptures(between: string, row: ScratchRow): void {
    const blocks = [...between.matchAll(/\{([^}]*)\}/g)].map((block) => block[1]!.split('|'));
    if (blocks.length === 1) this.ambiguous += 1;
    if (blocks.length !== 2) return;
    put(row, blocks[0]!, this.#requestColumns);
    put(row, blocks[1]!, this.#responseColumns);
  }

  /** `%ci - - [%trg] "%r" %ST %B "" "" %cp %ms "%ft" "%b" "%s" %TR %Tw %Tc %Tr %Ta "%tsc" …` */
  #readClf(line: string, row: ScratchRow): ReturnType<LineForm['read']> {
    const tokens = textTokens(line);
    if (tokens === null || tokens.length < 9 || !isHaproxyClf(tokens.slice(9))) return null;
    const value = (index: number) => tokens[index]!.value;
    row.clear();
    row.escape = 'none';
    row.blank = 'dash-or-empty';
    row.put(SLOT.client, value(0));
    row.put(SLOT.timeStart, value(3));
    row.put(SLOT.request, utf8(unescapeHash(value(4))));
    row.put(SLOT.status, value(5));
    row.put(SLOT.responseBytes, value(6));
    row.put(SLOT.accessMs, value(10));
    row.put(SLOT.backendPool, value(12));
    row.put(SLOT.backendServer, value(13));
    row.put(SLOT.durationMs, value(18));
    row.put(SLOT.termination, value(19));
    return 'row';
  }
}

function captured(row: Row, slot: number): readonly string[] {
  const from = row.from[slot]!;
  const text = from < 0 ? '' : row.bytes.toString('latin1', from, row.to[slot]);
  return text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1).split('|') : [];
}

function put(row: ScratchRow, values: readonly string[], columns: CaptureColumns): void {
  const plain = values.map((value) => utf8(unescapeHash(value)));
  columns.roles(plain).forEach((role, column) => {
    if (role !== null) row.put(SLOT[role], plain[column]!);
  });
}

/** `#22 #7C` as HAProxy writes what its own syntax needs; a backslash stands for itself. */
function unescapeHash(value: string): string {
  if (!value.includes('#')) return value;
  return value.replace(/#([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
