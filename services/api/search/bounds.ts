/** How much of what matches a search reads. Reading all matches of a frequent word takes seconds in a large catalogue. */
export interface SearchBounds {
  /** Matches that are counted. */
  counted: number;
  /** Matches among which the best are looked for; fewer than are counted, since comparing names takes longer. */
  ranked: number;
}

export const searchBounds: SearchBounds = { counted: 10_000, ranked: 5_000 };

/** Those of a family. */
export function boundsOf({ bounds = searchBounds }: { bounds?: SearchBounds }): SearchBounds {
  return bounds;
}
