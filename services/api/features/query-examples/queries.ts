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

/** QueryExampleRefList of one page, by id: $1 limit, $2 offset; `found` by what is typed ($3), as in a search. */
export const lists = {
  all: listOf("all", "query_example q"),
  found: listOf(
    "found",
    `query_example_document d JOIN query_example q ON q.id = d.example_id
      AND d.vector @@ (SELECT search_query_inside($3))`,
  ),
};

/** QueryExampleDetails of $1; $2 stale period in days. */
export const details = statement<JsonRow>("query-example-details")`
  SELECT json_query_example_details(q, $2)::text AS json FROM query_example q WHERE q.id = $1`;

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

/** QueryExampleList of what is attached to $1; no row when it is unknown or hollow. $2 stale period in days. */
export const attached = {
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

/** $1 definition, $2 query. */
export const insert = statement<{ id: number }>("query-example-insert")`
  INSERT INTO query_example (definition, query) VALUES ($1, $2) RETURNING id`;

/** $1 id, $2 definition, $3 query. */
export const update = statement("query-example-update")`
  UPDATE query_example SET definition = $2, query = $3, updated_at = now() WHERE id = $1`;

/** Deletes a query example with its links; no row for an unknown one. */
export const remove = statement<{ id: number }>("query-example-delete")`
  DELETE FROM query_example WHERE id = $1 RETURNING id`;
