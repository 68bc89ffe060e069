import { isObject } from './any-value.js';
import { keyBearing } from './attributes.js';
import { MCP_NAME } from './marks.js';

/**
 * Whether a span or log record of OTLP/JSON has nothing to do with MCP, told by names alone, before anything is
 * converted. Errs on the side of reading.
 */
export function isForeign(raw: unknown, scope: string, endpoints: ReadonlySet<string>): boolean {
  if (!isObject(raw) || MCP_NAME.test(scope)) return false;
  if (typeof raw.name === 'string' && MCP_NAME.test(raw.name)) return false;
  const { attributes } = raw;
  if (!Array.isArray(attributes)) return true;
  for (const attribute of attributes) {
    if (!isObject(attribute) || typeof attribute.key !== 'string') continue;
    const bearing = keyBearing(attribute.key);
    if (bearing === 'mcp' || (bearing === 'value' && isTelling(attribute.value, endpoints))) return false;
  }
  return true;
}

function isTelling(value: unknown, endpoints: ReadonlySet<string>): boolean {
  if (!isObject(value)) return false;
  const text = value.stringValue ?? value.string_value;
  if (typeof text !== 'string') return true;
  if (MCP_NAME.test(text) || text === 'jsonrpc') return true;
  for (const path of endpoints) if (text.includes(path)) return true;
  return false;
}
