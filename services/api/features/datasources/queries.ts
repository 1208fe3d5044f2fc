import type { Actor } from "#contract/actor.ts";
import type { AlertType } from "#contract/alerts.ts";
import type { PageWindow } from "#contract/http.ts";
import type { StoredToken } from "#kit/secret.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { dependants } from "#services/api/dependants.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("source-list")`
  WITH found AS (SELECT id, name FROM data_source WHERE name ILIKE $1)
  ${
  listOfFound({
    each: "json_data_source_with_token(id, NULL)",
    by: "name, id",
    window: ["$2", "$3"],
  })
}`;

/** DataSourceList as JSON text, by name; `pattern` is for ILIKE. */
export async function sourceList(
  db: Queryable,
  pattern: string,
  page: PageWindow,
): Promise<string> {
  const values = [pattern, page.limit, page.offset];
  return (await db.query(list, values))[0]!.json;
}

const asJson = statement<JsonRow>("source-json")`
  SELECT json_data_source_with_token($1, $2)::text AS json`;

/** DataSource as JSON text; the token is masked unless its value is passed. */
export async function sourceJson(db: Queryable, id: number, token?: string): Promise<string> {
  return (await db.query(asJson, [id, token ?? null]))[0]!.json;
}

const addToken = statement<{ id: number }>("token-insert")`
    INSERT INTO token (digest, hint, created_by, created_by_provider, updated_by, updated_by_provider)
    VALUES ($1, $2, $3, $4, $3, $4) RETURNING id`;

/** Inserts a token; returns its id. */
export async function insertToken(tx: Transaction, { digest, hint }: StoredToken, by: Actor) {
  const values = [digest, hint, by.name, by.provider];
  return (await tx.query(addToken, values))[0]!.id;
}

const renewToken = statement("token-replace")`
    UPDATE token SET digest = $2, hint = $3, updated_by = $4, updated_by_provider = $5,
                     updated_at = now()
     WHERE id = $1`;

export async function replaceToken(
  tx: Transaction,
  id: number,
  { digest, hint }: StoredToken,
  by: Actor,
): Promise<void> {
  await tx.query(renewToken, [id, digest, hint, by.name, by.provider]);
}

const removeToken = statement("token-delete")`DELETE FROM token WHERE id = $1`;

export async function deleteToken(tx: Transaction, id: number): Promise<void> {
  await tx.query(removeToken, [id]);
}

interface NewSource {
  catrn: string;
  name: string;
  description: string | null;
  namespaceId: number | null;
  tokenId: number;
}

const insert = statement<{ id: number }>("source-insert")`
  INSERT INTO data_source (catrn, name, description, namespace_id, token_id)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (catrn) DO NOTHING RETURNING id`;

/** Returns the new id; undefined when the CATRN is taken. */
export async function insertSource(
  tx: Transaction,
  source: NewSource,
): Promise<number | undefined> {
  const { catrn, name, description, namespaceId, tokenId } = source;
  const values = [catrn, name, description, namespaceId, tokenId];
  return (await tx.query(insert, values))[0]?.id;
}

export interface SourceRow {
  catrn: string;
  name: string;
  description: string | null;
  namespace_id: number | null;
  collector_id: number | null;
  token_id: number | null;
}

const lock = statement<SourceRow>("source-lock")`
  SELECT catrn, name, description, namespace_id, collector_id, token_id
    FROM data_source WHERE id = $1 FOR NO KEY UPDATE`;

/** Reads and locks the source; undefined when it does not exist. */
export async function lockSource(db: Queryable, id: number): Promise<SourceRow | undefined> {
  return (await db.query(lock, [id]))[0];
}

const update = statement("source-update")`
  UPDATE data_source SET name = $2, description = $3, namespace_id = $4, updated_at = now()
   WHERE id = $1`;

export async function updateSource(
  tx: Transaction,
  id: number,
  row: Pick<SourceRow, "name" | "description" | "namespace_id">,
): Promise<void> {
  await tx.query(update, [id, row.name, row.description, row.namespace_id]);
}

const setToken = statement("source-give-token")`
  UPDATE data_source SET token_id = $2, updated_at = now() WHERE id = $1`;

export async function giveToken(tx: Transaction, id: number, tokenId: number): Promise<void> {
  await tx.query(setToken, [id, tokenId]);
}

const openAlerts = statement<{ id: number; type: AlertType }>("source-open-alerts")`
  SELECT id, alert_type_name(type) AS type FROM alert
   WHERE status = 1 AND data_source_id = $1 ORDER BY id FOR NO KEY UPDATE`;

/** Locks the open alerts about a source. */
export function lockAlertsOf(tx: Transaction, id: number) {
  return tx.query(openAlerts, [id]);
}

// Deleted entities that await their purge must not block this; a later payload sets the source
// again.
const release = statement("source-release")`
  UPDATE data_entity SET data_source_id = NULL WHERE id = ANY(ARRAY(
    SELECT id FROM data_entity WHERE data_source_id = $1 AND NOT is_live(status)
     ORDER BY id FOR NO KEY UPDATE))`;

/** What keeps a source from being deleted. */
export const ofSource = dependants("source", {
  entities: `
    SELECT coalesce(internal_name, external_name, catrn) AS name FROM data_entity
     WHERE data_source_id = $1 AND is_live(status)`,
});

const remove = statement("source-delete")`DELETE FROM data_source WHERE id = $1`;

/** Deletes the source; its deleted entities remain. Fails (23503) while it has live ones. */
export async function deleteSource(tx: Transaction, id: number): Promise<void> {
  await tx.query(release, [id]);
  await tx.query(remove, [id]);
}

interface ArrivalsRow {
  assets_count: number;
  data_sources: string[];
}

/** $1 data source, or $2 collector; $3 assets counted at most. */
const arrivals = statement<ArrivalsRow>("data-source-arrivals")`
  WITH found AS MATERIALIZED (
    SELECT s.name FROM data_source s, LATERAL (
      SELECT FROM data_entity e WHERE e.data_source_id = s.id AND is_live(e.status) LIMIT $3::int) e
     WHERE s.id = $1::bigint OR s.collector_id = $2::bigint
     LIMIT $3::int)
  SELECT (SELECT count(*) FROM found) AS assets_count,
         ARRAY(SELECT DISTINCT name::text FROM found ORDER BY 1 LIMIT 10) AS data_sources`;

/** What has come from a data source, or from those of a collector; ten of their names. */
export async function arrivalsOf(
  db: Queryable,
  { source, collector }: { source?: number; collector?: number },
  max: number,
): Promise<ArrivalsRow> {
  return (await db.query(arrivals, [source ?? null, collector ?? null, max]))[0]!;
}
