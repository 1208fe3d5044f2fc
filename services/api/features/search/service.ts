import { notFound } from "#kit/errors.ts";
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
