/**
 * JSON value in the canonical form of RFC 8785: keys sorted by UTF-16 code units, no white space. `value` comes from
 * `parseJson`, so its depth is bounded. Objects whose keys lie sorted already are serialised natively as they are.
 */
export function canonicalise(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const sorted = sortedCopy(value);
  return sorted === UNSORTABLE ? writeSorted(value) : JSON.stringify(sorted);
}

/** Objects cannot hold such keys in sorted order: integers come first in them, and `__proto__` is no plain key. */
const UNSORTABLE = Symbol('unsortable');

/** The same value when all its keys are in order, a copy with sorted keys when not. */
function sortedCopy(value: object): unknown {
  return Array.isArray(value) ? sortedArray(value) : sortedObject(value as Record<string, unknown>);
}

function sortedArray(value: readonly unknown[]): unknown {
  let copy: unknown[] | null = null;
  for (let i = 0; i < value.length; i += 1) {
    const item = value[i];
    if (typeof item !== 'object' || item === null) continue;
    const sorted = sortedCopy(item);
    if (sorted === UNSORTABLE) return UNSORTABLE;
    if (sorted === item) continue;
    copy ??= value.slice();
    copy[i] = sorted;
  }
  return copy ?? value;
}

function sortedObject(value: Record<string, unknown>): unknown {
  const keys = Object.keys(value);
  let inOrder = true;
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!;
    const first = key.charCodeAt(0);
    if ((first >= 48 && first <= 57) || key === '__proto__') return UNSORTABLE;
    if (i > 0 && keys[i - 1]! > key) inOrder = false;
  }
  if (!inOrder) keys.sort();
  let copy: Record<string, unknown> | null = inOrder ? null : {};
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i]!;
    const item = value[key];
    const sorted = typeof item === 'object' && item !== null ? sortedCopy(item) : item;
    if (sorted === UNSORTABLE) return UNSORTABLE;
    if (copy === null && sorted !== item) copy = copyOf(value, keys, i);
    if (copy !== null) copy[key] = sorted;
  }
  return copy ?? value;
}

/** The first `count` properties, which are as they should be. */
function copyOf(value: Record<string, unknown>, keys: readonly string[], count: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (let i = 0; i < count; i += 1) copy[keys[i]!] = value[keys[i]!];
  return copy;
}

function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  const object = value as Record<string, unknown>;
  const members = Object.keys(object).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${writeSorted(object[key])}`).join(',')}}`;
}
