import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { Collector, CollectorList } from "#contract/catalogue/common.ts";
import { CollectorForm, containsPattern, listQuery } from "#contract/catalogue/inputs.ts";
import { idParam, type ListQuery, pageWindow } from "#contract/http.ts";
import { conflict, notFound } from "#kit/errors.ts";
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
import { listOfFound } from "#services/api/list-json.ts";

const common = { tag: "collector", document: "platform" as const, secret: true };
const one = "/api/collectors/{collector_id}";
const params = z.object({ collector_id: idParam("collector_id") });
const activity = { none: "the feed contains changes of entities; a collector is not one" };

const listSpec = operation({
  ...common,
  id: "getCollectorsList",
  method: "get",
  path: "/api/collectors",
  summary: "Collectors by name; their tokens are masked",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: CollectorList } },
});

const registerSpec = operation({
  ...common,
  id: "registerCollector",
  method: "post",
  path: "/api/collectors",
  summary: "Register a collector; only this response contains its token",
  access: { permission: "COLLECTOR_CREATE", on: "MANAGEMENT" },
  activity,
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
});

const updateSpec = operation({
  ...common,
  id: "updateCollector",
  method: "put",
  path: one,
  summary: "Change a collector; members left out stay as they are, null empties them",
  access: { permission: "COLLECTOR_UPDATE", on: "MANAGEMENT" },
  activity,
  params,
  body: CollectorForm,
  responses: { 200: { description: "The collector", schema: Collector } },
  errors: [404],
});

const deleteSpec = operation({
  ...common,
  id: "deleteCollector",
  method: "delete",
  path: one,
  summary: "Delete a collector that has no data sources",
  access: { permission: "COLLECTOR_DELETE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
  errors: [404],
});

const tokenSpec = operation({
  ...common,
  id: "regenerateCollectorToken",
  method: "put",
  path: `${one}/token`,
  summary: "Regenerate the token of a collector; the old one is invalid immediately",
  access: { permission: "COLLECTOR_TOKEN_REGENERATE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 200: { description: "The collector with its full token", schema: Collector } },
  errors: [404],
});

/** The operations on collectors. */
export function collectorRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => listCollectors(context, query)),
    serve(
      registerSpec,
      ({ body, actor }) => registerCollector(context, actor, body),
    ),
    serve(
      updateSpec,
      ({ params, body, actor }) => updateCollector(context, actor, params.collector_id, body),
    ),
    serve(deleteSpec, ({ params, actor }) => deleteCollector(context, actor, params.collector_id)),
    serve(
      tokenSpec,
      ({ params, actor }) => regenerateToken(context, actor, params.collector_id),
    ),
  ];
}

type Deps = Pick<Context, "db" | "log">;

const list = statement<JsonRow>("collector-list")`
  WITH found AS (SELECT id, name FROM collector WHERE name ILIKE $1)
  ${listOfFound({ each: "json_collector(id, NULL)", by: "name", window: ["$2", "$3"] })}`;

/** One page of the collectors whose name contains `query`; CollectorList as JSON text, tokens masked. */
async function listCollectors({ db }: Deps, query: ListQuery): Promise<string> {
  const { limit, offset } = pageWindow(query);
  const values = [containsPattern(query.query ?? ""), limit, offset];
  return (await db.query(list, values))[0]!.json;
}

/**
 * Registers a collector; the answer (Collector, JSON text) shows the full token. Throws 400 (USR003)
 * when the name is taken.
 */
function registerCollector(context: Deps, actor: Actor, form: CollectorForm) {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const token = await createToken(change);
    const id = await insertCollector(tx, {
      name: form.name,
      description: form.description ?? null,
      namespaceId: await ensureNamed(tx, "namespace", form.namespace_name ?? null),
    }, token.id);
    if (id === undefined) throw taken(form.name);
    change.audit("TOKEN_MINTED", inWords(id, form.name));
    return collectorJson(tx, id, token.value);
  });
}

/**
 * Changes the members given in the form; Collector as JSON text. Throws 404, 400 when the name is
 * taken.
 */
async function updateCollector(
  context: Deps,
  actor: Actor,
  id: number,
  form: CollectorForm,
): Promise<string> {
  return await changing(context, actor, async ({ tx }) => {
    const now = await lockCollector(tx, id);
    const { name, description, namespace_name } = form;
    await updateCollectorRow(tx, id, {
      name,
      description: description === undefined ? now.description : description,
      namespaceId: namespace_name === undefined
        ? now.namespace_id
        : await ensureNamed(tx, "namespace", namespace_name),
    });
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
    await deleteCollectorRow(tx, id);
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
  const [row] = await tx.query(lock, [id]);
  if (!row) throw notFound("Collector", id);
  return row;
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

interface CollectorValues {
  name: string;
  description: string | null;
  namespaceId: number | null;
}

const insert = statement<{ id: number }>("collector-insert")`
  INSERT INTO collector (name, description, namespace_id, token_id)
  VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING RETURNING id`;

/** Returns the new id; undefined when the name is taken. */
async function insertCollector(tx: Transaction, row: CollectorValues, tokenId: number) {
  const values = [row.name, row.description, row.namespaceId, tokenId];
  return (await tx.query(insert, values))[0]?.id;
}

const update = statement("collector-update")`
  UPDATE collector SET name = $2, description = $3, namespace_id = $4, updated_at = now()
   WHERE id = $1`;

async function updateCollectorRow(
  tx: Transaction,
  id: number,
  row: CollectorValues,
): Promise<void> {
  await tx.query(update, [id, row.name, row.description, row.namespaceId]);
}

const remove = statement("collector-delete")`DELETE FROM collector WHERE id = $1`;

async function deleteCollectorRow(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}
