/** The word that a mistyped one was meant to be: the fewest changes, and no more than a third of it; null: none is near. */
export function nearestWord(given: string, known: readonly string[]): string | null {
  const word = given.slice(0, 64).toLowerCase().replaceAll('_', '-');
  let best: string | null = null;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const changes = editDistance(word, candidate.toLowerCase());
    if (changes < fewest) {
      best = candidate;
      fewest = changes;
    }
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, replacements, and two neighbours swapped. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, older[j - 2]! + 1);
      row.push(least);
    }
    older = previous;
    previous = row;
  }
  return previous[b.length]!;
}
