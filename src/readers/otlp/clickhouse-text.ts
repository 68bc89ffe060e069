import { parseJson } from '../../mcp/json.js';

/**
 * A value as ClickHouse writes maps and arrays in CSV: `{'k':'v'}`, `['a','b']`, single quotes, backslash escapes; columns
 * of type JSON are JSON. Returns the text itself when it is neither.
 */
export function fromClickhouseText(text: string): unknown {
  const first = text[0];
  if (first !== '{' && first !== '[') return text;
  const json = parseJson(text);
  if (json.ok) return json.value;
  const reader = new TextReader(text);
  const value = reader.value(0);
  return value === undefined || !reader.isAtEnd() ? text : value;
}

const MAX_NESTING = 8;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** undefined: not in this notation. */
  value(depth: number): unknown {
    const char = this.#text[this.#at];
    if (depth > MAX_NESTING) return undefined;
    if (char === "'") return this.#quoted();
    if (char === '{') return this.#map(depth);
    if (char === '[') return this.#list(depth);
    const from = this.#at;
    while (!this.isAtEnd() && !',:]}'.includes(this.#text[this.#at] as string)) this.#at += 1;
    return this.#at === from ? undefined : this.#text.slice(from, this.#at);
  }

  #map(depth: number): unknown {
    const result: Record<string, unknown> = Object.create(null);
    this.#at += 1;
    while (!this.#takes('}')) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' || !this.#takes(':')) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      result[key] = value;
      if (!this.#takes(',') && this.#text[this.#at] !== '}') return undefined;
    }
    return result;
  }

  #list(depth: number): unknown {
    const result: unknown[] = [];
    this.#at += 1;
    while (!this.#takes(']')) {
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      result.push(value);
      if (!this.#takes(',') && this.#text[this.#at] !== ']') return undefined;
    }
    return result;
  }

  #quoted(): string | undefined {
    let result = '';
    let from = this.#at + 1;
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === "'") {
        this.#at = at + 1;
        return result + this.#text.slice(from, at);
      }
      if (char !== '\\') continue;
      const escaped = this.#text[at + 1] ?? '';
      result += this.#text.slice(from, at) + (ESCAPES[escaped] ?? escaped);
      at += 1;
      from = at + 1;
    }
    return undefined;
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}
