import type { Row } from './slot.js';

const PLUS = 43;

/** A number that is not negative, in units of `unitNs`. */
export function decimalAt(row: Row, slot: number, unitNs: number): number | null {
  let at = row.from[slot]!;
  if (at < 0) return null;
  const { bytes } = row;
  const to = row.to[slot]!;
  if (at === to) return null;
  let value = 0;
  for (; at < to; at += 1) {
    const digit = bytes[at]! - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  value *= unitNs;
  if (at < to && bytes[at] === 46) {
    let scale = unitNs;
    for (at += 1; at < to; at += 1) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      scale /= 10;
      value += digit * scale;
    }
  }
  return at === to ? Math.round(value) : null;
}

/** A whole number, as which HAProxy's `+162` counts too; null: not carried, or something else. */
export function integerAt(row: Row, slot: number): number | null {
  let at = row.from[slot]!;
  if (at < 0) return null;
  const to = row.to[slot]!;
  if (at < to && row.bytes[at] === PLUS) at += 1;
  if (at === to || to - at > 15) return null;
  let value = 0;
  for (; at < to; at += 1) {
    const digit = row.bytes[at]! - 48;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value;
}
