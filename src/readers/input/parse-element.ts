import { isAscii } from 'node:buffer';
import type { Element } from './json-frames.js';

export type ParsedElement =
  | { readonly value: unknown; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/** Parses a framed element, whose depth is bounded already. The reason quotes nothing: bodies hold secrets. */
export function parseElement(element: Element): ParsedElement {
  const { bytes } = element;
  if (bytes === null) return { value: null, reason: element.reason ?? 'unreadable' };
  try {
    return { value: JSON.parse(isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8')), reason: null };
  } catch {
    return { value: null, reason: 'not valid JSON' };
  }
}
