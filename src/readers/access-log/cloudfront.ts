import { DIALECTS } from './dialects.js';
import { type LineForm, utf8 } from './line-form.js';
import { type ScratchRow, SLOT, type SlotName } from './slot.js';

const NAMES: Readonly<Record<string, SlotName>> = {
  'c-ip': 'client',
  'cs-method': 'method',
  'cs-uri-stem': 'uri',
  'cs-uri-query': 'query',
  'x-host-header': 'host',
  'cs-protocol': 'scheme',
  'sc-status': 'status',
  'sc-bytes': 'responseBytes',
  'cs-bytes': 'requestBytes',
  'time-taken': 'durationS',
  'x-edge-request-id': 'requestId',
  'x-edge-detailed-result-type': 'details',
  'sc-content-type': 'responseType',
  'x-forwarded-for': 'forwardedFor',
};

/** CloudFront standard log: tab-separated, named by its `#Fields:` line; the user agent is URL-encoded twice over. */
export class CloudfrontForm implements LineForm {
  readonly dialect = DIALECTS.cloudfront;
  #fields: readonly string[] | null = null;

  read(line: string, row: ScratchRow): ReturnType<LineForm['read']> {
    if (line.startsWith('#')) {
      if (/^#Fields: .*\bcs-method\b/.test(line)) this.#fields = line.slice('#Fields: '.length).trim().split(' ');
      return 'skip';
    }
    if (this.#fields === null || !line.includes('\t')) return null;
    const values = line.split('\t');
    if (values.length < Math.min(this.#fields.length, 12)) return { reject: 'fewer columns than #Fields names' };
    const get = (name: string) => values[this.#fields?.indexOf(name) ?? -1] ?? '-';
    row.clear();
    row.escape = 'none';
    row.blank = 'dash-or-empty';
    for (const [name, slot] of Object.entries(NAMES)) {
      if (this.#fields.includes(name)) row.put(SLOT[slot], utf8(get(name)));
    }
    row.put(SLOT.userAgent, decodeTwice(get('cs(User-Agent)')));
    row.put(SLOT.timeEnd, `${get('date')}T${get('time')}Z`);
    return 'row';
  }
}

function decodeTwice(value: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(value));
  } catch {
    return value;
  }
}
