import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { listJson } from "#services/api/list-json.ts";

const listOf = (name: string, found: string) =>
  statement<JsonRow>(`query-example-list-${name}`)`
  SELECT ${
    listJson({
      each: "json_query_example_ref(q)",
      by: "q.id",
      from: `(SELECT q.id FROM ${found} ORDER BY q.id LIMIT $1 OFFSET $2) page
      JOIN query_example q ON q.id = page.id`,
      total: "t.total",
      window: ["$1", "$2"],
    })
  }::text AS json
    FROM (SELECT count(*) AS total FROM ${found}) t`;

const lists = {
  all: listOf("all", "query_example q"),
  found: listOf(
    "found",
    `query_example_document d JOIN query_example q ON q.id = d.example_id
      AND d.vector @@ (SELECT search_query_inside($3))`,
  ),
};

/** QueryExampleRefList of one page as JSON text, by id; `typed` as in a search, null: all. */
export async function exampleList(
  db: Queryable,
  typed: string | null,
  { limit, offset }: PageWindow,
): Promise<string> {
  const rows = typed === null
    ? await db.query(lists.all, [limit, offset])
    : await db.query(lists.found, [limit, offset, typed]);
  return rows[0]!.json;
}

const details = statement<JsonRow>("query-example-details")`
  SELECT json_query_example_details(q, $2)::text AS json FROM query_example q WHERE q.id = $1`;

/** QueryExampleDetails as JSON text; undefined when there is none. */
export async function exampleDetails(
  db: Queryable,
  id: number,
  staleDays: number,
): Promise<string | undefined> {
  return (await db.query(details, [id, staleDays]))[0]?.json;
}

const ofThing = (name: string, thing: string, link: string) =>
  statement<JsonRow>(`query-example-of-${name}`)`
  SELECT ${
    listJson({
      each: "json_query_example(q, $2)",
      by: "q.id",
      from: `${link} JOIN query_example q ON q.id = l.example_id`,
      total: `(SELECT count(*) FROM ${link})`,
    })
  }::text AS json
    FROM ${thing}`;

const attached = {
  entity: ofThing(
    "entity",
    "data_entity e WHERE e.id = $1 AND NOT e.hollow",
    "(SELECT example_id FROM entity_query_example WHERE entity_id = $1) l",
  ),
  term: ofThing(
    "term",
    "term t WHERE t.id = $1",
    "(SELECT example_id FROM term_query_example WHERE term_id = $1) l",
  ),
};

/** What query examples are attached to. */
export type LinkTarget = keyof typeof attached;

/** QueryExampleList of what is attached to a thing, as JSON text; undefined when the thing is unknown or hollow. */
export async function examplesOf(
  db: Queryable,
  kind: LinkTarget,
  id: number,
  staleDays: number,
): Promise<string | undefined> {
  return (await db.query(attached[kind], [id, staleDays]))[0]?.json;
}

const insert = statement<{ id: number }>("query-example-insert")`
  INSERT INTO query_example (definition, query) VALUES ($1, $2) RETURNING id`;

export async function insertExample(
  tx: Transaction,
  definition: string,
  query: string,
): Promise<number> {
  return (await tx.query(insert, [definition, query]))[0]!.id;
}

const update = statement<{ id: number }>("query-example-update")`
  UPDATE query_example SET definition = $2, query = $3, updated_at = now()
   WHERE id = $1 RETURNING id`;

/** False when there is no such query example. */
export async function updateExample(
  tx: Transaction,
  id: number,
  definition: string,
  query: string,
): Promise<boolean> {
  return (await tx.query(update, [id, definition, query])).length > 0;
}

const remove = statement<{ id: number }>("query-example-delete")`
  DELETE FROM query_example WHERE id = $1 RETURNING id`;

/** Deletes a query example with its links; false when there is none. */
export async function deleteExample(tx: Transaction, id: number): Promise<boolean> {
  return (await tx.query(remove, [id])).length > 0;
}
