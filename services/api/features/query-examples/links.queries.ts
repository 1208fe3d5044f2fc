import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { LinkTarget } from "#services/api/features/query-examples/queries.ts";

const lock = statement("query-example-lock-one")`
  SELECT FROM query_example WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks a query example, after what it is to be attached to; false when there is none. */
export async function lockExample(tx: Transaction, id: number): Promise<boolean> {
  return (await tx.query(lock, [id])).length > 0;
}

const tables: Record<LinkTarget, { table: string; key: string }> = {
  entity: { table: "entity_query_example", key: "entity_id" },
  term: { table: "term_query_example", key: "term_id" },
};

const counting = (kind: LinkTarget) =>
  statement<{ things: number; examples: number }>(`query-example-links-of-${kind}`)`
  SELECT (SELECT count(*) FROM ${tables[kind].table} WHERE example_id = $2) AS things,
         (SELECT count(*) FROM ${tables[kind].table} WHERE ${tables[kind].key} = $1) AS examples`;
const count = { entity: counting("entity"), term: counting("term") };

const attaching = (kind: LinkTarget) =>
  statement<{ done: boolean }>(`query-example-attach-${kind}`)`
  INSERT INTO ${tables[kind].table} (${tables[kind].key}, example_id) VALUES ($1, $2)
  ON CONFLICT DO NOTHING RETURNING true AS done`;
const insert = { entity: attaching("entity"), term: attaching("term") };

const detaching = (kind: LinkTarget) =>
  statement(`query-example-detach-${kind}`)`
  DELETE FROM ${tables[kind].table} WHERE ${tables[kind].key} = $1 AND example_id = $2`;
const remove = { entity: detaching("entity"), term: detaching("term") };

/** How many things of a kind a query example is attached to, and how many examples one of them has. */
export async function linkCounts(
  tx: Transaction,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<{ things: number; examples: number }> {
  return (await tx.query(count[kind], [thing, example]))[0]!;
}

/** Attaches a query example to a thing, both locked; false when it was attached already. */
export async function attach(
  tx: Transaction,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<boolean> {
  return (await tx.query(insert[kind], [thing, example])).length > 0;
}

/** Takes a query example from a thing, both locked, if it is attached. */
export async function detach(
  tx: Transaction,
  kind: LinkTarget,
  thing: number,
  example: number,
): Promise<void> {
  await tx.query(remove[kind], [thing, example]);
}

const one = statement<JsonRow>("query-example-one")`
  SELECT json_query_example(q, $2)::text AS json FROM query_example q WHERE q.id = $1`;

/** QueryExample of a locked query example as JSON text. */
export async function exampleJson(
  tx: Transaction,
  id: number,
  staleDays: number,
): Promise<string> {
  return (await tx.query(one, [id, staleDays]))[0]!.json;
}
