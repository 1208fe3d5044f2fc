import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { Namespace, NamespaceList } from "#contract/catalogue/common.ts";
import { listQuery, NamespaceForm, NamespaceUpdateForm } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import { conflict, notFound, requireFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { nameKey } from "#metadata/catalogue/names.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { dependants, dependantsError, spelled } from "#services/api/conflicts.ts";
import { refuseMentioned } from "#services/api/features/terms/service.ts";
import { listOfFound, pageByName } from "#services/api/list-json.ts";

const common = {
  tag: "namespace",
  activity: { none: "the feed contains changes of entities; a namespace is not one" },
};
const one = {
  ...common,
  path: "/api/namespaces/{namespace_id}",
  params: z.object({ namespace_id: idParam("namespace_id") }),
};

const listSpec = operation({
  ...common,
  id: "getNamespaceList",
  method: "get",
  path: "/api/namespaces",
  summary: "Namespaces by name",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: NamespaceList } },
});

const createSpec = operation({
  ...common,
  id: "createNamespace",
  method: "post",
  path: "/api/namespaces",
  summary: "Make a namespace; its name must be new",
  access: { permission: "NAMESPACE_CREATE", on: "MANAGEMENT" },
  body: NamespaceForm,
  responses: { 200: { description: "The namespace", schema: Namespace } },
});

const getSpec = operation({
  ...one,
  id: "getNamespaceDetails",
  method: "get",
  summary: "One namespace",
  access: "signed-in",
  responses: { 200: { description: "The namespace", schema: Namespace } },
});

const updateSpec = operation({
  ...one,
  id: "updateNamespace",
  method: "put",
  summary:
    "Rename a namespace whose terms are not mentioned in any text; its terms are found by the new name soon after",
  access: { permission: "NAMESPACE_UPDATE", on: "MANAGEMENT" },
  body: NamespaceUpdateForm,
  responses: { 200: { description: "The namespace", schema: Namespace } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteNamespace",
  method: "delete",
  summary: "Delete a namespace that nothing is in",
  access: { permission: "NAMESPACE_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

/** The operations on namespaces. */
export function namespaceRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => pageByName(context.db.reads, list, query)),
    serve(createSpec, async ({ body, actor }) => {
      return ok(await createNamespace(context, actor, body.name));
    }),
    serve(getSpec, async ({ params }) => ok(await getNamespace(context, params.namespace_id))),
    serve(updateSpec, async ({ params, body, actor }) => {
      return ok(await renameNamespace(context, actor, params.namespace_id, body.name));
    }),
    serve(deleteSpec, ({ params, actor }) => deleteNamespace(context, actor, params.namespace_id)),
  ];
}

type Deps = Pick<Context, "db">;

const list = statement<JsonRow>("namespace-list")`
  WITH found AS (SELECT n FROM namespace n WHERE n.name ILIKE $1)
  ${listOfFound({ each: "json_namespace(n)", by: "(n).name", window: ["$2", "$3"] })}`;

type NamespaceRow = { id: number; name: string };

const byId = statement<NamespaceRow>("namespace-by-id")`
  SELECT id, name FROM namespace WHERE id = $1`;

/** Throws 404. */
async function getNamespace({ db }: Deps, id: number): Promise<NamespaceRow> {
  return requireFound(await db.query(byId, [id]), "Namespace", id);
}

/** Throws 400 (USR003) when the name is taken. */
async function createNamespace(context: Deps, actor: Actor, name: string) {
  const [made] = await changing(context, actor, ({ tx }) => tx.query(insert, [name]));
  if (!made) throw taken(name);
  return made;
}

/** No row when the name, in any spelling, is taken. */
const insert = statement<NamespaceRow>("namespace-insert")`
  INSERT INTO namespace (name, folded)
  SELECT $1::text, k.key FROM (SELECT name_key($1::text)) AS k (key)
   WHERE NOT EXISTS (SELECT FROM namespace n WHERE n.folded = k.key)
  ON CONFLICT DO NOTHING RETURNING id, name`;

function taken(name: string) {
  return conflict(`There is already a namespace called ${name}`, [
    { field: "name", message: `must not be the name of another namespace, ${spelled}` },
  ]);
}

/**
 * Renames; the search documents of the namespace's contents follow in the background. Throws 404,
 * 400 (USR003) when the name is taken, and 400 (USR004) while a text mentions a term of the namespace
 * and the new name is not just another spelling.
 */
async function renameNamespace(context: Deps, actor: Actor, id: number, name: string) {
  return await changing(context, actor, async ({ tx }) => {
    const before = requireFound(await tx.query(lock, [id]), "Namespace", id);
    if (before.name === name) return { id, name };
    if (await nameKey(tx, name) !== before.folded) {
      const refused = { kind: "namespace", id, name: before.name, done: "renamed" } as const;
      await refuseMentioned(tx, { ...refused, own: true });
    }
    return (await tx.query(rename, [id, name]))[0]!;
  }, { unique: () => taken(name) });
}

/** Locks a namespace against all that begins to refer to it, or to mention terms of it. */
const lock = statement<NamespaceRow & { folded: string }>("namespace-lock")`
  SELECT id, name, folded FROM namespace WHERE id = $1 FOR UPDATE`;

const rename = statement<NamespaceRow>("namespace-rename")`
  UPDATE namespace SET name = $2, updated_at = now() WHERE id = $1 RETURNING id, name`;

/** What keeps a namespace from being deleted. */
const inNamespace = dependants("namespace", {
  "data sources": "SELECT name FROM data_source WHERE namespace_id = $1",
  collectors: "SELECT name FROM collector WHERE namespace_id = $1",
  terms: "SELECT name FROM term WHERE namespace_id = $1",
  "lookup tables": "SELECT name FROM lookup_table WHERE namespace_id = $1",
  groups: `
    SELECT coalesce(internal_name, external_name, catrn) AS name FROM data_entity
     WHERE namespace_id = $1 AND is_live(status)`,
});

/** Throws 404, and 400 (USR004) while the namespace has a source, a collector, a term or a live group. */
async function deleteNamespace(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Namespace ${id} is in use: move what is in it to another one first`;
  await changing(context, actor, async ({ tx }) => {
    await tx.query(release, [id]);
    const deleted = await tx.query(remove, [id]);
    if (deleted.length === 0) throw notFound("Namespace", id);
  }, { foreignKey: () => dependantsError(context.db, inUse, inNamespace, id) });
}

// Deleted entities that await their purge must not block the deletion of their namespace.
const release = statement("namespace-release")`
  UPDATE data_entity SET namespace_id = NULL WHERE id = ANY(ARRAY(
    SELECT id FROM data_entity WHERE namespace_id = $1 AND NOT is_live(status)
     ORDER BY id FOR NO KEY UPDATE))`;

const remove = statement("namespace-delete")`DELETE FROM namespace WHERE id = $1 RETURNING id`;
