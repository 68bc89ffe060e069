/**
 * How the product's own times compare: ten times the input, and skewed inputs beside an even one of as many exchanges.
 * `factor`: by how much the second input holds more exchanges than the first, where that is not the question.
 */
const SCALES = [
  { what: 'ten times the exchanges', of: 'nginx-json', to: 'nginx-json-tenth', factor: 1, limit: 12 },
  {
    what: 'one session of all exchanges, beside ten exchanges a session',
    of: 'one-session',
    to: 'nginx-json',
    factor: 5,
    limit: 2,
  },
  { what: 'one exchange a session, beside ten', of: 'sessions-of-one', to: 'nginx-json', factor: 1, limit: 2 },
];

/**
 * @param {ReadonlyMap<string, { cpuS: number }>} taken by input
 * @returns {string[]} one line for each comparison of which both inputs were measured
 */
export function scalingLines(taken) {
  return SCALES.flatMap(({ what, of, to, factor, limit }) => {
    const first = taken.get(of);
    const second = taken.get(to);
    if (first === undefined || second === undefined) return [];
    return [
      `${what}: ${((first.cpuS * factor) / second.cpuS).toFixed(2)} times the CPU time (must be at most ${limit})`,
    ];
  });
}
