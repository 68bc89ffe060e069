import type { SlotName } from './slot.js';

type Role = Exclude<SlotName, 'captures' | 'responseCaptures'> | null;

/** What a captured value shows itself to be. Session and event ids look like anything, so they are what is left. */
const SIGNS: readonly (readonly [RegExp, Role, Role])[] = [
  [
    /^(?:initialize|ping|(?:tools|resources|prompts|notifications|logging|completion|roots|sampling|tasks)\/[\w/]+)$/,
    'rpcMethod',
    null,
  ],
  [/^20\d\d-\d\d-\d\d$/, 'protocolVersion', null],
  [/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/, 'traceparent', null],
  [/^(?:application|text|multipart|image)\/[\w.+*-]+/, 'requestType', 'responseType'],
  [/^[A-Za-z][\w.+ -]{0,80}\/v?\d|^Mozilla|\(.*\)$/, 'userAgent', null],
  [/^\d{1,3}(?:\.\d{1,3}){3}(?:, ?[\d.]+)*$/, 'forwardedFor', null],
];
const LEARNED_LINES = 5000;

/**
 * Tells the columns of HAProxy's `{a|b|c}` apart. The log does not name them: they stand in the order of the configuration.
 * Columns are known by what most of their values look like; of the rest the first is the session, the second the last event id,
 * and what follows a method is its name.
 */
export class CaptureColumns {
  readonly #votes: number[][] = [];
  readonly #filled: number[] = [];
  #lines = 0;
  #roles: Role[] | null = null;

  constructor(readonly side: 'request' | 'response') {}

  /** Roles of the columns of a line, which also teaches. */
  roles(values: readonly string[]): readonly Role[] {
    if (this.#lines < LEARNED_LINES) {
      this.#lines += 1;
      values.forEach((value, column) => {
        this.#learn(value, column);
      });
      this.#roles = null;
    }
    if (this.#roles === null || this.#roles.length !== values.length) this.#roles = this.#decide(values.length);
    return this.#roles;
  }

  #learn(value: string, column: number): void {
    if (value === '' || value === '-') return;
    this.#filled[column] = (this.#filled[column] ?? 0) + 1;
    const sign = SIGNS.findIndex(([pattern]) => pattern.test(value));
    if (sign < 0) return;
    this.#votes[column] ??= SIGNS.map(() => 0);
    this.#votes[column][sign]! += 1;
  }

  #decide(columns: number): Role[] {
    const left: Role[] = this.side === 'request' ? ['session', 'lastEventId'] : ['responseSession'];
    const roles: Role[] = [];
    for (let column = 0; column < columns; column += 1) {
      const votes = this.#votes[column];
      const sign = votes === undefined ? -1 : votes.findIndex((count) => count * 2 > (this.#filled[column] ?? 0));
      if (sign >= 0) roles.push(SIGNS[sign]![this.side === 'request' ? 1 : 2]);
      else if (roles.at(-1) === 'rpcMethod') roles.push('rpcName');
      else roles.push(left.shift() ?? null);
    }
    return roles;
  }
}
