import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { PostmortemError } from '../error.js';
import type { ConfigSchema } from './config-schema.js';
import { nearestWord } from './nearest.js';

const HINT = '`mcp-postmortem init` writes a file that explains every key.';

/**
 * Parses a YAML (or JSON) text and checks it against a schema.
 * @returns the values as written, defaults not filled in
 * @throws PostmortemError `config-invalid`, naming file, line and, for a wrong key, the nearest right one
 */
export function checkedYaml(path: string, text: string, schema: ConfigSchema): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', uniqueKeys: true });
  const fail: Fail = (offset, problem) =>
    new PostmortemError('config-invalid', `${path}:${lines.linePos(offset).line || 1}: ${problem}`, HINT);
  const broken = document.errors[0];
  if (broken !== undefined) throw fail(broken.pos[0], broken.message.split(/ at line |\n/)[0] ?? 'is no YAML');
  if (document.contents === null) throw fail(0, 'is empty');
  checkNode(document.contents as Node, schema, '', 0, fail);
  return document.toJS({ maxAliasCount: 0 });
}

type Fail = (offset: number, problem: string) => PostmortemError;

/** The schema is a tree of limited depth, and nothing deeper than it is walked. */
function checkNode(node: Node | null, schema: ConfigSchema, name: string, parentAt: number, fail: Fail): void {
  const at = node?.range?.[0] ?? parentAt;
  const what = name === '' ? 'the file' : `"${name}"`;
  if (node === null) throw fail(at, `${what} has no value`);
  if (isAlias(node)) throw fail(at, `${what} is an alias; write the value out`);
  if (schema.anyOf !== undefined) {
    const option = schema.anyOf.find((candidate) => isOfType(node, candidate));
    if (option === undefined) throw fail(at, `${what} must be ${schema.anyOf.map(kindOf).join(' or ')}`);
    checkNode(node, option, name, at, fail);
    return;
  }
  if (!isOfType(node, schema)) throw fail(at, `${what} must be ${kindOf(schema)}`);
  if (isMap(node)) checkMap(node, schema, name, at, fail);
  if (isSeq(node)) {
    if (node.items.length < (schema.minItems ?? 0)) throw fail(at, `${what} is an empty list`);
    for (const item of node.items) checkNode(item as Node | null, schema.items ?? {}, `${name}[]`, at, fail);
  }
  if (isScalar(node)) checkScalar(node.value, schema, what, (problem) => fail(at, problem));
}

function checkMap(
  node: Extract<Node, { items: unknown }> & { items: { key: unknown; value: unknown }[] },
  schema: ConfigSchema,
  name: string,
  at: number,
  fail: Fail,
): void {
  const properties = schema.properties ?? {};
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    const word = isScalar(key) ? String(key.value) : '';
    const keyAt = isScalar(key) ? (key.range?.[0] ?? at) : at;
    const full = name === '' ? word : `${name}.${word}`;
    const inner = Object.hasOwn(properties, word) ? properties[word] : schema.additionalProperties;
    if (inner === undefined || inner === false) throw fail(keyAt, unknownKey(word, name, Object.keys(properties)));
    seen.add(word);
    checkNode(value as Node | null, inner, full, keyAt, fail);
  }
  const missing = schema.required?.find((key) => !seen.has(key));
  if (missing !== undefined) throw fail(at, `${name === '' ? 'the file' : `"${name}"`} lacks "${missing}"`);
}

function unknownKey(word: string, parent: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  const place = parent === '' ? '' : ` in "${parent}"`;
  const advice = nearest === null ? `known: ${known.join(', ')}` : `did you mean "${nearest}"?`;
  return `unknown key "${word.slice(0, 80)}"${place}; ${advice}`;
}

function checkScalar(
  value: unknown,
  schema: ConfigSchema,
  what: string,
  fail: (problem: string) => PostmortemError,
): void {
  if (typeof value === 'string') {
    if (value === '') throw fail(`${what} is empty`);
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      const nearest = nearestWord(value, schema.enum);
      throw fail(
        `${what} must be one of ${schema.enum.join(', ')}${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
      );
    }
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
      throw fail(`${what} is not written as it must be. ${schema.description ?? ''}`.trim());
    }
  }
  if (typeof value === 'number') {
    const { minimum, maximum } = schema;
    if (value < (minimum ?? value) || value > (maximum ?? value))
      throw fail(`${what} must be from ${minimum} to ${maximum}`);
  }
}

function isOfType(node: Node, schema: ConfigSchema): boolean {
  if (schema.type === 'object') return isMap(node);
  if (schema.type === 'array') return isSeq(node);
  if (!isScalar(node)) return false;
  if (schema.type === 'integer') return Number.isSafeInteger(node.value);
  if (schema.type === 'number') return Number.isFinite(node.value);
  return schema.type === undefined || typeof node.value === schema.type;
}

function kindOf(schema: ConfigSchema): string {
  const names = {
    object: 'a group of keys',
    array: 'a list',
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
  };
  return schema.type === undefined ? 'a value' : names[schema.type];
}
