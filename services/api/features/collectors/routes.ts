import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { Collector, CollectorList } from "#contract/catalogue/common.ts";
import { CollectorForm, listQuery } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import { conflict, requireFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { ensureNamed } from "#metadata/catalogue/names.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { dependants, dependantsError } from "#services/api/conflicts.ts";
import {
  createToken,
  deleteToken,
  replaceToken,
} from "#services/api/features/datasources/service.ts";
import { listOfFound, pageByName } from "#services/api/list-json.ts";

const all = {
  tag: "collector",
  path: "/api/collectors",
  activity: { none: "the feed contains changes of entities; a collector is not one" },
  secret: true,
};
const one = {
  ...all,
  path: "/api/collectors/{collector_id}",
  params: z.object({ collector_id: idParam("collector_id") }),
};

const listSpec = operation({
  ...all,
  id: "getCollectorsList",
  method: "get",
  summary: "Collectors by name; their tokens are masked",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: CollectorList } },
});

const registerSpec = operation({
  ...all,
  id: "registerCollector",
  method: "post",
  summary: "Register a collector; only this response contains its token",
  access: { permission: "COLLECTOR_CREATE", on: "MANAGEMENT" },
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
});

const updateSpec = operation({
  ...one,
  id: "updateCollector",
  method: "put",
  summary: "Change a collector; members left out stay as they are, null empties them",
  access: { permission: "COLLECTOR_UPDATE", on: "MANAGEMENT" },
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteCollector",
  method: "delete",
  summary: "Delete a collector that has no data sources",
  access: { permission: "COLLECTOR_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

const tokenSpec = operation({
  ...one,
  id: "regenerateCollectorToken",
  method: "put",
  path: `${one.path}/token`,
  summary: "Regenerate the token of a collector; the old one is invalid immediately",
  access: { permission: "COLLECTOR_TOKEN_REGENERATE", on: "MANAGEMENT" },
  responses: { 200: { description: "The collector with its full token", schema: Collector } },
});

/** The operations on collectors. */
export function collectorRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => pageByName(context.db, list, query)),
    serve(registerSpec, ({ body, actor }) => registerCollector(context, actor, body)),
    serve(
      updateSpec,
      ({ params, body, actor }) => updateCollector(context, actor, params.collector_id, body),
    ),
    serve(deleteSpec, ({ params, actor }) => deleteCollector(context, actor, params.collector_id)),
    serve(tokenSpec, ({ params, actor }) => regenerateToken(context, actor, params.collector_id)),
  ];
}

type Deps = Pick<Context, "db" | "log">;

/** CollectorList, by name; tokens are masked. */
const list = statement<JsonRow>("collector-list")`
  WITH found AS (SELECT id, name FROM collector WHERE name ILIKE $1)
  ${listOfFound({ each: "json_collector(id, NULL)", by: "name", window: ["$2", "$3"] })}`;

/**
 * Registers a collector; the answer (Collector, JSON text) shows the full token. Throws 400 (USR003)
 * when the name is taken.
 */
function registerCollector(context: Deps, actor: Actor, form: CollectorForm) {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const token = await createToken(change);
    const { name, description = null, namespace_name = null } = form;
    const namespaceId = await ensureNamed(tx, "namespace", namespace_name);
    const [made] = await tx.query(insert, [name, description, namespaceId, token.id]);
    if (!made) throw taken(name);
    change.audit("TOKEN_MINTED", inWords(made.id, name));
    return collectorJson(tx, made.id, token.value);
  });
}

/**
 * Changes the members given in the form; Collector as JSON text. Throws 404, 400 when the name is
 * taken.
 */
function updateCollector(context: Deps, actor: Actor, id: number, form: CollectorForm) {
  return changing(context, actor, async ({ tx }) => {
    const now = await lockCollector(tx, id);
    const { name, description = now.description, namespace_name } = form;
    const namespaceId = namespace_name === undefined
      ? now.namespace_id
      : await ensureNamed(tx, "namespace", namespace_name);
    await tx.query(update, [id, name, description, namespaceId]);
    return collectorJson(tx, id);
  }, { unique: () => taken(form.name) });
}

/** What keeps a collector from being deleted. */
const ofCollector = dependants("collector", {
  "data sources": "SELECT name FROM data_source WHERE collector_id = $1",
});

/** Throws 404, and 400 (USR004) while data sources belong to the collector. */
async function deleteCollector(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Collector ${id} has data sources: delete them first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const { token_id, name } = await lockCollector(tx, id);
    await tx.query(remove, [id]);
    await deleteToken(tx, token_id);
    change.audit("TOKEN_REVOKED", inWords(id, name));
  }, { foreignKey: () => dependantsError(context.db, inUse, ofCollector, id) });
}

/** Replaces the collector's token; the answer (Collector, JSON text) shows it in full. Throws 404. */
function regenerateToken(context: Deps, actor: Actor, id: number): Promise<string> {
  return changing(context, actor, async (change) => {
    const { token_id, name } = await lockCollector(change.tx, id);
    change.audit("TOKEN_REGENERATED", inWords(id, name));
    return collectorJson(change.tx, id, await replaceToken(change, token_id));
  });
}

/** A collector for auditors. */
const inWords = (id: number, name: string) => `collector ${id} ${name}`;

interface CollectorRow {
  name: string;
  description: string | null;
  namespace_id: number | null;
  token_id: number;
}

const lock = statement<CollectorRow>("collector-lock")`
  SELECT name, description, namespace_id, token_id FROM collector WHERE id = $1 FOR NO KEY UPDATE`;

/** Reads and locks the collector. Throws 404. */
async function lockCollector(tx: Transaction, id: number): Promise<CollectorRow> {
  return requireFound(await tx.query(lock, [id]), "Collector", id);
}

function taken(name: string) {
  return conflict(`There is already a collector called ${name}`, [
    { field: "name", message: "must not be the name of another collector" },
  ]);
}

const asJson = statement<JsonRow>("collector-json")`SELECT json_collector($1, $2)::text AS json`;

/** Collector as JSON text; the token is masked unless its value is passed. */
async function collectorJson(tx: Transaction, id: number, token?: string): Promise<string> {
  return (await tx.query(asJson, [id, token ?? null]))[0]!.json;
}

const insert = statement<{ id: number }>("collector-insert")`
  INSERT INTO collector (name, description, namespace_id, token_id)
  VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING RETURNING id`;

const update = statement("collector-update")`
  UPDATE collector SET name = $2, description = $3, namespace_id = $4, updated_at = now()
   WHERE id = $1`;

const remove = statement("collector-delete")`DELETE FROM collector WHERE id = $1`;
