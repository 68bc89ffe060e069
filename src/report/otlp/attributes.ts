import type { FactValue } from '../../incident/finding.js';
import { clip, visible } from '../escape.js';

export type AttributeValue = string | number | boolean | string[];
export type Attributes = Record<string, AttributeValue>;

const LONGEST_TEXT = 1000;
const LONGEST_LIST = 50;

/** Text as backends may show it: bounded, and nothing in it acts on a screen. */
export function attributeText(text: string): string {
  return visible(clip(text, LONGEST_TEXT));
}

/** A list of texts, bounded; the last one says how many are missing. */
export function attributeList(items: readonly string[]): string[] {
  const left = items.length - LONGEST_LIST;
  const shown = items.slice(0, LONGEST_LIST).map(attributeText);
  return left > 0 ? [...shown, `… ${left} more`] : shown;
}

/** A fact as an attribute; null where there is nothing to say: OTLP has no null. */
export function factAttribute(value: FactValue): AttributeValue | null {
  if (value === null) return null;
  if (Array.isArray(value)) return attributeList(value.map(String));
  if (typeof value === 'number') {
    // An int of OTLP has 64 bits: what a double only approximates, or that is no number, stays readable as text.
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? value : String(value);
  }
  return typeof value === 'string' ? attributeText(value) : (value as boolean);
}

/** ISO 8601 as OpenTelemetry's seconds and nanoseconds; the epoch where no time is known. */
export function hrTime(iso: string | null): [number, number] {
  const ms = iso === null ? 0 : Math.max(0, Date.parse(iso));
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
