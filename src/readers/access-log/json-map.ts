import { PostmortemError } from '../../error.js';
import { isJsonObject, scalar } from './json-value.js';
import { type ScratchRow, SLOT, SLOTS, type SlotName } from './slot.js';

/** Where in a record a value stands: `$.headers.sid` is `['headers', 'sid']`. */
interface Mapping {
  readonly slot: SlotName;
  readonly path: readonly string[];
}

const SHORT_NAMES: Readonly<Record<string, SlotName>> = {
  time: 'timeEnd',
  start: 'timeStart',
  end: 'timeEnd',
  duration: 'durationText',
  path: 'uri',
  url: 'uri',
  tool: 'rpcName',
  sid: 'session',
  rsid: 'responseSession',
  leid: 'lastEventId',
};
const STEP = /^(?:\.([^.[\]'"\s]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\])/;

/** `--map session=$.headers.sid,method=$.verb`: the places of values in JSON records of one's own. */
export class JsonMap {
  readonly #mappings: readonly Mapping[];

  /** @throws PostmortemError `usage` naming the part that cannot be read */
  constructor(text: string) {
    this.#mappings = text.split(/,(?=\s*[A-Za-z]+\s*=)/).map(readMapping);
  }

  /** Puts what the record has into the row; says whether it has any of it. */
  fill(record: unknown, row: ScratchRow): boolean {
    let found = false;
    for (const { slot, path } of this.#mappings) {
      let value: unknown = record;
      for (const step of path) {
        if (Array.isArray(value)) value = value[Number(step)];
        else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      }
      const text = scalar(value);
      if (text !== null) found = true;
      row.put(SLOT[slot], text);
    }
    return found;
  }
}

function readMapping(part: string): Mapping {
  const match = /^\s*([A-Za-z]+)\s*=\s*(\S.*)$/.exec(part.trim());
  const name = match?.[1] ?? '';
  const slot =
    SLOTS.find((known) => known === name) ?? (Object.hasOwn(SHORT_NAMES, name) ? SHORT_NAMES[name] : undefined);
  if (match === null || slot === undefined) {
    throw new PostmortemError(
      'usage',
      `--map ${part}: ${match === null ? 'not of the form name=$.path' : `no field is called ${name}`}`,
      `Fields: ${[...Object.keys(SHORT_NAMES), ...SLOTS].sort().join(', ')}.`,
    );
  }
  return { slot, path: readPath(match[2]!.trim(), part) };
}

function readPath(text: string, part: string): string[] {
  const path: string[] = [];
  let rest = text.startsWith('$') ? text.slice(1) : `.${text}`;
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (step === null) {
      throw new PostmortemError(
        'usage',
        `--map ${part}: cannot read the path from "${rest}"`,
        'Write $.a.b, $[0] or $["a b"].',
      );
    }
    path.push(step[1] ?? step[2] ?? step[3] ?? step[4] ?? '');
    rest = rest.slice(step[0].length);
  }
  return path;
}
