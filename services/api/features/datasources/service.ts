import type { Actor } from "#contract/actor.ts";
import type { AlertType } from "#contract/alerts.ts";
import type { DataSourceForm, DataSourceUpdateForm } from "#contract/catalogue/inputs.ts";
import type { ListQuery } from "#contract/http.ts";
import { badRequest, conflict, requireFound } from "#kit/errors.ts";
import { newToken, storedTokenOf } from "#kit/secret.ts";
import { resolveAlerts } from "#metadata/catalogue/alerts.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { dependants, dependantsError } from "#services/api/conflicts.ts";
import { listOfFound, pageByName } from "#services/api/list-json.ts";

type Deps = Pick<Context, "db" | "log">;

const list = statement<JsonRow>("source-list")`
  WITH found AS (SELECT id, name FROM data_source WHERE name ILIKE $1)
  ${
  listOfFound({
    each: "json_data_source_with_token(id, NULL)",
    by: "name, id",
    window: ["$2", "$3"],
  })
}`;

/** One page of the sources whose name contains `query`; DataSourceList as JSON text, tokens masked. */
export function listSources({ db }: Deps, query: ListQuery): Promise<string> {
  return pageByName(db.reads, list, query);
}

/**
 * Registers a source with its own token, shown in full in the answer (DataSource, JSON text). Throws
 * 400 (USR003) when the CATRN is taken.
 */
export function registerSource(context: Deps, actor: Actor, form: DataSourceForm) {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const token = await createToken(change);
    const { catrn, name, description = null, namespace_name = null } = form;
    const namespaceId = await ensureNamed(tx, "namespace", namespace_name);
    const [made] = await tx.query(insert, [catrn, name, description, namespaceId, token.id]);
    if (!made) {
      throw conflict(`There is already a data source ${catrn}`, [
        { field: "catrn", message: "must not be the CATRN of another data source" },
      ]);
    }
    change.audit("TOKEN_MINTED", inWords(made.id, form));
    return sourceJson(tx, made.id, token.value);
  });
}

/**
 * Changes the members given in the form; search documents follow in the background. DataSource as
 * JSON text. Throws 404.
 */
export function updateSource(context: Deps, actor: Actor, id: number, form: DataSourceUpdateForm) {
  return changing(context, actor, async ({ tx }) => {
    const now = await lockSource(tx, id);
    const { name, description = now.description, namespace_name } = form;
    const namespaceId = namespace_name === undefined
      ? now.namespace_id
      : await ensureNamed(tx, "namespace", namespace_name);
    await tx.query(update, [id, name ?? now.name, description, namespaceId]);
    return sourceJson(tx, id);
  });
}

/** What keeps a source from being deleted. */
const ofSource = dependants("source", {
  entities: `
    SELECT coalesce(internal_name, external_name, catrn) AS name FROM data_entity
     WHERE data_source_id = $1 AND is_live(status)`,
});

/**
 * Deletes a source. Its deleted entities remain without a source until they are purged; open alerts
 * about it are resolved. Throws 404, and 400 (USR004) while the source has other entities.
 */
export async function deleteSource(
  context: Deps & Pick<Context, "clock">,
  actor: Actor,
  id: number,
): Promise<void> {
  const inUse = `Data source ${id} has entities: delete them first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const source = await lockSource(tx, id);
    await resolveAlertsOf(context, tx, id);
    await tx.query(release, [id]);
    await tx.query(remove, [id]);
    if (source.token_id === null) return;
    await deleteToken(tx, source.token_id);
    change.audit("TOKEN_REVOKED", inWords(id, source));
  }, { foreignKey: () => dependantsError(context.db, inUse, ofSource, id) });
}

const openAlerts = statement<{ id: number; type: AlertType }>("source-open-alerts")`
  SELECT id, alert_type_name(type) AS type FROM alert
   WHERE status = 1 AND data_source_id = $1 ORDER BY id FOR NO KEY UPDATE`;

/** There is no source any more that could deliver again, so nothing else would resolve them. */
async function resolveAlertsOf({ clock }: Pick<Context, "clock">, tx: Transaction, id: number) {
  const open = await tx.query(openAlerts, [id]);
  const at = new Date(clock.now()).toISOString();
  await resolveAlerts(tx, open.map((alert) => ({ ...alert, entityId: null })), at);
}

/**
 * Replaces the source's token, or creates its first; the answer (DataSource, JSON text) shows it in
 * full. Throws 404, and 400 for a source that uses its collector's token.
 */
export function regenerateToken(context: Deps, actor: Actor, id: number): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const source = await lockSource(tx, id);
    const { token_id, collector_id } = source;
    if (token_id !== null) {
      change.audit("TOKEN_REGENERATED", inWords(id, source));
      return sourceJson(tx, id, await replaceToken(change, token_id));
    }
    if (collector_id !== null) {
      throw badRequest(
        `Data source ${id} has no token of its own: it is authorised by that of its collector`,
      );
    }
    const token = await createToken(change);
    await tx.query(giveToken, [id, token.id]);
    change.audit("TOKEN_MINTED", inWords(id, source));
    return sourceJson(tx, id, token.value);
  });
}

/** A source for auditors; its name need not be its own. */
function inWords(id: number, { name, catrn }: { name: string; catrn: string }): string {
  return `data source ${id} ${name} (${catrn})`;
}

interface SourceRow {
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

/** Reads and locks a source. Throws 404. */
async function lockSource(tx: Transaction, id: number): Promise<SourceRow> {
  return requireFound(await tx.query(lock, [id]), "Data source", id);
}

const asJson = statement<JsonRow>("source-json")`
  SELECT json_data_source_with_token($1, $2)::text AS json`;

/** DataSource as JSON text; the token is masked unless its value is passed. */
async function sourceJson(tx: Transaction, id: number, token?: string): Promise<string> {
  return (await tx.query(asJson, [id, token ?? null]))[0]!.json;
}

/** Creates a random token. Its value is not stored, so only this answer can show it. */
export async function createToken({ tx, actor }: Change) {
  const value = newToken();
  const { digest, hint } = storedTokenOf(value);
  const [made] = await tx.query(addToken, [digest, hint, actor.name, actor.provider]);
  return { id: made!.id, value };
}

const addToken = statement<{ id: number }>("token-insert")`
    INSERT INTO token (digest, hint, created_by, created_by_provider, updated_by, updated_by_provider)
    VALUES ($1, $2, $3, $4, $3, $4) RETURNING id`;

/** Gives a token a new random value, which is returned but not stored. */
export async function replaceToken({ tx, actor }: Change, id: number) {
  const value = newToken();
  const { digest, hint } = storedTokenOf(value);
  await tx.query(renewToken, [id, digest, hint, actor.name, actor.provider]);
  return value;
}

const renewToken = statement("token-replace")`
    UPDATE token SET digest = $2, hint = $3, updated_by = $4, updated_by_provider = $5,
                     updated_at = now()
     WHERE id = $1`;

const removeToken = statement("token-delete")`DELETE FROM token WHERE id = $1`;

export async function deleteToken(tx: Transaction, id: number): Promise<void> {
  await tx.query(removeToken, [id]);
}

const insert = statement<{ id: number }>("source-insert")`
  INSERT INTO data_source (catrn, name, description, namespace_id, token_id)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (catrn) DO NOTHING RETURNING id`;

const update = statement("source-update")`
  UPDATE data_source SET name = $2, description = $3, namespace_id = $4, updated_at = now()
   WHERE id = $1`;

const giveToken = statement("source-give-token")`
  UPDATE data_source SET token_id = $2, updated_at = now() WHERE id = $1`;

// Deleted entities that await their purge must not block this; a later payload sets the source
// again.
const release = statement("source-release")`
  UPDATE data_entity SET data_source_id = NULL WHERE id = ANY(ARRAY(
    SELECT id FROM data_entity WHERE data_source_id = $1 AND NOT is_live(status)
     ORDER BY id FOR NO KEY UPDATE))`;

const remove = statement("source-delete")`DELETE FROM data_source WHERE id = $1`;

/** Assets that are counted at most. */
const maxArrivals = 10_000;

/** $1 data source, or $2 collector; $3 assets counted at most. It names ten of the sources. */
const arrivals = statement<{ assets_count: number; data_sources: string[] }>(
  "data-source-arrivals",
)`
  WITH found AS MATERIALIZED (
    SELECT s.name FROM data_source s, LATERAL (
      SELECT FROM data_entity e WHERE e.data_source_id = s.id AND is_live(e.status) LIMIT $3::int) e
     WHERE s.id = $1::bigint OR s.collector_id = $2::bigint
     LIMIT $3::int)
  SELECT (SELECT count(*) FROM found) AS assets_count,
         ARRAY(SELECT DISTINCT name::text FROM found ORDER BY 1 LIMIT 10) AS data_sources`;

/** What has come from a data source or from those of a collector (DataSourceArrivals); of an unknown one nothing has. */
export async function readArrivals(
  { db }: Pick<Context, "db">,
  { source, collector }: { source?: number; collector?: number },
) {
  const values = [source ?? null, collector ?? null, maxArrivals];
  const found = (await db.reads.query(arrivals, values))[0]!;
  return { ...found, assets_at_least: found.assets_count >= maxArrivals };
}
