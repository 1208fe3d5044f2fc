import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { Id, type ListQuery, pageWindow } from "#contract/http.ts";
import { QueryExampleList, QueryExampleRefList } from "#contract/catalogue/assets.ts";
import { givenText } from "#contract/text.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lockEntity } from "#metadata/catalogue/entities.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/query-examples/queries.ts";
import { staleDays } from "#services/api/stale.ts";
import { foundJson, itemsJson, listJson } from "#services/api/list-json.ts";
import type { SearchFamily } from "#services/api/search/family.ts";
import { lockTerm } from "#services/api/features/terms/service.ts";

type Deps = Pick<Context, "db" | "config">;

/** One page of query examples, by id; with a text only those that a search for it finds. QueryExampleRefList as JSON text. */
export async function listExamples({ db }: Deps, { query, ...page }: ListQuery): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const rows = query === undefined
    ? await db.query(queries.lists.all, [limit, offset])
    : await db.query(queries.lists.found, [limit, offset, query]);
  return rows[0]!.json;
}

/** QueryExampleDetails as JSON text. Throws 404. */
export function exampleDetails(context: Deps, id: number): Promise<string> {
  return detailsOf(context, context.db, id);
}

async function detailsOf(context: Deps, db: Queryable, id: number): Promise<string> {
  return foundJson(await db.query(queries.details, [id, staleDays(context)]), "Query example", id);
}

/** Keeps a new query example; QueryExampleDetails as JSON text. */
export function createExample(
  context: Deps,
  actor: Actor,
  { definition, query }: QueryExampleForm,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    const [made] = await tx.query(queries.insert, [definition, query]);
    return await detailsOf(context, tx, made!.id);
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
    await tx.query(queries.update, [id, definition, query]);
    return await detailsOf(context, tx, id);
  });
}

/** Deletes a query example; what it was attached to stays. Throws 404. */
export function deleteExample(context: Deps, actor: Actor, id: number): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    const deleted = await tx.query(queries.remove, [id]);
    if (deleted.length === 0) throw notFound("Query example", id);
  });
}

/** All query examples of a data entity or term; QueryExampleList as JSON text. Throws 404. */
export async function examplesOf(context: Deps, kind: LinkTarget, id: number): Promise<string> {
  const rows = await context.db.query(queries.attached[kind], [id, staleDays(context)]);
  return foundJson(rows, kind === "entity" ? "Data entity" : "Term", id);
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

/** What query examples are attached to. */
type LinkTarget = keyof typeof queries.attached;

/** Longest text that says what a query is for, and longest query, in UTF-16 units. */
const maxDefinition = 10_000;
const maxQuery = 30_000;

/** Most data entities, and most terms, that a query example is attached to; most that one of them has. */
export const maxLinks = 100;

export const QueryExampleForm = z.object({
  definition: givenText({ min: 1, max: maxDefinition }),
  query: givenText({ min: 1, max: maxQuery }),
}).openapi("QueryExampleFormData");
export type QueryExampleForm = z.output<typeof QueryExampleForm>;

export const EntityLinkForm = z.object({ query_example_id: Id })
  .openapi("DataEntityQueryExampleFormData");
export const TermLinkForm = z.object({ query_example_id: Id }).openapi("QueryExampleTermFormData");

/** Limits of query examples. */
export const queryExampleLimits: Limit[] = [
  limit("query examples", "definition, UTF-16 units", maxDefinition),
  limit("query examples", "query, UTF-16 units", maxQuery),
  limit("query examples", "data entities, and terms, that one is attached to", maxLinks),
  limit("query examples", "attached to a data entity, or to a term", maxLinks),
];

const field = "query_example_id";
const named: Record<LinkTarget, string> = { entity: "data entity", term: "term" };

/**
 * Attaches a query example to a thing; QueryExample as JSON text. Throws 404, and 400 when it is attached
 * already (USR003) or either of the two has as many as it may.
 */
export function attach(
  context: Deps,
  actor: Actor,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<string> {
  return changing(context, actor, async ({ tx }) => {
    await lockBoth(tx, kind, thing, example);
    const [before] = await tx.query(count[kind], [thing, example]);
    const added = await tx.query(insert[kind], [thing, example]);
    if (added.length === 0) {
      const message = `Query example ${example} is attached to ${named[kind]} ${thing} already`;
      throw conflict(message, [{ field, message: "must not be attached yet" }]);
    }
    refuseMore(kind, before!);
    return (await tx.query(one, [example, staleDays(context)]))[0]!.json;
  });
}

function refuseMore(kind: LinkTarget, { things, examples }: { things: number; examples: number }) {
  const full = things >= maxLinks
    ? `The query example has ${maxLinks} links of this kind`
    : examples >= maxLinks
    ? `The ${named[kind]} has ${maxLinks} query examples`
    : undefined;
  if (full) throw badRequest(full, [{ field, message: `${full}: the most there may be` }]);
}

/** Takes a query example from a thing; nothing happens when it is not attached. Throws 404 when either is unknown. */
export function detach(
  context: Deps,
  actor: Actor,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<void> {
  return changing(context, actor, async ({ tx }) => {
    await lockBoth(tx, kind, thing, example);
    await tx.query(remove[kind], [thing, example]);
  });
}

/** Locks the thing, then the example: the order of everything that touches both. */
async function lockBoth(tx: Transaction, kind: LinkTarget, thing: number, example: number) {
  if (kind === "entity") await lockEntity(tx, thing);
  else if (!await lockTerm(tx, thing, "change")) throw notFound("Term", thing);
  const known = await tx.query(lock, [example]);
  if (known.length === 0) throw notFound("Query example", example);
}

const lock = statement("query-example-lock-one")`
  SELECT FROM query_example WHERE id = $1 FOR NO KEY UPDATE`;

const tables: Record<LinkTarget, { table: string; key: string }> = {
  entity: { table: "entity_query_example", key: "entity_id" },
  term: { table: "term_query_example", key: "term_id" },
};

const counting = (kind: LinkTarget) =>
  statement<{ things: number; examples: number }>(`query-example-links-of-${kind}`)`
  SELECT (SELECT count(*) FROM ${tables[kind].table} WHERE example_id = $2) AS things,
         (SELECT count(*) FROM ${tables[kind].table} WHERE ${tables[kind].key} = $1) AS examples`;
/** How many things of a kind the query example $2 is attached to, and how many examples the thing $1 has. */
const count = { entity: counting("entity"), term: counting("term") };

const attaching = (kind: LinkTarget) =>
  statement(`query-example-attach-${kind}`)`
  INSERT INTO ${tables[kind].table} (${tables[kind].key}, example_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING RETURNING example_id`;
/** Attach the query example $2 to the thing $1; no row when it was attached already. */
const insert = { entity: attaching("entity"), term: attaching("term") };

const detaching = (kind: LinkTarget) =>
  statement(`query-example-detach-${kind}`)`
  DELETE FROM ${tables[kind].table} WHERE ${tables[kind].key} = $1 AND example_id = $2`;
const remove = { entity: detaching("entity"), term: detaching("term") };

const one = statement<JsonRow>("query-example-one")`
  SELECT json_query_example(q, $2)::text AS json FROM query_example q WHERE q.id = $1`;
