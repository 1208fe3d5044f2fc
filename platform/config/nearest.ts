/** The candidate with the smallest edit distance (Levenshtein) from `word`, if within `max`. */
export function nearest(word: string, candidates: string[], max: number): string | undefined {
  const ranked = candidates.map((c) => [distance(word, c), c] as const)
    .filter(([away]) => away <= max);
  return ranked.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
