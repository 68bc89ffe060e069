/** A line without what carried it. */
export interface Unwrapped {
  bytes: Buffer;
  from: number;
  to: number;
  /** When the carrier took the line, as written; null: it does not say, or not with a year. */
  time: string | null;
}

const MAX_PREFIX = 512;
const MAX_WRAPPERS = 3;
const MAX_HELD_BYTES = 64 * 2 ** 20;

const CRI = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::\S*)? /;
const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) (?=[{[])/;
const SYSLOG_ISO =
  /^(?:<\d{1,3}>)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) [\w.:-]+ [\w./-]+(?:\[\d+\])?: /;
const SYSLOG_BSD = /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:[\w.:-]+ )?[\w./-]+(?:\[\d+\])?: /;
const SYSLOG_5424 = /^<\d{1,3}>1 (\S+) \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+) ?(?:\xef\xbb\xbf)?/;
const KUBECTL = /^\[(?:pod|deployment|statefulset|daemonset|job)\/[^\]\s]+\] /;
const COMPOSE = /^[\w.-]+ +\| /;

/**
 * Takes off what shippers put around a line: syslog headers (RFC 3164, RFC 5424), docker's JSON, the kubelet's CRI format with
 * its parts, `kubectl logs --prefix` and `--timestamps`, docker compose.
 */
export class Unwrapper {
  readonly line: Unwrapped = { bytes: Buffer.alloc(0), from: 0, to: 0, time: null };
  readonly #held = new Map<string, Buffer[]>();
  #heldBytes = 0;

  /** False: the line is a part of one that goes on. Otherwise `line` is what was inside. */
  unwrap(bytes: Buffer, from: number, to: number): boolean {
    const { line } = this;
    line.bytes = bytes;
    line.from = from;
    line.to = to;
    line.time = null;
    for (let depth = 0; depth < MAX_WRAPPERS; depth += 1) {
      const step = this.#step();
      if (step === 'held') return false;
      if (step === 'none') return true;
    }
    return true;
  }

  /** Whether a part is waiting for its end. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  #step(): 'none' | 'again' | 'held' {
    const { line } = this;
    const first = line.bytes[line.from];
    if (first === 123) return isDocker(line) ? this.#docker() : 'none';
    if (first === 60) return this.#strip(SYSLOG_5424, SYSLOG_BSD, SYSLOG_ISO);
    if (first === 91)
      return line.bytes[line.from + 4] === 47 || isLower(line.bytes[line.from + 1]) ? this.#strip(KUBECTL) : 'none';
    if (first === undefined) return 'none';
    if (first >= 48 && first <= 57) {
      if (line.bytes[line.from + 4] !== 45 || line.bytes[line.from + 10] !== 84) return 'none';
      return this.#cri() ?? this.#strip(STAMPED, SYSLOG_ISO);
    }
    if (first >= 65 && first <= 90 && line.bytes[line.from + 3] === 32) return this.#strip(SYSLOG_BSD);
    return isLower(first) ? this.#strip(COMPOSE) : 'none';
  }

  #prefix(): string {
    const { line } = this;
    return line.bytes.toString('latin1', line.from, Math.min(line.to, line.from + MAX_PREFIX));
  }

  #strip(...patterns: readonly RegExp[]): 'none' | 'again' {
    const prefix = this.#prefix();
    for (const pattern of patterns) {
      const match = pattern.exec(prefix);
      if (match === null) continue;
      this.line.from += match[0].length;
      if (match[1] !== undefined && match[1] !== '-') this.line.time = match[1];
      return 'again';
    }
    return 'none';
  }

  #cri(): 'again' | 'held' | null {
    const { line } = this;
    const match = CRI.exec(this.#prefix());
    if (match === null) return null;
    line.from += match[0].length;
    line.time = match[1]!;
    return this.#join(match[2]!, match[3] === 'P');
  }

  #docker(): 'none' | 'again' | 'held' {
    const { line } = this;
    let record: unknown;
    try {
      record = JSON.parse(line.bytes.toString('utf8', line.from, line.to));
    } catch {
      return 'none';
    }
    if (typeof record !== 'object' || record === null || !('log' in record) || typeof record.log !== 'string')
      return 'none';
    const isWhole = record.log.endsWith('\n');
    const inner = Buffer.from(record.log.replace(/\r?\n$/, ''));
    line.bytes = inner;
    line.from = 0;
    line.to = inner.length;
    if ('time' in record && typeof record.time === 'string') line.time = record.time;
    const stream = 'stream' in record && typeof record.stream === 'string' ? record.stream : '';
    return this.#join(stream, !isWhole && inner.length >= 16_000);
  }

  /** Keeps a part until its end comes on the same stream; the end is put behind what was kept. */
  #join(stream: string, isPart: boolean): 'again' | 'held' {
    const { line } = this;
    const parts = this.#held.get(stream);
    if (isPart) {
      const part = Buffer.from(line.bytes.subarray(line.from, line.to));
      this.#heldBytes += part.length;
      if (this.#heldBytes > MAX_HELD_BYTES) {
        this.#held.clear();
        this.#heldBytes = 0;
      } else if (parts === undefined) this.#held.set(stream, [part]);
      else parts.push(part);
      return 'held';
    }
    if (parts !== undefined) {
      this.#held.delete(stream);
      this.#heldBytes -= parts.reduce((sum, part) => sum + part.length, 0);
      line.bytes = Buffer.concat([...parts, line.bytes.subarray(line.from, line.to)]);
      line.from = 0;
      line.to = line.bytes.length;
    }
    return 'again';
  }
}

/** `{"log":"` */
function isDocker({ bytes, from }: Unwrapped): boolean {
  return bytes[from + 2] === 108 && bytes[from + 3] === 111 && bytes[from + 4] === 103 && bytes[from + 5] === 34;
}

function isLower(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 97 && byte <= 122;
}
