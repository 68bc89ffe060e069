/** A pattern whose folders are named after time: `exports/%Y/%m/%d/*.json.gz`, as object stores are laid out. */
const CODES: Readonly<Record<string, { readonly digits: number; readonly unit: keyof Moment }>> = {
  Y: { digits: 4, unit: 'year' },
  m: { digits: 2, unit: 'month' },
  d: { digits: 2, unit: 'day' },
  H: { digits: 2, unit: 'hour' },
};

interface Moment {
  readonly year: number | null;
  readonly month: number | null;
  readonly day: number | null;
  readonly hour: number | null;
}

export const ANY_TIME: Moment = { year: null, month: null, day: null, hour: null };

/** One name of a path with `%Y`, `%m`, `%d`, `%H` as a glob. */
export function asGlob(segment: string): string {
  return segment.replace(/%([YmdH])/g, (_, code: string) => '[0-9]'.repeat(CODES[code]!.digits));
}

export function hasTimeCodes(segment: string): boolean {
  return /%[YmdH]/.test(segment);
}

/** What a name that matches `segment` adds to the time known from the folders above it; null: it does not match. */
export function momentOf(segment: string, name: string, above: Moment): Moment | null {
  if (!hasTimeCodes(segment)) return above;
  const units: (keyof Moment)[] = [];
  const parts = segment.split(/(%[YmdH])/).map((part) => {
    const code = CODES[part.slice(1)];
    if (part[0] === '%' && code !== undefined) {
      units.push(code.unit);
      return `(\\d{${code.digits}})`;
    }
    return part
      .replace(/[.+^$(){}|\\[\]]/g, '\\$&')
      .replaceAll('?', '.')
      .replace(/\*+/g, '.*');
  });
  const match = new RegExp(`^${parts.join('')}$`, 's').exec(name);
  if (match === null) return null;
  return { ...above, ...Object.fromEntries(units.map((unit, index) => [unit, Number(match[index + 1])])) };
}

/** The end of the period, exclusive, in nanoseconds since the epoch; null: it has no year. */
export function endOfMoment({ year, month, day, hour }: Moment): bigint | null {
  if (year === null) return null;
  const ms =
    month === null
      ? Date.UTC(year + 1, 0)
      : day === null
        ? Date.UTC(year, month)
        : hour === null
          ? Date.UTC(year, month - 1, day + 1)
          : Date.UTC(year, month - 1, day, hour + 1);
  return BigInt(ms) * 1_000_000n;
}
