import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { PostmortemError } from '../error.js';
import { EVIDENCE, type Evidence } from '../readers/record.js';

/** The same words as a finding's; `detect` comes before `incident` and cannot import them. */
export const SEVERITY_WORDS = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type SeverityWord = (typeof SEVERITY_WORDS)[number];

export interface DetectorParam {
  readonly type: 'integer' | 'number' | 'text' | 'boolean';
  readonly default: number | string | boolean;
  readonly min: number | null;
  readonly max: number | null;
}

/** What stands on top of a detector's SQL. */
export interface DetectorMeta {
  readonly id: string;
  readonly title: string;
  /** A sentence with `{fact}` in the places of facts. */
  readonly explanation: string;
  /** The usual severity; a row may say another one. */
  readonly severity: SeverityWord;
  readonly needs: readonly Evidence[];
  /** Evidence without which it sees only some of what it looks for: partial, never clean. */
  readonly wants: readonly Evidence[];
  readonly params: Readonly<Record<string, DetectorParam>>;
  /** Columns that make a finding the same one in every run. */
  readonly key: readonly string[];
  readonly remedy: string;
  readonly falsePositives: readonly string[];
  readonly references: readonly string[];
  /** null: judges both. */
  readonly era: 'sessions' | 'stateless' | null;
}

const REQUIRED = ['id', 'title', 'explanation', 'severity', 'needs', 'key', 'remedy'] as const;
const OPTIONAL = ['wants', 'params', 'false-positives', 'references', 'era'] as const;
const PARAM_KEYS = ['type', 'default', 'min', 'max'] as const;
const FENCE = /^--\s*---\s*$/;

/** The metadata block of a detector: comment lines between `-- ---` and `-- ---`, YAML 1.2 with a closed list of keys. */
export function parseFrontMatter(path: string, sql: string): DetectorMeta {
  const lines = sql.split('\n');
  const start = lines.findIndex((line) => line.trim() !== '');
  const end = lines.findIndex((line, index) => index > start && FENCE.test(line));
  if (start < 0 || !FENCE.test(lines[start]!) || end < 0) {
    throw invalid(path, start + 1 || 1, 'has no metadata between "-- ---" and "-- ---" at its top');
  }
  const body = lines.slice(start + 1, end).map((line, index) => {
    if (!/^--( |$)/.test(line)) throw invalid(path, start + 2 + index, 'a metadata line does not start with "-- "');
    return line.slice(3);
  });
  return new Reader(path, start + 1, body.join('\n')).meta();
}

function invalid(path: string, line: number, problem: string): PostmortemError {
  return new PostmortemError(
    'detector-invalid',
    `${path}:${line}: ${problem}`,
    'The metadata is described by `mcp-postmortem detectors new`; `detectors lint` checks it.',
  );
}

/** Reads the YAML of one block and says file and line of whatever is wrong. */
class Reader {
  readonly #path: string;
  readonly #firstLine: number;
  readonly #lines = new LineCounter();
  readonly #nodes = new Map<string, Node | null>();

  constructor(path: string, firstLine: number, yaml: string) {
    this.#path = path;
    this.#firstLine = firstLine;
    const document = parseDocument(yaml, { lineCounter: this.#lines, schema: 'core', strict: true });
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw this.#at(problem.pos[0], problem.message.split('\n')[0] ?? '');
    if (!isMap(document.contents)) throw this.#at(0, 'the metadata is no list of `key: value`');
    this.#fill(document.contents, '', [...REQUIRED, ...OPTIONAL], this.#nodes);
  }

  meta(): DetectorMeta {
    for (const key of REQUIRED) if (!this.#nodes.has(key)) throw this.#at(0, `the key "${key}" is missing`);
    const id = this.#text('id');
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) throw this.#wrong('id', 'lower-case words joined by hyphens');
    return {
      id,
      title: this.#text('title'),
      explanation: this.#text('explanation'),
      severity: this.#oneOf('severity', SEVERITY_WORDS),
      needs: this.#evidence('needs'),
      wants: this.#evidence('wants'),
      params: this.#params(),
      key: this.#list('key'),
      remedy: this.#text('remedy'),
      falsePositives: this.#list('false-positives'),
      references: this.#list('references'),
      era: this.#nodes.has('era') ? this.#oneOf('era', ['sessions', 'stateless'] as const) : null,
    };
  }

  #at(offset: number, problem: string): PostmortemError {
    const line = this.#lines.linePos(offset).line || 1;
    return invalid(this.#path, this.#firstLine + line, problem);
  }

  #wrong(key: string, wanted: string): PostmortemError {
    return this.#at(this.#nodes.get(key)?.range?.[0] ?? 0, `"${key}" must be ${wanted}`);
  }

  #fill(node: unknown, place: string, known: readonly string[], into: Map<string, Node | null>): void {
    if (!isMap(node)) throw this.#at(0, `"${place}" must be { key: value, … }`);
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      if (!known.includes(key)) {
        throw this.#at(
          offset,
          `unknown key "${key}"${place === '' ? '' : ` in "${place}"`}; known: ${known.join(', ')}`,
        );
      }
      into.set(key, pair.value as Node | null);
    }
  }

  #text(key: string): string {
    const node = this.#nodes.get(key);
    if (!isScalar(node) || typeof node.value !== 'string' || node.value === '') throw this.#wrong(key, 'a text');
    return node.value;
  }

  #oneOf<T extends string>(key: string, words: readonly T[]): T {
    const text = this.#text(key);
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw this.#wrong(key, `one of ${words.join(', ')}`);
    return word;
  }

  #evidence(key: string): Evidence[] {
    return this.#list(key).map((word) => {
      const known = EVIDENCE.find((evidence) => evidence === word);
      if (known === undefined) throw this.#wrong(key, `of ${EVIDENCE.join(', ')}; "${word}" is none`);
      return known;
    });
  }

  #list(key: string): string[] {
    const node = this.#nodes.get(key);
    if (node === undefined || node === null) return [];
    if (!isSeq(node)) throw this.#wrong(key, 'a list: [a, b]');
    return node.items.map((item) => {
      if (!isScalar(item) || typeof item.value !== 'string') throw this.#wrong(key, 'a list of texts');
      return item.value;
    });
  }

  #params(): Record<string, DetectorParam> {
    const node = this.#nodes.get('params');
    const params: Record<string, DetectorParam> = {};
    if (node === undefined || node === null) return params;
    if (!isMap(node)) throw this.#wrong('params', '{ name: { type: …, default: … } }');
    for (const pair of node.items) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      if (!/^[a-z][a-z0-9_]*$/.test(name)) throw this.#wrong('params', `named in lower case; "${name}" is not`);
      const fields = new Map<string, Node | null>();
      this.#fill(pair.value, `params.${name}`, PARAM_KEYS, fields);
      params[name] = this.#param(name, fields);
    }
    return params;
  }

  #param(name: string, fields: ReadonlyMap<string, Node | null>): DetectorParam {
    const value = (key: string): unknown => {
      const node = fields.get(key);
      return isScalar(node) ? node.value : undefined;
    };
    const type = value('type');
    const initial = value('default');
    const [min, max] = [value('min') ?? null, value('max') ?? null];
    const fits =
      (type === 'integer' && Number.isSafeInteger(initial)) ||
      (type === 'number' && typeof initial === 'number') ||
      (type === 'text' && typeof initial === 'string') ||
      (type === 'boolean' && typeof initial === 'boolean');
    if (!fits)
      throw this.#wrong('params', `typed: "${name}" needs a type (integer, number, text, boolean) and a default of it`);
    if ((min !== null && typeof min !== 'number') || (max !== null && typeof max !== 'number')) {
      throw this.#wrong('params', `bounded by numbers: "${name}"`);
    }
    const outside = typeof initial === 'number' && (initial < (min ?? initial) || initial > (max ?? initial));
    if (outside) throw this.#wrong('params', `within its own bounds: the default of "${name}"`);
    return { type, default: initial, min, max } as DetectorParam;
  }
}
