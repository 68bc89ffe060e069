import { isObject, stringAt } from '../../mcp/json-object.js';
import { type HeaderMap, headerMap } from '../captured-http.js';

/**
 * Headers as producers write them: `[{name, value}]` (HAR 1.2), `[[name, value]]`, or a map.
 * No HTTP message is without a header, so an empty list says that they were not recorded: null.
 */
export function harHeaders(value: unknown): HeaderMap | null {
  const pairs: [string, string][] = [];
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (Array.isArray(item)) add(pairs, item[0], item[1]);
      else if (isObject(item)) add(pairs, stringAt(item, 'name'), Object.hasOwn(item, 'value') ? item.value : '');
    }
  } else if (isObject(value)) {
    for (const [name, content] of Object.entries(value)) {
      for (const one of Array.isArray(content) ? (content as unknown[]) : [content]) add(pairs, name, one);
    }
  }
  return pairs.length === 0 ? null : headerMap(pairs);
}

function add(pairs: [string, string][], name: unknown, value: unknown): void {
  if (typeof name !== 'string' || name === '') return;
  if (typeof value === 'string') pairs.push([name, value]);
  else if (typeof value === 'number' || typeof value === 'boolean') pairs.push([name, String(value)]);
}
