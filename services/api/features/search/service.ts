import { pageWindow } from "#contract/http.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { notFound } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { Context } from "#platform/context.ts";
import type { Actor } from "#contract/actor.ts";
import type { Facet } from "#services/api/features/search/facets.ts";
import { entityTexts, highlightTexts } from "#services/api/features/search/highlights.ts";
import * as queries from "#services/api/features/search/queries.ts";
import type { SearchForm } from "#services/api/features/search/schemas.ts";
import * as sessions from "#services/api/features/search/sessions.ts";
import { emptyState, merge, type SearchState } from "#services/api/features/search/state.ts";
import { staleDays } from "#services/api/stale.ts";

export { searchRefreshWorker } from "#services/api/features/search/refresh.ts";
/** How entities are narrowed by tags, owners and the like, for lists that hang on entities. */
export { facets } from "#services/api/features/search/facets.ts";

type Tools = Pick<Context, "db" | "config">;

interface PageAsked {
  page: number;
  size: number;
}

/** Starts a search; SearchFacetsData as JSON text. */
export async function startSearch({ db }: Tools, actor: Actor, form: SearchForm) {
  const id = uuidv7();
  const state = merge(emptyState, form);
  await sessions.insertSession(db, id, state);
  return await queries.facetsData(db, id, state, actor);
}

/** What a search is narrowed by and how much it finds; SearchFacetsData as JSON text. Throws 404. */
export async function readSearch(context: Tools, actor: Actor, id: string): Promise<string> {
  return await queries.facetsData(context.db, id, await stateOf(context, id), actor);
}

/** Changes a search; SearchFacetsData as JSON text. Throws 404. */
export async function changeSearch(context: Tools, actor: Actor, id: string, form: SearchForm) {
  // change-ok -- sessions of searches are no part of the catalogue
  const state = await context.db.transaction(async (tx) => {
    const before = await sessions.lockSession(tx, id, daysToLive(context));
    if (!before) throw notFound("Search", id);
    const after = merge(before, form);
    await sessions.updateSession(tx, id, after);
    return after;
  });
  return await queries.facetsData(context.db, id, state, actor);
}

/** One page of what a facet still offers; CountableSearchFilter[] as JSON text. Throws 404. */
export async function facetValues(
  context: Tools,
  actor: Actor,
  id: string,
  facet: Facet,
  asked: PageAsked & { query: string },
): Promise<string> {
  const state = await stateOf(context, id);
  const pattern = containsPattern(asked.query.trim());
  return await queries.facetValues(context.db, state, actor, facet, pattern, pageWindow(asked));
}

/** One page of what a search finds, best first; DataEntityList as JSON text. Throws 404. */
export async function searchResults(context: Tools, actor: Actor, id: string, asked: PageAsked) {
  const state = await stateOf(context, id);
  return await queries.results(context.db, state, actor, pageWindow(asked), staleDays(context));
}

/** Where a search finds its words in an entity. Throws 404 for an unknown search or entity. */
export async function highlights(context: Tools, id: string, entityId: number) {
  const state = await stateOf(context, id);
  const found = await entityTexts(context.db, entityId);
  if (!found) throw notFound("Data entity", entityId);
  return highlightTexts(found, state.query);
}

/** The five best matches of what is typed; DataEntityRefList as JSON text, empty for nothing typed. */
export function suggest(
  context: Tools,
  typed: string,
  filter: { classId?: number; manual?: boolean },
): Promise<string> {
  return queries.suggestions(context.db, typed, filter, staleDays(context));
}

async function stateOf(context: Tools, id: string): Promise<SearchState> {
  const state = await sessions.readSession(context.db, id, daysToLive(context));
  if (!state) throw notFound("Search", id);
  return state;
}

const daysToLive = ({ config }: Tools) => config.housekeeping.ttl.search_facets_days;
