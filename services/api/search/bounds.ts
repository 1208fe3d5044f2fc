import type { SearchFamily } from "#services/api/search/family.ts";

/**
 * How many matches a search counts, and ranks for its first pages. Reading all matches of a frequent word takes seconds
 * in a large catalogue.
 */
export const maxCounted = 20_000;

/** The same of a family. */
export function mostCounted({ maxCounted: own = maxCounted }: SearchFamily): number {
  return own;
}
