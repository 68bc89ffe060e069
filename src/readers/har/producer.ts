import { isObject, type JsonObject, objectAt, stringAt } from '../../mcp/json-object.js';
import type { Vantage } from '../record.js';

export type HarFamily = 'chrome' | 'playwright' | 'mitmproxy' | 'firefox' | 'safari' | 'charles' | 'mcpsnoop' | 'other';

/** Who wrote a HAR. What is missing from an entry means something else with each. */
export interface HarProducer {
  readonly family: HarFamily;
  /** `Playwright 1.65.1 (chromium 156.0.8078.114)`; null: not said. */
  readonly label: string | null;
  readonly vantage: Vantage;
}

const FAMILIES: readonly (readonly [RegExp, HarFamily])[] = [
  [/^webinspector$/i, 'chrome'],
  [/^playwright/i, 'playwright'],
  [/mitm(proxy|dump|web)/i, 'mitmproxy'],
  [/^firefox/i, 'firefox'],
  [/^webkit/i, 'safari'],
  [/^charles/i, 'charles'],
  [/^mcpsnoop/i, 'mcpsnoop'],
];

/**
 * Reads `log.creator` and `log.browser` (HAR 1.2).
 * @param document the part of the HAR in front of its entries, with all brackets closed
 */
export function harProducer(document: string): HarProducer {
  const log = logOf(document);
  const creator = named(objectAt(log, 'creator'));
  const browser = named(objectAt(log, 'browser'));
  const name = stringAt(objectAt(log, 'creator'), 'name')?.trim() ?? '';
  const family = FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
  const label = creator === null || browser === null ? (creator ?? browser) : `${creator} (${browser})`;
  return { family, label, vantage: family === 'mitmproxy' ? 'proxy' : 'client' };
}

function logOf(document: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(document.replace(/^\ufeff/, ''));
    return isObject(value) ? (objectAt(value, 'log') ?? value) : null;
  } catch {
    return null;
  }
}

function named(object: JsonObject | null): string | null {
  const text = [stringAt(object, 'name'), stringAt(object, 'version')].filter((part) => part !== null && part !== '');
  return text.length === 0 ? null : text.join(' ');
}
