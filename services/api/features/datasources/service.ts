import type { Actor } from "#contract/actor.ts";
import {
  containsPattern,
  type DataSourceForm,
  type DataSourceUpdateForm,
} from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { newToken, storedTokenOf } from "#kit/secret.ts";
import { resolveAlerts } from "#metadata/catalogue/alerts.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { readDependants } from "#services/api/dependants.ts";
import * as queries from "#services/api/features/datasources/queries.ts";

type Deps = Pick<Context, "db" | "log">;

/** One page of the sources whose name contains `query`; DataSourceList as JSON text, tokens masked. */
export function listSources(
  { db }: Deps,
  query: ListQuery,
): Promise<string> {
  return queries.sourceList(db.reads, containsPattern(query.query ?? ""), pageWindow(query));
}

/**
 * Registers a source with its own token, shown in full in the answer (DataSource, JSON text). Throws
 * 400 (USR003) when the CATRN is taken.
 */
export function registerSource(context: Deps, actor: Actor, form: DataSourceForm) {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const token = await createToken(change);
    const id = await queries.insertSource(tx, {
      catrn: form.catrn,
      name: form.name,
      description: form.description ?? null,
      namespaceId: await ensureNamed(tx, "namespace", form.namespace_name ?? null),
      tokenId: token.id,
    });
    if (id === undefined) {
      throw conflict(`There is already a data source ${form.catrn}`, [
        { field: "catrn", message: "must not be the CATRN of another data source" },
      ]);
    }
    change.audit("TOKEN_MINTED", inWords(id, form));
    return queries.sourceJson(tx, id, token.value);
  });
}

/**
 * Changes the members given in the form; search documents follow in the background. DataSource as
 * JSON text. Throws 404.
 */
export function updateSource(context: Deps, actor: Actor, id: number, form: DataSourceUpdateForm) {
  return changing(context, actor, async ({ tx }) => {
    const now = await locked(tx, id);
    const { name, description, namespace_name } = form;
    await queries.updateSource(tx, id, {
      name: name ?? now.name,
      description: description === undefined ? now.description : description,
      namespace_id: namespace_name === undefined
        ? now.namespace_id
        : await ensureNamed(tx, "namespace", namespace_name),
    });
    return queries.sourceJson(tx, id);
  });
}

/**
 * Deletes a source. Its deleted entities remain without a source until they are purged; open alerts
 * about it are resolved. Throws 404,
 * and 400 (USR004) while the source has other entities.
 */
export async function deleteSource(
  context: Deps & Pick<Context, "clock">,
  actor: Actor,
  id: number,
): Promise<void> {
  const inUse = `Data source ${id} has entities: delete them first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const source = await locked(tx, id);
    await resolveAlertsOf(context, tx, id);
    await queries.deleteSource(tx, id);
    if (source.token_id === null) return;
    await queries.deleteToken(tx, source.token_id);
    change.audit("TOKEN_REVOKED", inWords(id, source));
  }, { foreignKey: () => readDependants(context.db, inUse, queries.ofSource, id) });
}

/** There is no source any more that could deliver again, so nothing else would resolve them. */
async function resolveAlertsOf({ clock }: Pick<Context, "clock">, tx: Transaction, id: number) {
  const open = await queries.lockAlertsOf(tx, id);
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
    const source = await locked(tx, id);
    const { token_id, collector_id } = source;
    if (token_id !== null) {
      change.audit("TOKEN_REGENERATED", inWords(id, source));
      return queries.sourceJson(tx, id, await replaceToken(change, token_id));
    }
    if (collector_id !== null) {
      throw badRequest(
        `Data source ${id} has no token of its own: it is authorised by that of its collector`,
      );
    }
    const token = await createToken(change);
    await queries.giveToken(tx, id, token.id);
    change.audit("TOKEN_MINTED", inWords(id, source));
    return queries.sourceJson(tx, id, token.value);
  });
}

/** Creates a random token. Its value is not stored, so only this answer can show it. */
export async function createToken({ tx, actor }: Change) {
  const value = newToken();
  return { id: await queries.insertToken(tx, storedTokenOf(value), actor), value };
}

/** Gives a token a new random value, which is returned but not stored. */
export async function replaceToken({ tx, actor }: Change, id: number) {
  const value = newToken();
  await queries.replaceToken(tx, id, storedTokenOf(value), actor);
  return value;
}

export function deleteToken(tx: Transaction, id: number): Promise<void> {
  return queries.deleteToken(tx, id);
}

/** A source for auditors; its name need not be its own. */
function inWords(id: number, { name, catrn }: { name: string; catrn: string }): string {
  return `data source ${id} ${name} (${catrn})`;
}

async function locked(tx: Transaction, id: number): Promise<queries.SourceRow> {
  const row = await queries.lockSource(tx, id);
  if (!row) throw notFound("Data source", id);
  return row;
}

/** Assets that are counted at most. */
const maxArrivals = 10_000;

/** What has come from a data source or from those of a collector (DataSourceArrivals); of an unknown one nothing has. */
export async function readArrivals(
  { db }: Pick<Context, "db">,
  of: { source?: number; collector?: number },
) {
  const found = await queries.arrivalsOf(db.reads, of, maxArrivals);
  return { ...found, assets_at_least: found.assets_count >= maxArrivals };
}
