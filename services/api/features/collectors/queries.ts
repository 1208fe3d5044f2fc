import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { dependants } from "#services/api/dependants.queries.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("collector-list")`
  WITH found AS (SELECT id, name FROM collector WHERE name ILIKE $1)
  ${listOfFound({ each: "json_collector(id, NULL)", by: "name", window: ["$2", "$3"] })}`;

/** CollectorList as JSON text, by name; `pattern` is for ILIKE. */
export async function collectorList(
  db: Queryable,
  pattern: string,
  page: PageWindow,
): Promise<string> {
  const values = [pattern, page.limit, page.offset];
  return (await db.query(list, values))[0]!.json;
}

const asJson = statement<JsonRow>("collector-json")`SELECT json_collector($1, $2)::text AS json`;

/** Collector as JSON text; the token is masked unless its value is passed. */
export async function collectorJson(db: Queryable, id: number, token?: string): Promise<string> {
  return (await db.query(asJson, [id, token ?? null]))[0]!.json;
}

export interface CollectorValues {
  name: string;
  description: string | null;
  namespaceId: number | null;
}

const insert = statement<{ id: number }>("collector-insert")`
  INSERT INTO collector (name, description, namespace_id, token_id)
  VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING RETURNING id`;

/** Returns the new id; undefined when the name is taken. */
export async function insertCollector(tx: Transaction, row: CollectorValues, tokenId: number) {
  const values = [row.name, row.description, row.namespaceId, tokenId];
  return (await tx.query(insert, values))[0]?.id;
}

export interface CollectorRow {
  name: string;
  description: string | null;
  namespace_id: number | null;
  token_id: number;
}

const lock = statement<CollectorRow>("collector-lock")`
  SELECT name, description, namespace_id, token_id FROM collector WHERE id = $1 FOR NO KEY UPDATE`;

/** Reads and locks the collector; undefined when it does not exist. */
export async function lockCollector(db: Queryable, id: number): Promise<CollectorRow | undefined> {
  return (await db.query(lock, [id]))[0];
}

const update = statement("collector-update")`
  UPDATE collector SET name = $2, description = $3, namespace_id = $4, updated_at = now()
   WHERE id = $1`;

export async function updateCollector(
  tx: Transaction,
  id: number,
  row: CollectorValues,
): Promise<void> {
  await tx.query(update, [id, row.name, row.description, row.namespaceId]);
}

/** What keeps a collector from being deleted. */
export const ofCollector = dependants("collector", {
  "data sources": "SELECT name FROM data_source WHERE collector_id = $1",
});

const remove = statement("collector-delete")`DELETE FROM collector WHERE id = $1`;

export async function deleteCollector(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}
