import type { Actor } from "#contract/actor.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { QueryExampleList, QueryExampleRefList } from "#contract/catalogue/query-examples.ts";
import { notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/query-examples/queries.ts";
import {
  maxDefinition,
  maxLinks,
  maxQuery,
  type QueryExampleForm,
} from "#services/api/features/query-examples/schemas.ts";
import { staleDays } from "#services/api/stale.ts";
import { itemsJson, listJson } from "#services/api/list-json.ts";
import type { SearchFamily } from "#services/api/search/family.ts";

export { attach, detach } from "#services/api/features/query-examples/links.ts";

type Deps = Pick<Context, "db" | "config">;

const unknown = (id: number) => notFound("Query example", id);

/** One page of query examples, by id; with a text only those that a search for it finds. QueryExampleRefList as JSON text. */
export function listExamples({ db }: Deps, query: ListQuery): Promise<string> {
  return queries.exampleList(db, query.query ?? null, pageWindow(query));
}

/** QueryExampleDetails as JSON text. Throws 404. */
export async function exampleDetails(context: Deps, id: number): Promise<string> {
  const json = await queries.exampleDetails(context.db, id, staleDays(context));
  if (json === undefined) throw unknown(id);
  return json;
}

/** Keeps a new query example; QueryExampleDetails as JSON text. */
export function createExample(
  context: Deps,
  actor: Actor,
  { definition, query }: QueryExampleForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    const id = await queries.insertExample(tx, definition, query);
    return (await queries.exampleDetails(tx, id, staleDays(context)))!;
  });
}

/** Changes both texts of a query example; QueryExampleDetails as JSON text. Throws 404. */
export function updateExample(
  context: Deps,
  actor: Actor,
  id: number,
  { definition, query }: QueryExampleForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    if (!await queries.updateExample(tx, id, definition, query)) throw unknown(id);
    return (await queries.exampleDetails(tx, id, staleDays(context)))!;
  });
}

/** Deletes a query example; what it was attached to stays. Throws 404. */
export function deleteExample(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    if (!await queries.deleteExample(tx, id)) throw unknown(id);
  });
}

/** All query examples of a data entity; QueryExampleList as JSON text. Throws 404. */
export async function examplesOfEntity(context: Deps, id: number): Promise<string> {
  const json = await queries.examplesOf(context.db, "entity", id, staleDays(context));
  if (json === undefined) throw notFound("Data entity", id);
  return json;
}

/** All query examples of a term; QueryExampleList as JSON text. Throws 404. */
export async function examplesOfTerm(context: Deps, id: number): Promise<string> {
  const json = await queries.examplesOf(context.db, "term", id, staleDays(context));
  if (json === undefined) throw notFound("Term", id);
  return json;
}

const rows = (ids: string) =>
  `unnest(${ids}) WITH ORDINALITY AS f (id, n) JOIN query_example q ON q.id = f.id`;

/** The search over query examples: words only. */
export const queryExampleSearch: SearchFamily = {
  name: "query-examples",
  schemas: "QueryExample",
  tag: "queryExample",
  path: "/api/queryexample/search",
  operations: {
    start: "queryExamplesSearch",
    read: "getQueryExampleSearchFacetList",
    change: "updateQueryExampleSearchFacetList",
    results: "getQueryExampleSearchResults",
    suggestions: "getQueryExampleSearchSuggestions",
  },
  table: "query_example",
  document: {
    table: "query_example_document",
    key: "example_id",
    names: "ts_filter(d.vector, '{a}')",
  },
  shown: () => [],
  facets: new Map(),
  results: {
    schema: QueryExampleList,
    json: ({ ids, total, hasNext }, p, context) => {
      const each = `json_query_example(q, ${p.bind(staleDays(context))}::integer)`;
      return `json_build_object('items', ${itemsJson({ each, by: "f.n", from: rows(ids) })},
        'page_info', json_build_object('total', ${total}, 'hasNext', ${hasNext}))`;
    },
  },
  suggestions: {
    max: 5,
    schema: QueryExampleRefList,
    json: ({ ids }) =>
      listJson({
        each: "json_query_example_ref(q)",
        by: "f.n",
        from: rows(ids),
        total: `cardinality(${ids})`,
      }),
  },
};

/** Limits of query examples. */
export const queryExampleLimits: Limit[] = [
  limit("query examples", "definition, UTF-16 units", maxDefinition),
  limit("query examples", "query, UTF-16 units", maxQuery),
  limit("query examples", "data entities, and terms, that one is attached to", maxLinks),
  limit("query examples", "attached to a data entity, or to a term", maxLinks),
];
