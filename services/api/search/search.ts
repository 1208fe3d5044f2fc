import type { Actor } from "#contract/actor.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import { type Route, serve } from "#platform/operations/declare.ts";
import { facetsData, facetValues } from "#services/api/search/facets.queries.ts";
import type { SearchFamily, SearchState, SuggestionSpec } from "#services/api/search/family.ts";
import * as operations from "#services/api/search/operations.ts";
import * as found from "#services/api/search/results.queries.ts";
import * as sessions from "#services/api/search/sessions.ts";

type Deps = Pick<Context, "db" | "config">;

/** The searches of one family. Answers are JSON text; an unknown or expired search is a 404. */
export class Search {
  /** Days that a session is stored after its last use. */
  readonly #days: number;

  constructor(private readonly context: Deps, private readonly family: SearchFamily) {
    this.#days = context.config.housekeeping.ttl.search_facets_days;
  }

  /** Starts a search; returns its selections and counts. */
  async start(actor: Caller, form: operations.SearchForm): Promise<string> {
    const id = uuidv7();
    const state = sessions.merge(this.family, sessions.emptyState, form);
    const [facets] = await Promise.all([
      this.#facets(id, state, actor),
      sessions.insertSession(this.context.db, this.family, id, state, actor),
    ]);
    return facets;
  }

  /** Returns the selections and counts of a search. */
  async read(actor: Actor, id: string): Promise<string> {
    return await this.#facets(id, await this.state(id), actor);
  }

  /** Changes a search; answers as `read`. Throws 403 for that of somebody else. */
  async change(actor: Caller, id: string, form: operations.SearchForm): Promise<string> {
    const state = await this.context.db.transaction(async (tx) => {
      const before = await sessions.lockSession(tx, this.family, id, this.#days, actor);
      if (!before) throw notFound("Search", id);
      const after = sessions.merge(this.family, before, form);
      await sessions.updateSession(tx, id, after);
      return after;
    });
    await sessions.trimSessions(this.context.db, shareOf(actor));
    return await this.#facets(id, state, actor);
  }

  /** One page of the values that a facet still offers; none of a facet that the family has not. */
  async facet(actor: Actor, id: string, facet: string, page: PageQuery & { query: string }) {
    const { limit, offset } = pageWindow(page);
    const spec = this.family.facets.get(facet);
    const state = await this.state(id);
    if (!spec) return "[]";
    const wanted = { facet, spec, name: page.query.trim(), limit, offset };
    return await facetValues(this.context.db.reads, this.family, state, actor, wanted);
  }

  /** One page of the results of a search, best matches first. */
  async results(actor: Actor, id: string, page: PageQuery): Promise<string> {
    const state = await this.state(id);
    return await found.results(this.context, this.family, state, actor, pageWindow(page));
  }

  /** The best matches of the typed text. */
  suggestions(spec: SuggestionSpec, query: { query: string } & Record<string, unknown>) {
    return found.suggestions(this.context, this.family, spec, query);
  }

  /** The state of a search; reading it counts as a use. */
  async state(id: string): Promise<SearchState> {
    const state = await sessions.readSession(this.context.db, this.family, id, this.#days);
    if (!state) throw notFound("Search", id);
    return state;
  }

  /** The facets of a search; equal searches share the read, so it does not contain the id. */
  async #facets(id: string, state: SearchState, actor: Actor): Promise<string> {
    const facets = await facetsData(this.context.db.reads, this.family, state, actor);
    return `{"search_id":${JSON.stringify(id)},${facets.slice(1)}`;
  }
}

/** The operations of a family's searches. */
export function familyRoutes(context: Context, family: SearchFamily): Route[] {
  const search = new Search(context, family);
  const { start, read, change } = operations.sessionOperations(family);
  return [
    serve(start, ({ body, actor }) => search.start(actor, body)),
    serve(read, ({ params, actor }) => search.read(actor, params.search_id)),
    serve(change, ({ params, body, actor }) => search.change(actor, params.search_id, body)),
    ...facetRoutes(family, search),
    serve(operations.resultsOperation(family), ({ params, query, actor }) => {
      return search.results(actor, params.search_id, query);
    }),
    ...suggestionRoutes(family, search),
  ];
}

function facetRoutes(family: SearchFamily, search: Search): Route[] {
  const id = family.operations.facet;
  if (id === undefined) return [];
  return [
    serve(operations.facetOperation(family, id), ({ params, query, actor }) => {
      return search.facet(actor, params.search_id, params.facet_type, query);
    }),
  ];
}

function suggestionRoutes(family: SearchFamily, search: Search): Route[] {
  const { suggestions: spec, operations: { suggestions: id } } = family;
  if (!spec || id === undefined) return [];
  return [
    serve(operations.suggestionsOperation(family, id, spec), ({ query }) => {
      return search.suggestions(spec, query);
    }),
  ];
}
