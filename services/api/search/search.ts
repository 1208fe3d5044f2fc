import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { pageWindow } from "#contract/http.ts";
import { notFound } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { type Caller, shareOf } from "#platform/operations/caller.ts";
import type {
  FacetSpec,
  SearchFamily,
  SearchState,
  SelectedFacet,
  SuggestionSpec,
} from "#services/api/search/family.ts";
import type { SearchForm } from "#services/api/search/forms.ts";
import * as found from "#services/api/search/results.queries.ts";
import * as sessions from "#services/api/search/sessions.ts";
import { chosenIn, emptyState, idsOf, merge } from "#services/api/search/state.ts";
import { matching, owned } from "#services/api/search/matching.ts";
import { Parameters } from "#services/api/search/parameters.ts";

type Deps = Pick<Context, "db" | "config">;

interface PageParams {
  page: number;
  size: number;
}

/** The searches of one family. Answers are JSON text; an unknown or expired search is a 404. */
export class Search {
  readonly #context: Deps;
  readonly #family: SearchFamily;
  /** Days that a session is stored after its last use. */
  readonly #days: number;

  constructor(context: Deps, family: SearchFamily) {
    this.#context = context;
    this.#family = family;
    this.#days = context.config.housekeeping.ttl.search_facets_days;
  }

  /** Starts a search; returns its selections and counts. */
  async start(actor: Caller, form: SearchForm): Promise<string> {
    const id = uuidv7();
    const state = merge(this.#family, emptyState, form);
    const [facets] = await Promise.all([
      this.#facets(id, state, actor),
      sessions.insertSession(this.#context.db, this.#family, id, state, actor),
    ]);
    return facets;
  }

  /** Returns the selections and counts of a search. */
  async read(actor: Actor, id: string): Promise<string> {
    return await this.#facets(id, await this.state(id), actor);
  }

  /** Changes a search; answers as `read`. Throws 403 for that of somebody else. */
  async change(actor: Caller, id: string, form: SearchForm): Promise<string> {
    const state = await this.#context.db.transaction(async (tx) => {
      const before = await sessions.lockSession(tx, this.#family, id, this.#days, actor);
      if (!before) throw notFound("Search", id);
      const after = merge(this.#family, before, form);
      await sessions.updateSession(tx, id, after);
      return after;
    });
    await sessions.trimSessions(this.#context.db, shareOf(actor));
    return await this.#facets(id, state, actor);
  }

  /** One page of the values that a facet still offers; none of a facet that the family has not. */
  async facet(actor: Actor, id: string, facet: string, page: PageParams & { query: string }) {
    const { limit, offset } = pageWindow(page);
    const spec = this.#family.facets.get(facet);
    const state = await this.state(id);
    if (!spec) return "[]";
    const wanted = { facet, spec, pattern: containsPattern(page.query.trim()), limit, offset };
    return await facetValues(this.#context.db.reads, this.#family, state, actor, wanted);
  }

  /** One page of the results of a search, best matches first. */
  async results(actor: Actor, id: string, page: PageParams): Promise<string> {
    const state = await this.state(id);
    return await found.results(this.#context, this.#family, state, actor, pageWindow(page));
  }

  /** The best matches of the typed text. */
  suggestions(spec: SuggestionSpec, query: { query: string } & Record<string, unknown>) {
    return found.suggestions(this.#context, this.#family, spec, query);
  }

  /** The state of a search; reading it counts as a use. */
  async state(id: string): Promise<SearchState> {
    const state = await sessions.readSession(this.#context.db, this.#family, id, this.#days);
    if (!state) throw notFound("Search", id);
    return state;
  }

  /** The facets of a search; equal searches share the read, so it does not contain the id. */
  async #facets(id: string, state: SearchState, actor: Actor): Promise<string> {
    const facets = await facetsData(this.#context.db.reads, this.#family, state, actor);
    return `{"search_id":${JSON.stringify(id)},${facets.slice(1)}`;
  }
}

/** The description of a search as JSON text, all but its id: selected values, counts and totals. */
async function facetsData(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
): Promise<string> {
  const p = new Parameters();
  const { counted } = family;
  const { from, where } = matching(family, state, p, {
    except: counted ? [counted.facet] : [],
  });
  const codes = counted ? `${p.bind(idsOf(family, state, counted.facet))}::smallint[]` : "NULL";
  const chosen = counted ? `(${codes} = '{}' OR m.codes && ${codes})` : "true";
  const members = [
    `'query', ${p.bind(state.query)}::text`,
    ...facetState(family, state, codes, p),
    `'total', (SELECT coalesce(sum(count), 0) FROM m WHERE ${chosen})`,
    ...(family.owned
      ? [
        `'my_objects_total', (SELECT coalesce(sum(count), 0) FROM m WHERE mine AND ${chosen})`,
        `'my_objects', ${p.bind(state.my_objects)}::boolean`,
      ]
      : []),
  ];
  const statement = `
    WITH m AS MATERIALIZED (
      SELECT ${counted?.ids ?? "NULL"} AS codes, ${owned(family, actor, p)} AS mine,
             count(*) AS count
        FROM ${from} WHERE ${where} GROUP BY 1, 2)
    SELECT json_build_object(${members.join(",")})::text AS json`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** The member `facet_state`; absent for a family without facets. */
function facetState(
  family: SearchFamily,
  state: SearchState,
  codes: string,
  p: Parameters,
): string[] {
  const { facets, counted } = family;
  if (facets.size === 0) return [];
  const values = [...facets].map(([facet, spec]) => {
    const shown = facet === counted?.facet
      ? countedValues(spec, counted.unlessChosen, state, codes, p)
      : chosenValues(spec, chosenIn(state, facet), p);
    return `'${facet}', (${shown})`;
  });
  return [`'facet_state', json_build_object(${values.join(",")})`];
}

/** Every value of the counted facet, counted as if none were selected in it. */
function countedValues(
  { names }: FacetSpec,
  unlessChosen: readonly number[],
  state: SearchState,
  codes: string,
  p: Parameters,
): string {
  return `
    SELECT json_agg(json_build_object('id', n.id, 'name', n.name,
             'count', coalesce(counted.count, 0), 'selected', n.id = ANY(${codes})) ORDER BY n.id)
      FROM (${names}) n
      LEFT JOIN (
        SELECT c.id, sum(m.count) AS count FROM m, unnest(m.codes) AS c (id)
         WHERE m.mine OR NOT ${p.bind(state.my_objects)}::boolean GROUP BY c.id) counted
        ON counted.id = n.id
     WHERE n.id <> ALL(${p.bind(unlessChosen)}::smallint[]) OR n.id = ANY(${codes})`;
}

/** The selected values of a facet, with their current names. */
function chosenValues({ names }: FacetSpec, chosen: SelectedFacet[], p: Parameters): string {
  // Most searches have none, and each sub-select is planned again with every search.
  if (chosen.length === 0) return "'[]'::json";
  const chosenJson = p.bind(JSON.stringify(chosen));
  return `
    SELECT json_agg(json_build_object('id', f.id,
             'name', coalesce(n.name, f.name, f.id::text)) ORDER BY f.id)
      FROM jsonb_to_recordset(${chosenJson}::jsonb) AS f (id bigint, name text)
      LEFT JOIN (${names}) n ON n.id = f.id`;
}

/** CountableSearchFilter[] of one page as JSON text: values still selectable, most frequent first. */
async function facetValues(
  db: Queryable,
  family: SearchFamily,
  state: SearchState,
  actor: Actor,
  query: { facet: string; spec: FacetSpec; pattern: string; limit: number; offset: number },
): Promise<string> {
  const p = new Parameters();
  const { from, where } = matching(family, state, p, { except: [query.facet] });
  const { names } = query.spec;
  const mine = state.my_objects ? `AND ${owned(family, actor, p)}` : "";
  const chosen = chosenIn(state, query.facet).map(({ id }) => id);
  const statement = `
    SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'count', count,
             'selected', false) ORDER BY count DESC, name, id), '[]')::text AS json
      FROM (SELECT n.id, n.name, v.count
              FROM (${countsOf(query.spec, from, `${where} ${mine}`)}) v
              JOIN (${names}) n ON n.id = v.value
             WHERE n.id <> ALL(${p.bind(chosen)}::bigint[])
               AND n.name ILIKE ${p.bind(query.pattern)}
             ORDER BY v.count DESC, n.name, n.id
             LIMIT ${p.bind(query.limit)} OFFSET ${p.bind(query.offset)}) shown`;
  return (await db.query<{ json: string }>(statement, p.values))[0]!.json;
}

/** Rows `(value, count)`: of how many of the rows `e` each value is. */
function countsOf({ value, join = "" }: FacetSpec, from: string, where: string): string {
  if (typeof value === "string") {
    return `SELECT ${value} AS value, count(*) AS count FROM ${from} ${join} WHERE ${where} GROUP BY 1`;
  }
  // Going through the index of links in its order takes a fraction of a join.
  const { table, of, to } = value;
  return `
    SELECT value, count(*) AS count
      FROM (SELECT x.${to} AS value FROM ${table} x
             WHERE x.${of} = ANY(ARRAY(SELECT e.id FROM ${from} WHERE ${where}))
             GROUP BY x.${of}, x.${to}) links
     GROUP BY 1`;
}
