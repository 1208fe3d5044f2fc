import { type Limit, limit } from "#kit/limits.ts";
import { maxDefinition, maxLinks, maxQuery } from "./schemas.ts";

/** Limits of query examples. */
export const queryExampleLimits: Limit[] = [
  limit("query examples", "definition, UTF-16 units", maxDefinition),
  limit("query examples", "query, UTF-16 units", maxQuery),
  limit("query examples", "data entities, and terms, that one is attached to", maxLinks),
  limit("query examples", "attached to a data entity, or to a term", maxLinks),
];
