import type { Actor } from "#contract/actor.ts";
import type { CollectorForm } from "#contract/catalogue/forms.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { readDependants } from "#services/api/dependants.ts";
import * as queries from "#services/api/features/collectors/queries.ts";
import {
  createToken,
  deleteToken,
  replaceToken,
} from "#services/api/features/datasources/service.ts";

type Deps = Pick<Context, "db" | "log">;

/** One page of the collectors whose name contains `query`; CollectorList as JSON text, tokens masked. */
export function listCollectors(
  { db }: Deps,
  query: ListQuery,
): Promise<string> {
  return queries.collectorList(db, containsPattern(query.query ?? ""), pageWindow(query));
}

/**
 * Registers a collector; the answer (Collector, JSON text) shows the full token. Throws 400 (USR003)
 * when the name is taken.
 */
export function registerCollector(context: Deps, actor: Actor, form: CollectorForm) {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const token = await createToken(change);
    const id = await queries.insertCollector(tx, {
      name: form.name,
      description: form.description ?? null,
      namespaceId: await ensureNamed(tx, "namespace", form.namespace_name ?? null),
    }, token.id);
    if (id === undefined) throw taken(form.name);
    change.audit("TOKEN_MINTED", inWords(id, form.name));
    return queries.collectorJson(tx, id, token.value);
  });
}

/**
 * Changes the members given in the form; Collector as JSON text. Throws 404, 400 when the name is
 * taken.
 */
export async function updateCollector(
  context: Deps,
  actor: Actor,
  id: number,
  form: CollectorForm,
): Promise<string> {
  return await changing(context, actor, async ({ tx }) => {
    const now = await locked(tx, id);
    const { name, description, namespace_name } = form;
    await queries.updateCollector(tx, id, {
      name,
      description: description === undefined ? now.description : description,
      namespaceId: namespace_name === undefined
        ? now.namespace_id
        : await ensureNamed(tx, "namespace", namespace_name),
    });
    return queries.collectorJson(tx, id);
  }, { unique: () => taken(form.name) });
}

/** Throws 404, and 400 (USR004) while data sources belong to the collector. */
export async function deleteCollector(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Collector ${id} has data sources: delete them first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const { token_id, name } = await locked(tx, id);
    await queries.deleteCollector(tx, id);
    await deleteToken(tx, token_id);
    change.audit("TOKEN_REVOKED", inWords(id, name));
  }, { foreignKey: () => readDependants(context.db, inUse, queries.ofCollector, id) });
}

/** Replaces the collector's token; the answer (Collector, JSON text) shows it in full. Throws 404. */
export function regenerateToken(context: Deps, actor: Actor, id: number): Promise<string> {
  return changing(context, actor, async (change) => {
    const { token_id, name } = await locked(change.tx, id);
    change.audit("TOKEN_REGENERATED", inWords(id, name));
    return queries.collectorJson(change.tx, id, await replaceToken(change, token_id));
  });
}

/** A collector for auditors. */
const inWords = (id: number, name: string) => `collector ${id} ${name}`;

async function locked(tx: Transaction, id: number): Promise<queries.CollectorRow> {
  const row = await queries.lockCollector(tx, id);
  if (!row) throw notFound("Collector", id);
  return row;
}

function taken(name: string) {
  return conflict(`There is already a collector called ${name}`, [
    { field: "name", message: "must not be the name of another collector" },
  ]);
}
