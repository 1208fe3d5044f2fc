import { notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Context } from "#platform/context.ts";
import { entitySearch } from "#services/api/features/search/family.ts";
import { entityTexts, highlightTexts } from "#services/api/features/search/highlights.ts";
import { Search } from "#services/api/search/search.ts";

export { entitySearch } from "#services/api/features/search/family.ts";
export { searchRefreshWorker } from "#services/api/features/search/refresh.ts";
/** The facets of entities (tags, owners and so on), for other lists that filter by entities. */
export { facets, gapCondition } from "#services/api/features/search/facets.ts";

/** Where a search matches an entity. Throws 404 for an unknown search or entity. */
export async function highlights(
  context: Pick<Context, "db" | "config">,
  id: string,
  entityId: number,
) {
  const state = await new Search(context, entitySearch).state(id);
  const found = await entityTexts(context.db, entityId, state.query);
  if (!found) throw notFound("Data entity", entityId);
  return highlightTexts(found, state.query);
}

/** Must equal the limit in the database function search_documents(). */
const documentBytes = 480_000;

/** PostgreSQL's own: what is longer is in no vector. */
export const wordBytes = 2_046;

/** Limits on how much of an entity can be searched. */
export const entitySearchLimits: Limit[] = [
  limit(
    "search",
    "text that an entity is found by, bytes of UTF-8: names and sources, then names of columns, owners and " +
      "metadata, then descriptions, then values",
    documentBytes,
    "names of columns, owners and metadata are found all the same, by rows of their own; of all else the last is not " +
      "found, and tributary_search_documents_cut counts such entities",
  ),
  limit("search", "a word without marks in it, bytes of UTF-8", wordBytes, "it is not found"),
];
